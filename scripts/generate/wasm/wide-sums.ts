import { mod } from '../../../sdk/curves/modular.js';
import { range } from './field-facts.js';
import type { Operand as Term } from './field-sums.js';
import { type Operand, type Wide, WideCode, widened } from './wide-code.js';
import { storeWords, wordsAt } from './wide-products.js';
import type { WideFacts } from './wide-facts.js';

/** Most and least multiples of p that sums of elements take away. */
const MOST_SUBTRACTED = 2;
const MOST_ADDED = 4;

/** The limbs of -2p, -p, 0, p, .. 4p modulo R, one after the other. */
export function wideMultiples({ p, r, limbs }: WideFacts): bigint[] {
  const multiples = range(MOST_SUBTRACTED + MOST_ADDED + 1).map((k) => mod(BigInt(k - MOST_SUBTRACTED) * p, r));
  return multiples.flatMap((value) => range(limbs).map((i) => BigInt.asUintN(64, value >> BigInt(64 * i))));
}

/**
 * A sum of elements below 2p, with signs, reduced to less than 2p in one pass: the multiple of p to add is determined
 * from the highest limbs without their two lowest bits, which keep the sum's sign. They give it so exactly that the
 * result is between p/2 and 3p/2, or between 0 and 2p if the sum is at an end of its range. The multiples are at the
 * address `multiples`.
 */
export function wideSum(facts: WideFacts, name: string, terms: readonly Term[]): string {
  const { p, limbs } = facts;
  const code = new WideCode();
  const words = terms.map((term) => wordsAt(facts, term.name));
  const loaded = words.map((limbs) => limbs.map((word) => code.load(word)));
  const head = loaded
    .map((limbs) => code.shiftRight(limbs.at(-1)!, 2))
    .reduce((sum: Operand, limb, i) => (terms[i]!.negative ? code.sub(sum, limb) : code.add(sum, limb)), 0n);
  const highest = 2 * terms.filter(({ negative }) => !negative).length;
  const lowest = -2 * terms.filter(({ negative }) => negative).length;
  // k from 2 - highest to -lowest brings the sum to 0..2p; -a alone is never positive, and takes p or 2p.
  const first = Math.min(1, 2 - highest);
  const unit = 1n << BigInt(64 * (limbs - 1) + 2);
  let index: Operand = BigInt(first + MOST_SUBTRACTED);
  for (let k = first + 1; k <= -lowest; k++) {
    index = code.add(code.isLess(head, (p * BigInt(3 - 2 * k)) / (2n * unit)), index);
  }
  const multiple = wordsAt(facts, code.elementOf('multiples', index, 8 * limbs));
  let carry: Operand | undefined;
  const result = range(limbs).map((j) => {
    let sum: Wide = widened(multiple[j]!);
    for (const [i, { negative }] of terms.entries()) {
      const limb = widened(loaded[i]![j]!);
      sum = negative ? code.sub128(sum, limb) : code.add128(sum, limb);
    }
    if (carry !== undefined) sum = code.add128(sum, { low: carry, high: code.signOf(carry) });
    carry = sum.high;
    return sum.low;
  });
  storeWords(code, facts, result);
  return code.finish(name, ['r', ...terms.map((term) => term.name), 'multiples']);
}
