import { body, range } from './field-facts.js';
import { bitsOf, Columns, highAndLow, highOf, INTEGER, LOW } from './lane-columns.js';
import type { LaneFacts } from './lane-facts.js';

/** Names a vector constant, both of its lanes alike, and gives the text that loads it. */
export type Constant = (bits: bigint) => string;

/** Generates the text that uses limb j of a result; the text `limb` is its value. */
export type Finish = (j: number, limb: string) => readonly string[];

/** Stores the limbs of a result at r. */
const storeAtR: Finish = (j, limb) => [`v128.store(r, ${limb}, ${16 * j});`];

/** r = a b / R. */
export function laneMultiplyBody(facts: LaneFacts, constant: Constant): string {
  return body(laneMultiplyLines(facts, constant, ['a', 'b'], 'v128.load', storeAtR));
}

/** The product over R of the elements at two addresses, the limbs of the second loaded by `loadSecond`. */
export function laneMultiplyLines(
  facts: LaneFacts,
  constant: Constant,
  [first, second]: readonly [string, string],
  loadSecond: string,
  finish: Finish,
): string[] {
  const { limbs } = facts;
  const operands = [
    ...range(limbs).map((i) => `const a${i} = v128.load(${first}, ${16 * i});`),
    ...range(limbs).map((i) => `const b${i} = ${loadSecond}(${second}, ${16 * i});`),
  ];
  const column = (k: number) =>
    range(limbs)
      .filter((i) => k - i >= 0 && k - i < limbs)
      .map((i) => [`a${i}`, `b${k - i}`] as const);
  return productLines(facts, constant, operands, column, finish);
}

/**
 * The product of the element at an address with a factor spread into rows: row i is the factor times 2^(limbBits (i +
 * 1)) mod p, so that limb i times row i equals limb i times 2^(limbBits i) times the factor after one Montgomery
 * reduction step has cleared the lowest column. This takes limbs^2 + limbs + 1 products of limbs; a product of two
 * elements takes 2 limbs^2 + 1.
 */
export function laneSpreadLines(
  facts: LaneFacts,
  constant: Constant,
  [first, rows]: readonly [string, string],
  loadRow: string,
  finish: Finish,
): string[] {
  const { limbs, limbBits, modulusLimbs, negativeInverse } = facts;
  const number = (value: bigint): string => constant(bitsOf(Number(value)));
  const columns = new Columns(limbs + 1, limbBits, constant);
  columns.text(...productLocals(limbBits, constant));
  columns.text(...range(limbs).map((i) => `const a${i} = v128.load(${first}, ${16 * i});`));
  for (const k of range(limbs)) {
    for (const i of range(limbs)) columns.product(`a${i}`, `${loadRow}(${rows}, ${16 * (limbs * i + k)})`, k);
    if (k === 0) {
      clearColumn(columns, k, number(negativeInverse), number(modulusLimbs[0]!), limbBits);
    } else {
      columns.product('q', number(modulusLimbs[k]!), k);
      columns.text(...finish(k - 1, columns.digit(k)));
      columns.carry(k);
    }
  }
  columns.text(...finish(limbs - 1, columns.last(limbs)));
  return columns.toLines();
}

/** r = a a / R. Cross products are computed once, from doubled limbs. */
export function laneSquareBody(facts: LaneFacts, constant: Constant): string {
  const { limbs } = facts;
  const operands = [
    ...range(limbs).map((i) => `const a${i} = v128.load(a, ${16 * i});`),
    ...range(limbs - 1).map((i) => `const b${i} = f64x2.add(a${i}, a${i});`),
  ];
  return multiplied(facts, constant, operands, (k) =>
    range(limbs)
      .filter((i) => 2 * i <= k && k - i < limbs)
      .map((i) => [2 * i === k ? `a${i}` : `b${i}`, `a${k - i}`] as const),
  );
}

/** r = (a b + c d) / R with one reduction. */
export function laneMultiplySumBody(facts: LaneFacts, constant: Constant): string {
  const { limbs } = facts;
  const operands = ['a', 'b', 'c', 'd'].flatMap((name) =>
    range(limbs).map((i) => `const ${name}${i} = v128.load(${name}, ${16 * i});`),
  );
  return multiplied(facts, constant, operands, (k) =>
    range(limbs)
      .filter((i) => k - i >= 0 && k - i < limbs)
      .flatMap((i) => [[`a${i}`, `b${k - i}`] as const, [`c${i}`, `d${k - i}`] as const]),
  );
}

/** As `productLines`, with the result stored at r. */
function multiplied(
  facts: LaneFacts,
  constant: Constant,
  operands: readonly string[],
  column: (k: number) => readonly (readonly [string, string])[],
): string {
  return body(productLines(facts, constant, operands, column, storeAtR));
}

/** The first lines of a product's text. */
function productLocals(limbBits: number, constant: Constant): string[] {
  return [
    `const high = ${constant(bitsOf(-highOf(limbBits)))}, low = ${constant(bitsOf(LOW))}, step = ${constant(bitsOf(highAndLow(limbBits).step))};`,
    `const mask = ${constant(2n ** BigInt(limbBits) - 1n)}, exponent = ${constant(bitsOf(INTEGER))};`,
    `const middle = ${constant(bitsOf(INTEGER + 2 ** (limbBits - 1)))};`,
    'let h: v128, l: v128;',
  ];
}

/** One Montgomery reduction step: q is the multiple of p whose lowest limb clears the column. */
function clearColumn(columns: Columns, k: number, negativeInverse: string, lowestLimb: string, limbBits: number): void {
  columns.text(`const f${k} = ${columns.digit(k)};`);
  columns.split(`f${k}`, negativeInverse);
  columns.text(`const q = f64x2.sub(l, low);`);
  columns.split('q', lowestLimb);
  columns.add(k + 1, 'h', bitsOf(-highOf(limbBits)));
  columns.cancel(k, 'l', bitsOf(LOW));
}

/**
 * Reduces the columns of a product and finishes them. All limbs below the highest column of the lower half are folded
 * into that column at once: limb i equals itself times 2^(limbBits (i - limbs + 1)) mod p there. One Montgomery
 * reduction step clears that column, too.
 *
 * The number that is divided by R = B^limbs, B = 2^limbBits, is then the product plus less than (limbs - 1) B/2 p/2
 * B^(limbs - 1) from the folded limbs and B/2 p B^(limbs - 1) from the step. So the result is below the product / R +
 * ((limbs - 1) / 4 + 1 / 2) p.
 */
function productLines(
  { limbs, limbBits, modulusLimbs, negativeInverse, foldingLimbs }: LaneFacts,
  constant: Constant,
  operands: readonly string[],
  column: (k: number) => readonly (readonly [string, string])[],
  finish: Finish,
): string[] {
  const number = (value: bigint): string => constant(bitsOf(Number(value)));
  const columns = new Columns(2 * limbs, limbBits, constant);
  columns.text(...productLocals(limbBits, constant), ...operands);
  const top = limbs - 1;
  for (const k of range(2 * limbs - 1)) {
    for (const [a, b] of column(k)) columns.product(a, b, k);
    if (k < top) {
      columns.text(`const f${k} = ${columns.digit(k)};`);
      columns.carry(k);
      continue;
    }
    for (const i of range(top)) columns.product(`f${i}`, number(foldingLimbs[i]![k - top]!), k);
    if (k === top) {
      clearColumn(columns, k, number(negativeInverse), number(modulusLimbs[0]!), limbBits);
    } else {
      columns.product('q', number(modulusLimbs[k - top]!), k);
      columns.text(...finish(k - limbs, columns.digit(k)));
      columns.carry(k);
    }
  }
  columns.text(...finish(top, columns.last(2 * limbs - 1)));
  return columns.toLines();
}
