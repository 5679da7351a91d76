import { writeBigint } from '../../sdk/base/bytes.js';
import { type CurveParameters, SCALAR_BYTES } from '../../sdk/curves/index.js';
import { power } from '../../sdk/curves/modular.js';

/** Words of an entry of a .zkey's coefficient section. */
const ENTRY_WORDS = 11;

/** Other coefficients than 1 and -1: as many as the constants of a hash. */
const RARE = 500;

/** Entries of each row of A and of B, in turn: linear combinations of some signals in A, mostly of one in B. */
const ROW_LENGTHS = [
  [1, 2, 3, 2, 4, 1, 2, 9],
  [1, 1, 1, 2, 1, 1, 3, 1],
] as const;

/** One row of each matrix has so many entries: a sum of bits, say. */
const LONGEST = 4096;

/**
 * A reproducible constraint system such as circuits have: `section` are the entries of a .zkey's coefficient section.
 */
export function makeConstraintSystem(
  { fr: { modulus } }: CurveParameters,
  domainSize: number,
): { readonly section: Uint8Array; readonly entries: number } {
  const elements = [1n, modulus - 1n, ...Array.from({ length: RARE }, (_, i) => power(3n, BigInt(100 + i), modulus))];
  const bytes = new Uint8Array(elements.length * SCALAR_BYTES);
  for (const [i, element] of elements.entries()) {
    writeBigint(bytes, i * SCALAR_BYTES, SCALAR_BYTES, (element << 512n) % modulus);
  }
  const coefficients = new Uint32Array(bytes.buffer);
  const lengthOf = (matrix: 0 | 1, row: number): number =>
    row === 5 ? Math.min(LONGEST, domainSize) : ROW_LENGTHS[matrix][row % 8]!;
  let entries = 0;
  for (const matrix of [0, 1] as const) for (let row = 0; row < domainSize; row++) entries += lengthOf(matrix, row);
  const words = new Uint32Array(entries * ENTRY_WORDS);
  let state = 0x9e3779b9;
  const next = (bound: number): number => {
    // xorshift32
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % bound;
  };
  let at = 0;
  for (let row = 0; row < domainSize; row++) {
    for (const matrix of [0, 1] as const) {
      for (let i = lengthOf(matrix, row); i > 0; i--, at += ENTRY_WORDS) {
        // 70% of the coefficients are 1 or -1. Half of the signals are near the row, as a compiler numbers them.
        const number = next(10) < 7 ? next(2) : 2 + next(RARE);
        const signal = next(2) === 0 ? next(domainSize) : (row + next(16)) % domainSize;
        words.set([matrix, row, signal], at);
        words.set(coefficients.subarray(8 * number, 8 * number + 8), at + 3);
      }
    }
  }
  return { section: new Uint8Array(words.buffer), entries };
}
