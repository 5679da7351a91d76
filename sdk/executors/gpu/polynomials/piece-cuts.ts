import type { Pieces } from './sorted-constraints.js';

/** Bytes of an entry or a piece: two words. */
const PAIR_BYTES = 8;

/** Pieces whose lengths are looked at together. */
const BLOCK = 1024;

/** Neighbouring pieces from..to of similar length. */
export interface PieceSpan {
  readonly from: number;
  readonly to: number;
  /** Elements of a piece, on average. */
  readonly length: number;
}

/** Some of the pieces, and the elements from..to of which they are made. */
export interface PieceCut {
  readonly pieces: Pieces;
  readonly from: number;
  readonly to: number;
}

/**
 * Cuts pieces of entries into runs whose entries and pieces fit buffers of `maxBufferBytes`; each has room for the longest piece. The entries
 * of each run begin at 0.
 */
export function cutPieces({ count, words }: Pieces, maxBufferBytes: number): PieceCut[] {
  // A buffer of pieces also tells where the last one ends.
  const limit = Math.floor(maxBufferBytes / PAIR_BYTES) - 1;
  const cuts: PieceCut[] = [];
  for (let first = 0; first < count; ) {
    const from = words[2 * first]!;
    let end = first;
    while (end < count && end - first < limit && words[2 * end + 2]! - from <= limit) end++;
    const cut = words.slice(2 * first, 2 * end + 2);
    for (let i = 0; i < cut.length; i += 2) cut[i]! -= from;
    cuts.push({ pieces: { count: end - first, words: cut }, from, to: words[2 * end]! });
    first = end;
  }
  return cuts;
}

/**
 * Spans of pieces, each with a dispatch of its own, so that the cost of a dispatch is about that of any of its parts. Blocks of pieces go
 * together while their longest pieces have as many bits in their lengths.
 */
export function spansOf({ count, words }: Pieces): PieceSpan[] {
  const spans: PieceSpan[] = [];
  let from = 0;
  let bits = 0;
  for (let block = 0; block < count; block += BLOCK) {
    const next = 32 - Math.clz32(longest(words, block, Math.min(block + BLOCK, count)));
    if (next !== bits && block > from) {
      spans.push(spanOf(words, from, block));
      from = block;
    }
    bits = next;
  }
  if (from < count) spans.push(spanOf(words, from, count));
  return spans;
}

function spanOf(words: Uint32Array, from: number, to: number): PieceSpan {
  return { from, to, length: (words[2 * to]! - words[2 * from]!) / (to - from) };
}

function longest(words: Uint32Array, from: number, to: number): number {
  let length = 0;
  for (let i = from; i < to; i++) length = Math.max(length, words[2 * i + 2]! - words[2 * i]!);
  return length;
}
