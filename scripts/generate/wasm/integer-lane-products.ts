import { WASM_LIMB_BITS } from '../../../sdk/curves/limbs.js';
import { body, range } from './field-facts.js';
import { BASE, type IntegerLaneFacts } from './integer-lane-facts.js';

/** Names a vector of two 64-bit integers, and gives the text that loads it. */
export type VectorConstant = (low: bigint, high: bigint) => string;

/** The factors of a product of two limbs in both lanes: the same halves of two vectors. */
interface Term {
  readonly half: 'low' | 'high';
  readonly factors: readonly [string, string];
}

const HALF = BASE / 2n;
const MASK = BASE - 1n;
/** Added to a column before its carry, which so is positive. The carry has no bits of it among its lower 32. */
const OFFSET = 2n ** 63n;

/**
 * Limbs up to which the carry is the last term of a column. In longer products it comes after half of the terms: with
 * it last, V8 of Node 20 keeps so many sums at a time that a product of 27 limbs takes three times as long
 * (docs/strategies/field-products-wasm.md).
 */
const MOST_LIMBS_WITH_LATE_CARRIES = 20;

/** An integer of 32 bits in both halves of a 64-bit integer. */
export function twice(value: bigint): bigint {
  const word = BigInt.asUintN(32, value);
  return (word << 32n) | word;
}

/** The four lanes with the same integer of 32 bits. */
export function splat(constant: VectorConstant, value: bigint): string {
  return constant(twice(value), twice(value));
}

/** r = a b / R. */
export function integerMultiplyBody(facts: IntegerLaneFacts, constant: VectorConstant): string {
  const operands = [...loaded(facts, 'a'), ...loaded(facts, 'b'), ...swapped(facts, 'b')];
  return productBody(facts, constant, operands, (k) => pairsOf(facts, k).map(([i, j]) => term(i, j, 'a', 'b')));
}

/** r = a a / R. Cross products are computed once, from doubled limbs. */
export function integerSquareBody(facts: IntegerLaneFacts, constant: VectorConstant): string {
  const operands = [
    ...loaded(facts, 'a'),
    ...swapped(facts, 'a'),
    ...range(facts.vectors).map((v) => `const d${v} = i32x4.add(a${v}, a${v});`),
  ];
  return productBody(facts, constant, operands, (k) =>
    pairsOf(facts, k)
      .filter(([i, j]) => i <= j)
      .map(([i, j]) => term(i, j, i === j ? 'a' : 'd', 'a')),
  );
}

/** r = (a b + c d) / R with one reduction. */
export function integerMultiplySumBody(facts: IntegerLaneFacts, constant: VectorConstant): string {
  const operands = [
    ...['a', 'b', 'c', 'd'].flatMap((name) => loaded(facts, name)),
    ...['b', 'd'].flatMap((name) => swapped(facts, name)),
  ];
  return productBody(facts, constant, operands, (k) =>
    pairsOf(facts, k).flatMap(([i, j]) => [term(i, j, 'a', 'b'), term(i, j, 'c', 'd')]),
  );
}

function loaded({ vectors }: IntegerLaneFacts, name: string): string[] {
  return range(vectors).map((v) => `const ${name}${v} = v128.load(${name}, ${16 * v});`);
}

/** The same vectors with their halves exchanged: for the products of an even limb and an odd one. */
function swapped({ vectors }: IntegerLaneFacts, name: string): string[] {
  return range(vectors).map((v) => `const ${name}${v}s = v128.shuffle<i32>(${name}${v}, ${name}${v}, 2, 3, 0, 1);`);
}

/** The limbs i, j with i + j = k. */
function pairsOf({ limbs }: IntegerLaneFacts, k: number): (readonly [number, number])[] {
  return range(limbs)
    .filter((i) => k - i >= 0 && k - i < limbs)
    .map((i) => [i, k - i] as const);
}

/** The product of limb i of one element and limb j of another, by the letters of their vectors. */
function term(i: number, j: number, first: string, second: string): Term {
  return { half: halfOf(i), factors: [vectorOf(first, i), `${vectorOf(second, j)}${(i + j) % 2 === 0 ? '' : 's'}`] };
}

function halfOf(limb: number): 'low' | 'high' {
  return limb % 2 === 0 ? 'low' : 'high';
}

function vectorOf(name: string, limb: number): string {
  return `${name}${limb >> 1}`;
}

/**
 * A product's text, column by column. The limbs f_i below the two highest columns of the lower half are folded into the
 * first of those columns: limb i equals itself times base^(i - limbs + 2) mod p there. Two Montgomery reduction steps,
 * q and then u, clear the two columns.
 *
 * The number that is divided by R = base^limbs is then the product plus base/2 p base^(limbs - 1) from the last step,
 * and less than limbs times base/2 p base^(limbs - 2) from all else. So the result is below the product / R + 0.51 p.
 */
function productBody(
  facts: IntegerLaneFacts,
  constant: VectorConstant,
  operands: readonly string[],
  column: (k: number) => readonly Term[],
): string {
  const { limbs, modulusLimbs, foldingLimbs } = facts;
  const folded = limbs - 2;
  const modulus = (j: number): bigint => modulusLimbs[j] ?? 0n;
  const lines = [
    ...operands,
    `const mask = ${splat(constant, MASK)}, half = ${splat(constant, HALF)};`,
    `const start = ${bothLanes(constant, OFFSET + HALF - OFFSET / BASE)};`,
  ];
  for (const k of range(2 * limbs - 1)) {
    const terms = [...column(k)];
    const j = k - folded;
    if (j >= 0 && j < limbs) {
      for (const i of range(folded)) {
        const first = i & ~1;
        const [low, high] = [foldingLimbs[first]![j]!, foldingLimbs[first + 1]?.[j] ?? 0n];
        terms.push({ half: halfOf(i), factors: [vectorOf('f', i), constant(twice(low), twice(high))] });
      }
    }
    // One vector has the limb of p for q in its low half, and that for u in its high half.
    const limbsOfP = (): string => constant(twice(modulus(j)), twice(modulus(j - 1)));
    if (j > 0 && j < limbs) terms.push({ half: 'low', factors: ['q', limbsOfP()] });
    if (j > 1 && j <= limbs) terms.push({ half: 'high', factors: ['u', limbsOfP()] });
    lines.push(`let t${k} = ${k === 0 ? bothLanes(constant, OFFSET + HALF) : 'start'};`);
    const early = limbs > MOST_LIMBS_WITH_LATE_CARRIES ? terms.length >> 1 : terms.length;
    lines.push(...terms.slice(0, early).map((each) => addition(k, each)));
    // With the carry last, the sums of the columns need not wait for one another.
    if (k > 0) lines.push(`t${k} = i64x2.add(t${k}, i64x2.shr_u(t${k - 1}, ${WASM_LIMB_BITS}));`);
    lines.push(...terms.slice(early).map((each) => addition(k, each)));
    if (k < folded && (k % 2 === 1 || k === folded - 1)) {
      const first = k - (k % 2);
      lines.push(`const f${first >> 1} = ${digits(`t${first}`, `t${k}`)};`);
    }
    if (j === 0 || j === 1) {
      lines.push(...clearColumn(facts, constant, k, j === 0 ? 'q' : 'u'));
    }
  }
  return body([...lines, ...storeLines(facts, constant)]);
}

function bothLanes(constant: VectorConstant, value: bigint): string {
  const bits = BigInt.asUintN(64, value);
  return constant(bits, bits);
}

function addition(column: number, { half, factors }: Term): string {
  return `t${column} = i64x2.add(t${column}, i64x2.extmul_${half}_i32x4_s(${factors.join(', ')}));`;
}

/** The signed digits of two finished columns, in the halves of a vector. */
function digits(low: string, high: string): string {
  return `i32x4.sub(v128.and(v128.shuffle<i32>(${low}, ${high}, 0, 2, 4, 6), mask), half)`;
}

/**
 * One Montgomery reduction step: the digit, in both halves of a vector, is the multiple of p whose lowest limb clears
 * the column.
 */
function clearColumn(
  { negativeInverse, modulusLimbs }: IntegerLaneFacts,
  constant: VectorConstant,
  column: number,
  digit: string,
): string[] {
  // The column has half of the base more than what it stands for, and the digit needs that again.
  const lift = HALF - HALF * negativeInverse;
  const multiple = `i32x4.add(i32x4.mul(t${column}, ${splat(constant, negativeInverse)}), ${splat(constant, lift)})`;
  const lowest = splat(constant, modulusLimbs[0]!);
  return [
    `const m${digit} = ${multiple};`,
    `const ${digit} = ${digits(`m${digit}`, `m${digit}`)};`,
    addition(column, { half: 'low', factors: [digit, lowest] }),
  ];
}

/** Stores the columns of the upper half as digits. The highest limb is the last carry as it is. */
function storeLines({ limbs, vectors }: IntegerLaneFacts, constant: VectorConstant): string[] {
  const highest = limbs - 1;
  const lines = [`const top = i64x2.shr_u(t${2 * limbs - 2}, ${WASM_LIMB_BITS});`];
  for (const v of range(vectors)) {
    const [low, high] = [2 * v, 2 * v + 1];
    const stored =
      low === highest
        ? 'v128.shuffle<i32>(top, top, 0, 2, 0, 2)'
        : high === highest
          ? lowDigit(`v128.shuffle<i32>(t${limbs + low}, top, 0, 2, 4, 6)`, constant)
          : digits(`t${limbs + low}`, `t${limbs + high}`);
    lines.push(`v128.store(r, ${stored}, ${16 * v});`);
  }
  return lines;
}

/** A vector's low half as digits, its high half as it is. */
function lowDigit(vector: string, constant: VectorConstant): string {
  return `i32x4.sub(v128.and(${vector}, ${constant(twice(MASK), twice(-1n))}), ${constant(twice(HALF), 0n)})`;
}
