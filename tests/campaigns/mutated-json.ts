import { type Mutation, mutated } from '../support/mutations.js';
import type { Random } from '../support/random.js';
import { pick } from './mutated-bytes.js';

const TOKENS = [
  '"',
  '[',
  ']',
  '{',
  '}',
  ',',
  ':',
  '0',
  '-',
  '1e99',
  'null',
  '[[[[',
  '"0x',
  '\\u0000',
  '__proto__',
  ' ',
];

/** One to three changes of a value. */
export function drawMutations(random: Random): Mutation[] {
  return Array.from({ length: 1 + random.integer(3) }, () => ({
    path: Array.from({ length: random.integer(6) }, () => random.integer(1001)),
    kind: random.integer(1001),
    odd: random.integer(10_001),
  }));
}

/** A value of JSON with one to three changes; some of them make it no JSON at all. */
export function mutatedJson(value: unknown, random: Random): unknown {
  if (random.integer(3) > 0) return mutated(value, drawMutations(random));
  const text = mutatedText(JSON.stringify(value), random);
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A text with characters put in, taken out or replaced. */
function mutatedText(text: string, random: Random): string {
  const at = random.integer(text.length + 1);
  const added = random.integer(3) === 0 ? '' : pick(random, TOKENS);
  return text.slice(0, at) + added + text.slice(at + random.integer(4));
}
