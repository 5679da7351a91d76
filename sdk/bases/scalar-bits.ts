import { bigintToBytes } from '../base/bytes.js';
import { CURVES, type CurveId } from '../curves/index.js';
import { expectLength, isBelow, notBelowOrder, tooManyBits } from './scalars.js';

/**
 * Checks scalars as `checkScalarsEvenly` does. Returns the bits of the longest one, at least 1, where a scalar s above
 * r / 2 counts as the negative number s - r. The time depends on the scalars.
 */
export function checkScalars(
  curve: CurveId,
  scalars: Uint8Array,
  count: number,
  bitSize: number = CURVES[curve].fr.bits,
): number {
  const { scalarBytes, fr } = CURVES[curve];
  expectLength(curve, scalars, count);
  const { bits: bitsOfOrder, modulus } = fr;
  const words = scalarBytes / 4;
  // Half the order has a bit less.
  const most = bitsOfOrder - 1;
  const bytesOf = (value: bigint): DataView => new DataView(bigintToBytes(value, scalarBytes).buffer);
  const order = bytesOf(modulus);
  let bits = 1;
  /** From here on r - s has at most `bits` bits. */
  let negativeFrom = bytesOf(modulus - 1n);
  const view = new DataView(scalars.buffer, scalars.byteOffset, scalars.length);
  for (let i = 0; i < count; i++) {
    if (!isBelow(view, i * scalarBytes, order, words)) throw notBelowOrder(curve, i);
    // Nearly always a few scalars have as many bits as there can be, and the others need not be looked at.
    const at = i * scalarBytes;
    if (bits < most && bitLength(view, at, words, bits) > bits && isBelow(view, at, negativeFrom, words)) {
      bits = centredBits(view, at, order, words);
      negativeFrom = bytesOf(modulus - 2n ** BigInt(bits) + 1n);
    }
    if (bitSize < bitsOfOrder && bitLength(view, at, words, bitSize) > bitSize) throw tooManyBits(i, bitSize);
  }
  return bits;
}

/** The bits of the integer of so many 32-bit words at `offset`, or `least` if they are fewer. */
function bitLength(view: DataView, offset: number, words: number, least: number): number {
  for (let w = words - 1; 32 * w + 32 > least; w--) {
    const value = view.getUint32(offset + 4 * w, true);
    if (value !== 0) return Math.max(least, 32 * w + 32 - Math.clz32(value));
  }
  return least;
}

/** The bits of s or r - s, whichever is smaller. As a bigint the scalar would stay in memory. */
function centredBits(view: DataView, offset: number, order: DataView, words: number): number {
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
