import { signedDigits } from '../../../sdk/msm/digits.js';

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

/** Nonzero digits sorted by bucket w * bucketsPerWindow + |d| - 1. */
export function sortReference(
  digits: Uint32Array,
  points: number,
  bucketsPerWindow: number,
  baseIndex: number,
): SortedList {
  const windows = digits.length / points;
  const buckets: number[][] = Array.from({ length: windows * bucketsPerWindow }, () => []);
  digits.forEach((digit, at) => {
    const magnitude = digit & 0x7fffffff;
    if (magnitude === 0) return;
    const entry = ((baseIndex + (at % points)) | (digit & 0x80000000)) >>> 0;
    buckets[Math.floor(at / points) * bucketsPerWindow + magnitude - 1]!.push(entry);
  });
  const offsets = new Uint32Array(buckets.length + 1);
  for (const [b, entries] of buckets.entries()) offsets[b + 1] = offsets[b]! + entries.length;
  return { offsets, entries: Uint32Array.from(buckets.flat()) };
}

/** The list with the entries of each bucket in ascending order, so that lists that differ within buckets compare equal. */
export function orderWithinBuckets({ offsets, entries }: SortedList): Uint32Array {
  const ordered = entries.slice(0, offsets.at(-1)!);
  for (let b = 0; b + 1 < offsets.length; b++) ordered.subarray(offsets[b]!, offsets[b + 1]!).sort();
  return ordered;
}

/** Scalars as the words that the GPU reads. */
export function scalarWords(scalars: readonly bigint[]): Uint32Array {
  const words = new Uint32Array(scalars.length * 8);
  scalars.forEach((k, i) => {
    for (let w = 0; w < 8; w++) words[8 * i + w] = Number((k >> BigInt(32 * w)) & 0xffffffffn);
  });
  return words;
}
