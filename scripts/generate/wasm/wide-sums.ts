import { range } from './field-facts.js';
import { addLimbs, type Operand, subtractLimbs, WideCode } from './wide-code.js';
import type { WideFacts } from './wide-facts.js';
import { storeWords, wordsAt } from './wide-products.js';

/** r = a + b, below 2p: 2p is taken away unless less than 0 would be left. */
export function wideAddition(facts: WideFacts): string {
  const code = new WideCode();
  const [a, b, twice] = ['a', 'b', 'twice'].map((name) => wordsAt(facts, name)) as [Operand[], Operand[], Operand[]];
  const sum = addLimbs(code, a, b);
  const less = subtractLimbs(code, sum, twice);
  const isNegative = code.signOf(less.at(-1)!);
  storeWords(
    code,
    facts,
    sum.map((limb, i) => code.select(isNegative, limb, less[i]!)),
  );
  return code.finish('add', ['r', 'a', 'b', 'twice']);
}

/** r = a - b, below 2p: 2p is added to what is negative. */
export function wideDifference(facts: WideFacts): string {
  const code = new WideCode();
  storeWords(code, facts, difference(code, facts, wordsAt(facts, 'a'), wordsAt(facts, 'b')));
  return code.finish('sub', ['r', 'a', 'b', 'twice']);
}

/** r = -a, below 2p. */
export function wideNegation(facts: WideFacts): string {
  const code = new WideCode();
  const zero = range(facts.limbs).map(() => 0n);
  storeWords(code, facts, difference(code, facts, zero, wordsAt(facts, 'a')));
  return code.finish('neg', ['r', 'a', 'twice']);
}

/**
 * r = a - b - e, below 2p, as two differences. Slower: the multiple of p from the highest limbs, by a table, and all in
 * one pass.
 */
export function wideDifference2(facts: WideFacts): string {
  const code = new WideCode();
  const first = difference(code, facts, wordsAt(facts, 'a'), wordsAt(facts, 'b'));
  storeWords(code, facts, difference(code, facts, first, wordsAt(facts, 'e')));
  return code.finish('sub2', ['r', 'a', 'b', 'e', 'twice']);
}

/** a - b plus 2p where it is negative, which the sign of its highest limb tells, as 4p < R. */
function difference(code: WideCode, facts: WideFacts, a: readonly Operand[], b: readonly Operand[]): Operand[] {
  const limbs = subtractLimbs(code, a, b);
  const isNegative = code.signOf(limbs.at(-1)!);
  return addLimbs(
    code,
    limbs,
    wordsAt(facts, 'twice').map((word) => code.and(isNegative, word)),
  );
}
