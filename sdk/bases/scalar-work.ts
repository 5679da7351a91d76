import { bigintToBytes } from '../base/bytes.js';
import { CURVES, type CurveId } from '../curves/index.js';

/** Bits of the windows in which work is counted; an MSM's plan may use others. Half a word makes counting cheap. */
const WINDOW_BITS = 16;
/** What half a word is below. Raising 2 to it each time would take longer than all else. */
const HALF_WORD = 2 ** WINDOW_BITS;

/** The windows of the longest scalars: half the order has one bit less than the order. */
function fullWindows(curve: CurveId): number {
  return Math.ceil((CURVES[curve].fr.bits - 1) / WINDOW_BITS);
}

/** The work of so many scalars of full length, which nearly all random ones are. */
export function fullWork(curve: CurveId, count: number): number {
  return count * fullWindows(curve);
}

/**
 * Counts the work of an MSM: how often the bucket method adds a base to a bucket by windows of 16 bits. A scalar s adds
 * its base once for each window that it has, where a scalar above r / 2 counts as r - s: 0 never, 1 and -1 once, a
 * scalar of 254 bits 16 times. So a witness of zeros and ones is far less work than as many random scalars.
 */
export class ScalarWork {
  private readonly words: number;
  private readonly view: DataView;
  private readonly order: DataView;
  private readonly full: number;
  /** Scalars s whose highest word is below this have r - s of full length. */
  private readonly nearOrder: number;

  constructor(curve: CurveId, scalars: Uint8Array) {
    const { scalarBytes, fr } = CURVES[curve];
    this.words = scalarBytes / 4;
    this.view = new DataView(scalars.buffer, scalars.byteOffset, scalars.length);
    this.order = new DataView(bigintToBytes(fr.modulus, scalarBytes).buffer);
    this.full = fullWindows(curve);
    const shortest = 2 ** (WINDOW_BITS * (this.full - 1) - 32 * (this.words - 1));
    this.nearOrder = this.order.getUint32(scalarBytes - 4, true) - shortest - 1;
  }

  /** The work of the scalars number `from` to `to` - 1, all below r. The time depends on them. */
  of(from: number, to: number): number {
    const { view, words, nearOrder, full } = this;
    let work = 0;
    for (let i = from; i < to; i++) {
      const at = 4 * words * i;
      const highest = view.getUint32(at + 4 * (words - 1), true);
      if (highest === 0) work += this.windowsBelowHighest(at);
      else work += highest < nearOrder ? Math.min(full, windowsUpTo(highest, words - 1)) : this.windowsOfEither(at);
    }
    return work;
  }

  private windowsBelowHighest(at: number): number {
    const { view } = this;
    for (let w = this.words - 2; w >= 0; w--) {
      const word = view.getUint32(at + 4 * w, true);
      if (word !== 0) return windowsUpTo(word, w);
    }
    return 0;
  }

  /** The windows of s or r - s, whichever has fewer. */
  private windowsOfEither(at: number): number {
    return Math.ceil(centredBits(this.view, at, this.order, this.words) / WINDOW_BITS);
  }
}

/** The windows of an integer whose highest word other than 0 is number w. */
function windowsUpTo(word: number, w: number): number {
  return 2 * w + (word < HALF_WORD ? 1 : 2);
}

/** The bits of s or r - s, whichever is smaller. As a bigint the scalar would stay in memory. */
export function centredBits(view: DataView, offset: number, order: DataView, words: number): number {
  let [own, opposite, borrow] = [0, 0, 0];
  for (let w = 0; w < words; w++) {
    const word = view.getUint32(offset + 4 * w, true);
    const difference = order.getUint32(4 * w, true) - word - borrow;
    borrow = difference < 0 ? 1 : 0;
    const rest = difference + borrow * 2 ** 32;
    if (word !== 0) own = 32 * w + 32 - Math.clz32(word);
    if (rest !== 0) opposite = 32 * w + 32 - Math.clz32(rest);
  }
  return Math.min(own, opposite);
}
