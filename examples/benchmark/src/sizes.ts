/** The circuits that are proved: chains of almost 2^log multiplications, and what a wallet proves with about as many constraints. */
export interface Size {
  readonly log: number;
  readonly like: string;
}

export const SIZES: readonly Size[] = [
  { log: 10, like: 'a few hashes' },
  { log: 12, like: 'spending a shielded note' },
  { log: 14, like: 'a Merkle path and a signature' },
  { log: 16, like: 'SHA-256 of a message' },
  { log: 18, like: 'several SHA-256, or a few e-mail headers' },
];

/** A size as people write it: `2^14`, with a raised exponent. */
export function sizeName(log: number): string {
  const digits = '⁰¹²³⁴⁵⁶⁷⁸⁹';
  return `2${[...String(log)].map((digit) => digits[Number(digit)]).join('')}`;
}
