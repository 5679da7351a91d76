import { signedDigits } from '../../../../sdk/bases/digits.js';
import { toLimbs } from '../../../../sdk/curves/limbs.js';

/** Digits in the kernels' form: |d| in the low 31 bits, the sign in bit 31. */
export function encodeDigit(digit: number): number {
  return digit < 0 ? (-digit | 0x80000000) >>> 0 : digit;
}

/** The digits of the windows `firstWindow` to `endWindow` - 1, window after window. */
export function digitsReference(
  scalars: readonly bigint[],
  scalarBits: number,
  windowBits: number,
  firstWindow: number,
  endWindow: number,
): Uint32Array {
  const rows = scalars.map((k) => signedDigits(k, scalarBits, windowBits));
  const digits: number[] = [];
  for (let w = firstWindow; w < endWindow; w++) for (const row of rows) digits.push(encodeDigit(row[w]!));
  return Uint32Array.from(digits);
}

export interface SortedList {
  /** Exclusive prefix sums of the buckets' sizes, and the number of all entries. */
  readonly offsets: Uint32Array;
  /** Base index and sign bit of each entry; within a bucket by index. */
  readonly entries: Uint32Array;
}

/** Nonzero digits sorted by bucket w * bucketsPerRow + |d| - 1, by a counting sort. */
export function sortReference(
  digits: Uint32Array,
  points: number,
  bucketsPerRow: number,
  firstBase: number,
): SortedList {
  const bucketOf = (at: number): number => Math.floor(at / points) * bucketsPerRow + (digits[at]! & 0x7fffffff) - 1;
  const isZero = (at: number): boolean => (digits[at]! & 0x7fffffff) === 0;
  const offsets = new Uint32Array((digits.length / points) * bucketsPerRow + 1);
  for (let at = 0; at < digits.length; at++) if (!isZero(at)) offsets[bucketOf(at) + 1]!++;
  for (let b = 1; b < offsets.length; b++) offsets[b]! += offsets[b - 1]!;
  const next = offsets.slice();
  const entries = new Uint32Array(offsets.at(-1)!);
  for (let at = 0; at < digits.length; at++) {
    if (isZero(at)) continue;
    entries[next[bucketOf(at)]!++] = ((firstBase + (at % points)) | (digits[at]! & 0x80000000)) >>> 0;
  }
  return { offsets, entries };
}

/**
 * The list with the entries of each bucket in ascending order, so that lists that differ within buckets compare equal.
 */
export function orderWithinBuckets({ offsets, entries }: SortedList): Uint32Array {
  const ordered = entries.slice(0, offsets.at(-1)!);
  for (let b = 0; b + 1 < offsets.length; b++) {
    if (offsets[b + 1]! - offsets[b]! > 1) ordered.subarray(offsets[b]!, offsets[b + 1]!).sort();
  }
  return ordered;
}

/** Scalars of some words each as the GPU reads them. */
export function scalarWords(scalars: readonly bigint[], length = 8): Uint32Array {
  return Uint32Array.from(scalars.flatMap((scalar) => toLimbs(scalar, length, 32)));
}
