import { linesOf, wordsOf } from './fingerprint.js';
import type { DoneRecord } from './kept/record.js';

/** The attestation of a contribution, for its contributor to publish. */
export function attestationOf({ name, hash, circuitHash, number, date, fileName }: DoneRecord): string {
  const block = (digits: string): string[] => linesOf(digits).map((line) => `    ${line}`);
  return [
    `I made contribution ${number} to a Groth16 ceremony (${fileName}).`,
    '',
    ...(name === '' ? [] : [`Name: ${name}`]),
    `Date: ${date}`,
    'Circuit hash:',
    ...block(circuitHash),
    'Contribution hash:',
    ...block(hash),
    `In words: ${wordsOf(hash).join(' ')}`,
    '',
  ].join('\n');
}
