import { WASM_LIMB_BITS } from '../../../sdk/curves/limbs.js';
import { bitLength } from '../bounds.js';
import { body, range } from './field-facts.js';
import { BASE, type IntegerLaneFacts } from './integer-lane-facts.js';
import { splat, twice, type VectorConstant } from './integer-lane-products.js';

/** Bits of p in the number by which `reduce` estimates a value. */
const ESTIMATE_BITS = 13;
/** Bits of the factor's fraction: an estimate up to 4 p times the factor stays below 2^31. */
const FACTOR_BITS = 28;

/** One line for each vector. */
export function eachVector({ vectors }: IntegerLaneFacts, line: (v: number) => string): string {
  return body(range(vectors).map(line));
}

/** What `vector(v)` gives, less the nearest multiple of p, and carried. */
export function integerReducedBody(
  facts: IntegerLaneFacts,
  constant: VectorConstant,
  vector: (v: number) => string,
): string {
  const { vectors } = facts;
  return body([
    ...range(vectors).map((v) => `let x${v} = ${vector(v)};`),
    ...estimateLines(facts, constant),
    ...range(vectors).map((v) => `x${v} = i32x4.sub(x${v}, i32x4.mul(k, ${modulusVector(facts, constant, v)}));`),
    ...carryLines(facts, constant),
    ...range(vectors).map((v) => `v128.store(r, x${v}, ${16 * v});`),
  ]);
}

/** Two limbs of p. */
function modulusVector({ modulusLimbs }: IntegerLaneFacts, constant: VectorConstant, v: number): string {
  return constant(twice(modulusLimbs[2 * v]!), twice(modulusLimbs[2 * v + 1] ?? 0n));
}

/**
 * k is the number of p nearest to the value: the value's bits from p's 13th highest on, times what one of them is in p.
 * Each shift rounds down by less than one of these bits, and carries that are still in lower limbs count less than
 * that.
 */
function estimateLines({ limbs, p }: IntegerLaneFacts, constant: VectorConstant): string[] {
  const lowest = bitLength(p) - ESTIMATE_BITS;
  const above = WASM_LIMB_BITS * (limbs - 1) - lowest;
  const highest = bothHalves(limbs - 1);
  const estimate =
    above <= 0
      ? `i32x4.shr_s(${highest}, ${-above})`
      : `i32x4.add(i32x4.shl(${highest}, ${above}), i32x4.shr_s(${bothHalves(limbs - 2)}, ${WASM_LIMB_BITS - above}))`;
  const factor = ((1n << BigInt(lowest + FACTOR_BITS + 1)) / p + 1n) / 2n;
  const rounding = splat(constant, 1n << BigInt(FACTOR_BITS - 1));
  return [
    `const estimate = ${estimate};`,
    `const k = i32x4.shr_s(i32x4.add(i32x4.mul(estimate, ${splat(constant, factor)}), ${rounding}), ${FACTOR_BITS});`,
  ];
}

/** One limb of the vectors x in both halves. */
function bothHalves(limb: number): string {
  const x = `x${limb >> 1}`;
  return `v128.shuffle<i32>(${x}, ${x}, ${limb % 2 === 0 ? '0, 1, 0, 1' : '2, 3, 2, 3'})`;
}

/** Carries all limbs but the highest at once: c has what each limb passes on. */
function carryLines({ limbs, vectors }: IntegerLaneFacts, constant: VectorConstant): string[] {
  const last = vectors - 1;
  const isAlone = limbs % 2 === 1;
  const lines = [`const half = ${splat(constant, BASE / 2n)};`];
  for (const v of range(vectors)) {
    if (v === last && isAlone) continue;
    const carry = `i32x4.shr_s(i32x4.add(x${v}, half), ${WASM_LIMB_BITS})`;
    lines.push(`const c${v} = ${v === last ? `v128.and(${carry}, ${constant(twice(-1n), 0n)})` : carry};`);
  }
  for (const v of range(vectors)) {
    const before = v === 0 ? 'i32x4.splat(0)' : `c${v - 1}`;
    if (v === last && isAlone) {
      lines.push(`x${v} = i32x4.add(x${v}, v128.shuffle<i32>(${before}, ${before}, 2, 3, 2, 3));`);
    } else {
      const rest = `i32x4.sub(x${v}, i32x4.shl(c${v}, ${WASM_LIMB_BITS}))`;
      lines.push(`x${v} = i32x4.add(${rest}, v128.shuffle<i32>(${before}, c${v}, 2, 3, 4, 5));`);
    }
  }
  return lines;
}

/**
 * Which lanes hold 0, p or -p, as bits. k = a_0 / p mod the base is rarely -1, 0 or 1. Only if it is, the limbs of a -
 * k p are carried one by one, and compared with 0.
 */
export function integerMultiplesBody(facts: IntegerLaneFacts, constant: VectorConstant): string {
  const { limbs, vectors, inverse } = facts;
  const mask = splat(constant, BASE - 1n);
  const lines = [
    `const k = i32x4.sub(v128.and(i32x4.add(i32x4.mul(v128.load(a), ${splat(constant, inverse)}), ${splat(constant, 1n)}), ${mask}), ${splat(constant, 1n)});`,
    `const candidates = i32x4.bitmask(i32x4.lt_s(k, ${splat(constant, 2n)})) & 3;`,
    'if (candidates == 0) return 0;',
    'const both = v128.shuffle<i32>(k, k, 0, 1, 0, 1);',
    'let rest = i32x4.splat(0), carry = i32x4.splat(0);',
    ...range(vectors).map(
      (v) => `let x${v} = i32x4.sub(v128.load(a, ${16 * v}), i32x4.mul(both, ${modulusVector(facts, constant, v)}));`,
    ),
  ];
  for (const limb of range(limbs)) {
    const x = `x${limb >> 1}`;
    if (limb % 2 === 1) lines.push(`${x} = v128.shuffle<i32>(${x}, ${x}, 2, 3, 2, 3);`);
    lines.push(`carry = i32x4.add(${x}, carry);`);
    lines.push(`rest = v128.or(rest, ${limb === limbs - 1 ? 'carry' : `v128.and(carry, ${mask})`});`);
    if (limb < limbs - 1) lines.push(`carry = i32x4.shr_s(carry, ${WASM_LIMB_BITS});`);
  }
  lines.push('return candidates & i32x4.bitmask(i32x4.eq(rest, i32x4.splat(0)));');
  return body(lines);
}
