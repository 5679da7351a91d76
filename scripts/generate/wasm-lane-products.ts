import { bitsOf, Columns, highAndLow, highOf, INTEGER, LOW } from './lane-columns.js';
import type { LaneFacts } from './lane-facts.js';
import { body, range } from './wasm-field-facts.js';

/** Names a vector constant, both of its lanes alike, and gives the text that loads it. */
export type Constant = (bits: bigint) => string;

/** r = a b / R. */
export function laneMultiplyBody(facts: LaneFacts, constant: Constant): string {
  const { limbs } = facts;
  const operands = ['a', 'b'].flatMap((name) =>
    range(limbs).map((i) => `const ${name}${i} = v128.load(${name}, ${16 * i});`),
  );
  return productBody(facts, constant, operands, (k) =>
    range(limbs)
      .filter((i) => k - i >= 0 && k - i < limbs)
      .map((i) => [`a${i}`, `b${k - i}`] as const),
  );
}

/** r = a a / R: cross products once, of doubled limbs. */
export function laneSquareBody(facts: LaneFacts, constant: Constant): string {
  const { limbs } = facts;
  const operands = [
    ...range(limbs).map((i) => `const a${i} = v128.load(a, ${16 * i});`),
    ...range(limbs - 1).map((i) => `const b${i} = f64x2.add(a${i}, a${i});`),
  ];
  return productBody(facts, constant, operands, (k) =>
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
  return productBody(facts, constant, operands, (k) =>
    range(limbs)
      .filter((i) => k - i >= 0 && k - i < limbs)
      .flatMap((i) => [[`a${i}`, `b${k - i}`] as const, [`c${i}`, `d${k - i}`] as const]),
  );
}

/**
 * The columns of a product, reduced and stored. All limbs below the highest column of the lower half are folded at once: limb i is
 * worth itself times 2^(limbBits (i - limbs + 1)) mod p in that column. One step of Montgomery's clears that column, too. What is
 * divided by R = B^limbs, B = 2^limbBits, then is a product, below (limbs - 1) B/2 p/2 B^(limbs - 1) from the folded limbs, and
 * B/2 p B^(limbs - 1) from the step: the result is below the product / R + ((limbs - 1) / 4 + 1 / 2) p.
 */
function productBody(
  { limbs, limbBits, modulusLimbs, negativeInverse, foldingLimbs }: LaneFacts,
  constant: Constant,
  operands: readonly string[],
  column: (k: number) => readonly (readonly [string, string])[],
): string {
  const number = (value: bigint): string => constant(bitsOf(Number(value)));
  const columns = new Columns(2 * limbs, limbBits, constant);
  columns.text(
    `const high = ${constant(bitsOf(-highOf(limbBits)))}, low = ${constant(bitsOf(LOW))}, step = ${constant(bitsOf(highAndLow(limbBits).step))};`,
    `const mask = ${constant(2n ** BigInt(limbBits) - 1n)}, exponent = ${constant(bitsOf(INTEGER))};`,
    `const middle = ${constant(bitsOf(INTEGER + 2 ** (limbBits - 1)))};`,
    'let h: v128, l: v128;',
    ...operands,
  );
  const top = limbs - 1;
  for (const k of range(2 * limbs - 1)) {
    for (const [a, b] of column(k)) columns.product(a, b, k);
    if (k < top) {
      columns.join(k);
      columns.text(`const f${k} = ${columns.digit(k)};`);
      columns.carry(k);
      continue;
    }
    for (const i of range(top)) columns.product(`f${i}`, number(foldingLimbs[i]![k - top]!), k);
    if (k === top) {
      columns.join(k);
      columns.text(`const f${k} = ${columns.digit(k)};`);
      columns.split(`f${k}`, number(negativeInverse));
      columns.text(`const q = f64x2.sub(l, low);`);
      columns.split('q', number(modulusLimbs[0]!));
      columns.add(k + 1, 'h', bitsOf(-highOf(limbBits)));
      columns.cancel(k, 'l', bitsOf(LOW));
    } else {
      columns.product('q', number(modulusLimbs[k - top]!), k);
      columns.join(k);
      columns.text(`v128.store(r, ${columns.digit(k)}, ${16 * (k - limbs)});`);
      columns.carry(k);
    }
  }
  columns.join(2 * limbs - 1);
  columns.text(`v128.store(r, ${columns.last(2 * limbs - 1)}, ${16 * top});`);
  return body(columns.toLines());
}
