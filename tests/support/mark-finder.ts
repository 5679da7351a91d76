import type { Mark } from './process-memory.js';

/** Of the table that says which words are looked up. */
const HASHES = 1 << 16;
const hashOf = (word: number): number => (word ^ (word >>> 16)) & (HASHES - 1);

/**
 * Finds many marks in one pass over memory, of which it reads every fourth word or so: a mark covers one of them wherever
 * it begins, and each is looked up among all words of the marks.
 */
export class MarkFinder {
  /** Bytes of the longest mark. */
  readonly longest: number;
  /** From one word that is read to the next, in words. */
  private readonly stride: number;
  /** The marks, and places in them, that have this word. */
  private readonly places = new Map<number, { readonly mark: Mark; readonly at: number }[]>();
  private readonly mayBe = new Uint8Array(HASHES);

  /** Of marks of 7 bytes and more; the longer they are, the fewer words are read. */
  constructor(marks: readonly Mark[]) {
    const lengths = marks.map(({ bytes }) => bytes.length);
    this.longest = Math.max(...lengths);
    this.stride = (Math.min(...lengths) - 3) >> 2;
    if (this.stride < 1) throw new RangeError(`expected marks of 7 bytes or more, got ${Math.min(...lengths)}`);
    for (const mark of marks) {
      const view = new DataView(mark.bytes.buffer, mark.bytes.byteOffset, mark.bytes.length);
      const step = 4 * this.stride;
      for (let first = 0; first < step; first++) {
        // Of the words that are read where the mark begins so, one that memory is not full of.
        let at = first;
        for (let other = first; other + 4 <= mark.bytes.length; other += step) {
          if (commonBytes(mark.bytes, other) < commonBytes(mark.bytes, at)) at = other;
        }
        const word = view.getUint32(at, true);
        this.mayBe[hashOf(word)] = 1;
        this.places.set(word, [...(this.places.get(word) ?? []), { mark, at }]);
      }
    }
  }

  /** Calls `found` with each mark in `bytes`, which begin on a multiple of 4 in their buffer, and where it begins. */
  find(bytes: Uint8Array, found: (mark: Mark, from: number) => void): void {
    const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
    for (let i = 0; i < words.length; i += this.stride) {
      const word = words[i]!;
      if (this.mayBe[hashOf(word)] === 0) continue;
      for (const { mark, at } of this.places.get(word) ?? []) {
        const from = 4 * i - at;
        if (from >= 0 && isAt(bytes, from, mark.bytes)) found(mark, from);
      }
    }
  }
}

/** How many bytes of a word are 0 or 255. */
function commonBytes(bytes: Uint8Array, at: number): number {
  return bytes.subarray(at, at + 4).reduce((count, byte) => count + Number(byte === 0 || byte === 255), 0);
}

function isAt(bytes: Uint8Array, from: number, mark: Uint8Array): boolean {
  for (let k = 0; k < mark.length; k++) if (bytes[from + k] !== mark[k]) return false;
  return true;
}
