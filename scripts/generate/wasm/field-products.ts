import { toLimbs, WASM_LIMB_BITS } from '../../../sdk/curves/limbs.js';
import { extensionOffset } from './field-bounds.js';
import { body, type Facts, MASK, range } from './field-facts.js';

/** Montgomery's product. */
export function multiplyBody(facts: Facts): string {
  return body([...multiplyLines(facts, ['a', 'b'], 'r'), ...storeLimbs(facts, 'r', 0)]);
}

/** The same of the elements at two addresses, its limbs in `name`0, `name`1, .. */
export function multiplyLines(facts: Facts, [a, b]: readonly [string, string], name: string): string[] {
  const columns = columnsOf(facts, (i, j) => `a${i} * b${j}`);
  return [
    ...loadLimbs(facts, 'a', a, 0),
    ...loadLimbs(facts, 'b', b, 0),
    'let t: u64 = 0;',
    ...scanColumns(facts, 'u64', name, columns),
  ];
}

/** Montgomery's square. Cross products are computed once and doubled. */
export function squareBody(facts: Facts): string {
  const { limbs } = facts;
  const columns = range(2 * limbs - 1).map((k) => {
    const cross = range(limbs).filter((i) => 2 * i < k && k - i < limbs);
    const terms: string[] = [];
    if (cross.length > 0) terms.push(`((${cross.map((i) => `a${i} * a${k - i}`).join(' + ')}) << 1)`);
    if (k % 2 === 0) terms.push(`a${k / 2} * a${k / 2}`);
    return terms.join(' + ');
  });
  return body([
    ...loadLimbs(facts, 'a', 'a', 0),
    'let t: u64 = 0;',
    ...scanColumns(facts, 'u64', 'r', columns),
    ...storeLimbs(facts, 'r', 0),
  ]);
}

/**
 * c0 = a0 b0 + u^2 a1 b1 and c1 = a0 b1 + a1 b0 with one reduction each, u^2 = `nonResidue`. Karatsuba's three products
 * with a reduction each take longer. Unless u^2 is 1 or -1, b1 is first multiplied by its size, and carried.
 *
 * A column of c0 is between -limbs and 2 limbs products of 2^58, which fits 63 bits and a sign. A column of c1, and of c0
 * for a positive u^2, has 3 limbs products; if it needs 64 bits, it is treated as unsigned. Before its reduction c0 is
 * between 4 u^2 p^2 and 4 p^2 for a negative u^2. Then p 2^k >= -4 u^2 p^2 is added, so that the result is between 0 and
 * (4 p^2 + p 2^k) / R + p < 2p.
 */
export function multiplyExtendedBody(facts: Facts, nonResidue: bigint): string {
  const { p, limbs } = facts;
  const size = nonResidue < 0n ? -nonResidue : nonResidue;
  const scaled = size === 1n ? 'd' : 'e';
  const unsigned = needsSignBit(limbs) ? '>>>' : '>>';
  const direct = columnsOf(facts, (i, j) => `a${i} * b${j}`);
  const squares = columnsOf(facts, (i, j) => `c${i} * ${scaled}${j}`);
  const crossed = columnsOf(facts, (i, j) => `a${i} * d${j} + c${i} * b${j}`);
  const offset = toLimbs(nonResidue < 0n ? extensionOffset(p, nonResidue) : 0n, 2 * limbs, WASM_LIMB_BITS);
  const first =
    nonResidue < 0n
      ? [...direct.map((column, k) => `${column} - (${squares[k]}) + ${offset[k]}`), `${offset[2 * limbs - 1]}`]
      : direct.map((column, k) => `${column} + ${squares[k]}`);
  return body([
    ...loadLimbs(facts, 'a', 'a', 0, 'i64'),
    ...loadLimbs(facts, 'c', 'a', 4 * limbs, 'i64'),
    ...loadLimbs(facts, 'b', 'b', 0, 'i64'),
    ...loadLimbs(facts, 'd', 'b', 4 * limbs, 'i64'),
    ...(size === 1n ? [] : scaledLines(facts, size)),
    'let t: i64 = 0;',
    ...scanColumns(facts, 'i64', 'x', first, nonResidue < 0n ? '>>' : unsigned),
    't = 0;',
    ...scanColumns(facts, 'i64', 'y', crossed, unsigned),
    ...storeLimbs(facts, 'x', 0),
    ...storeLimbs(facts, 'y', 4 * limbs),
  ]);
}

/** The limbs e0, e1, .. of `factor` times the number with the limbs d0, d1, .. */
function scaledLines({ limbs }: Facts, factor: bigint): string[] {
  return [
    'let s: i64 = 0;',
    ...range(limbs).flatMap((j) => [
      `s += ${factor} * d${j};`,
      `const e${j}: i64 = s & ${MASK};`,
      `s >>= ${WASM_LIMB_BITS};`,
    ]),
  ];
}

/** Whether a column of 3 products a limb, and what it carries, may reach 2^63. */
function needsSignBit(limbs: number): boolean {
  return 3n * BigInt(limbs) * BigInt(MASK) ** 2n + (1n << 35n) >= 1n << 63n;
}

/** The columns of a product: sums of product(i, j) over i + j = 0, 1, .. */
function columnsOf({ limbs }: Facts, product: (i: number, j: number) => string): string[] {
  return range(2 * limbs - 1).map((k) =>
    range(limbs)
      .filter((i) => k - i >= 0 && k - i < limbs)
      .map((i) => product(i, k - i))
      .join(' + '),
  );
}

/** Names the limbs of the element at address + place. */
function loadLimbs({ limbs }: Facts, name: string, address: string, place: number, type = 'u64'): string[] {
  return range(limbs).map((j) => `const ${name}${j}: ${type} = load<u32>(${address}, ${place + 4 * j});`);
}

/**
 * Montgomery's reduction, product scanning (Koc, Acar, Kaliski, "Analyzing and comparing Montgomery multiplication
 * algorithms", FIPS): column by column in the one accumulator t, the lower half choosing the multiples of p that clear
 * it, the upper half giving the result's limbs `name`0, `name`1, ..
 */
function scanColumns(
  { limbs, modulusLimbs: m, negativeInverse }: Facts,
  type: 'u64' | 'i64',
  name: string,
  columns: readonly string[],
  shift: '>>' | '>>>' = '>>',
): string[] {
  const lines: string[] = [];
  for (const k of range(2 * limbs)) {
    const multiples = range(limbs).filter((i) => i < k && k - i < limbs);
    const terms = [...columns.slice(k, k + 1), ...multiples.map((i) => `${name}q${i} * ${m[k - i]}`)];
    if (terms.length > 0) lines.push(`t += ${terms.join(' + ')};`);
    if (k < limbs) {
      lines.push(`const ${name}q${k}: ${type} = <${type}>((<u32>t * ${negativeInverse}) & ${MASK});`);
      lines.push(`t = (t + ${name}q${k} * ${m[0]}) ${shift} ${WASM_LIMB_BITS};`);
    } else {
      lines.push(`const ${name}${k - limbs}: u32 = <u32>t & ${MASK};`, `t ${shift}= ${WASM_LIMB_BITS};`);
    }
  }
  return lines;
}

/** Stores limbs at r + place. */
function storeLimbs({ limbs }: Facts, name: string, place: number): string[] {
  return range(limbs).map((j) => `store<u32>(r, ${name}${j}, ${place + 4 * j});`);
}
