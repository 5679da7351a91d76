import { toLimbs, WASM_LIMB_BITS } from '../../../sdk/curves/limbs.js';
import { mod } from '../../../sdk/curves/modular.js';
import { body, type Facts, MASK, range } from './field-facts.js';
import { multiplyLines } from './field-products.js';

/**
 * Montgomery reduction steps after a product with a spread factor. They remove the 33 bits that it has above p, and
 * more.
 */
const STEPS = 2;

/** Row i of the factor 1, spread: 2^(29 (i + 2)). */
function spreadRow(i: number): bigint {
  return 1n << BigInt(WASM_LIMB_BITS * (i + STEPS));
}

/** x, y = x + factor y, x - factor y + 2p. */
export function butterflyBody(facts: Facts, form: 'montgomery' | 'spread'): string {
  const lines = form === 'spread' ? spreadLines(facts, 'y', 'factor', 'v') : multiplyLines(facts, ['y', 'factor'], 'v');
  return body([...lines, ...sumLines(facts, 2)]);
}

/** x, y = x + y, x - y + 4p. */
export function plainButterflyBody(facts: Facts): string {
  return body([...range(facts.limbs).map((j) => `const v${j}: u32 = load<u32>(y, ${4 * j});`), ...sumLines(facts, 4)]);
}

/** r = a times a spread factor. */
export function scaleBody(facts: Facts): string {
  return body([
    ...spreadLines(facts, 'a', 'factor', 'v'),
    ...range(facts.limbs).map((j) => `store<u32>(r, v${j}, ${4 * j});`),
  ]);
}

/** x, y = x + v, x - v + multiple p. */
function sumLines({ p, limbs }: Facts, multiple: number): string[] {
  const added = toLimbs(p * BigInt(multiple), limbs, WASM_LIMB_BITS);
  return [
    'let u: i32, c: i32 = 0, d: i32 = 0;',
    ...range(limbs).flatMap((j) => [
      `u = <i32>load<u32>(x, ${4 * j});`,
      `c += u + <i32>v${j};`,
      `d += u - <i32>v${j} + ${added[j]};`,
      ...(j < limbs - 1
        ? [
            `store<u32>(x, c & ${MASK}, ${4 * j});`,
            `store<u32>(y, d & ${MASK}, ${4 * j});`,
            `c >>= ${WASM_LIMB_BITS};`,
            `d >>= ${WASM_LIMB_BITS};`,
          ]
        : [`store<u32>(x, c, ${4 * j});`, `store<u32>(y, d, ${4 * j});`]),
    ]),
  ];
}

/**
 * The product of the element at `a` with a factor spread into rows: row i is the factor times 2^(29 (i + 2)) mod p, so
 * that limb i times row i equals limb i times 2^(29 i) times the factor after two Montgomery reduction steps have
 * cleared the two lowest columns. This takes limbs^2 + 2 limbs products of limbs; a product of two elements takes 2
 * limbs^2.
 */
function spreadLines(
  { limbs, modulusLimbs: m, negativeInverse }: Facts,
  a: string,
  rows: string,
  name: string,
): string[] {
  const lines = [...range(limbs).map((i) => `const a${i}: u64 = load<u32>(${a}, ${4 * i});`), 'let t: u64 = 0;'];
  for (const k of range(limbs + STEPS)) {
    const products = range(limbs)
      .filter(() => k < limbs)
      .map((i) => `a${i} * <u64>load<u32>(${rows}, ${4 * (limbs * i + k)})`);
    const multiples = range(STEPS)
      .filter((i) => i < k && k - i < limbs)
      .map((i) => `q${i} * ${m[k - i]}`);
    const terms = [...products, ...multiples];
    if (terms.length > 0) lines.push(`t += ${terms.join(' + ')};`);
    if (k < STEPS) {
      lines.push(`const q${k}: u64 = <u64>((<u32>t * ${negativeInverse}) & ${MASK});`);
      lines.push(`t = (t + q${k} * ${m[0]}) >> ${WASM_LIMB_BITS};`);
    } else {
      lines.push(`const ${name}${k - STEPS}: u32 = <u32>t & ${MASK};`, `t >>= ${WASM_LIMB_BITS};`);
    }
  }
  return lines;
}

/**
 * Reduces a < 64p to little more than p: it subtracts floor(a_8 / (p_8 + 1)) multiples of p, which leaves less than (1
 * + 64 / p_8) p.
 */
export function reduceMultiplesBody({ limbs, modulusLimbs: m }: Facts): string {
  const top = limbs - 1;
  return body([
    `const k: i64 = load<u32>(a, ${4 * top}) / ${m[top]! + 1};`,
    'let c: i64 = 0;',
    ...range(limbs).flatMap((j) => [
      `c += <i64>load<u32>(a, ${4 * j}) - k * ${m[j]};`,
      `store<u32>(a, <u32>c & ${MASK}, ${4 * j});`,
      ...(j < top ? [`c >>= ${WASM_LIMB_BITS};`] : []),
    ]),
  ]);
}

/** The limbs of the factors that spread a factor in Montgomery form. */
export function spreadRows({ p, limbs }: Facts): number[] {
  return range(limbs).flatMap((i) => toLimbs(mod(spreadRow(i), p), limbs, WASM_LIMB_BITS));
}
