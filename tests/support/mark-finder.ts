import type { Mark } from './process-memory.js';

/** Bytes from one place that is looked at to the next. */
const STEP = 16;
const HASHES = 1 << 16;
const hashOf = (word: number): number => (word ^ (word >>> 16)) & (HASHES - 1);

/**
 * Finds many marks in one pass over memory: one of 16 neighbouring places of a mark lies on a multiple of 16, and only the
 * words there are compared with those of the marks.
 */
export class MarkFinder {
  readonly longest: number;
  /** The marks, and places in them, whose word this is. */
  private readonly places = new Map<number, { readonly mark: Mark; readonly at: number }[]>();
  private readonly mayBe = new Uint8Array(HASHES);

  constructor(marks: readonly Mark[]) {
    this.longest = Math.max(...marks.map(({ bytes }) => bytes.length));
    for (const mark of marks) {
      const view = new DataView(mark.bytes.buffer, mark.bytes.byteOffset, mark.bytes.length);
      for (let at = 0; at < STEP; at++) {
        const word = view.getUint32(at, true);
        this.mayBe[hashOf(word)] = 1;
        this.places.set(word, [...(this.places.get(word) ?? []), { mark, at }]);
      }
    }
  }

  /** Calls `found` with each mark in `bytes`, which begin on a multiple of 4, and where it begins. */
  find(bytes: Uint8Array, found: (mark: Mark, from: number) => void): void {
    const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
    for (let i = 0; i < words.length; i += STEP / 4) {
      const word = words[i]!;
      if (this.mayBe[hashOf(word)] === 0) continue;
      for (const { mark, at } of this.places.get(word) ?? []) {
        const from = 4 * i - at;
        if (from >= 0 && mark.bytes.every((byte, k) => bytes[from + k] === byte)) found(mark, from);
      }
    }
  }
}
