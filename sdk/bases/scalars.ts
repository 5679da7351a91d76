import { bigintToBytes, newBytes } from '../base/bytes.js';
import { PippinError } from '../base/errors.js';
import { wipe } from '../base/free-memory.js';
import { CURVES, type CurveId } from '../curves/index.js';

/**
 * Checks that `scalars` holds `count` canonical scalars of the curve. `INVALID_LENGTH` when there are too few or too
 * many bytes; `INVALID_SCALAR` names the first scalar that is not below r, or has more than `bitSize` bits. All words
 * of all scalars are compared, without a branch, so that scalars that pass take the same time whatever they are.
 */
export function checkScalarsEvenly(curve: CurveId, scalars: Uint8Array, count: number, bitSize?: number): void {
  const { scalarBytes, fr } = CURVES[curve];
  const bound = bitSize === undefined || bitSize >= fr.bits ? fr.modulus : 1n << BigInt(bitSize);
  const limits = new DataView(bigintToBytes(bound, scalarBytes).buffer);
  expectLength(curve, scalars, count);
  const view = new DataView(scalars.buffer, scalars.byteOffset, scalars.length);
  /** 1 as long as every scalar is below the bound. */
  let areBelow = 1;
  for (let at = 0; at < scalars.length; at += scalarBytes) {
    let borrow = 0;
    for (let w = 0; w < scalarBytes; w += 4) {
      const word = view.getInt32(at + w, true);
      const limit = limits.getInt32(w, true);
      // Of the words as unsigned integers: Hacker's Delight (Warren, 2nd edition, section 2-13).
      borrow = ((~word & limit) | (~(word ^ limit) & (word - limit - borrow))) >>> 31;
    }
    areBelow &= borrow;
  }
  if (areBelow === 1) return;
  checkScalars(curve, scalars, 0, count);
  for (let i = 0; ; i++) {
    if (!isBelow(view, i * scalarBytes, limits, scalarBytes / 4)) throw tooManyBits(i, bitSize!);
  }
}

/** Scalars that are checked at once: they stay in a core's cache, and fill a piece of shared memory. */
export const CHECKED_AT_ONCE = 1 << 13;

/**
 * Checks that the scalars number `from` to `to` - 1 are below r, by their highest words, which decide nearly always.
 * `INVALID_SCALAR` names the first that is not. The time depends on them.
 */
export function checkScalars(curve: CurveId, scalars: Uint8Array, from: number, to: number): void {
  const { scalarBytes, fr } = CURVES[curve];
  const order = new DataView(bigintToBytes(fr.modulus, scalarBytes).buffer);
  const view = new DataView(scalars.buffer, scalars.byteOffset, scalars.length);
  const highest = scalarBytes - 4;
  const bound = order.getUint32(highest, true);
  for (let i = from, at = from * scalarBytes; i < to; i++, at += scalarBytes) {
    if (view.getUint32(at + highest, true) < bound) continue;
    if (!isBelow(view, at, order, scalarBytes / 4)) throw notBelowOrder(curve, i);
  }
}

/** `INVALID_LENGTH` unless there are as many bytes as `count` scalars take. */
export function expectLength(curve: CurveId, scalars: Uint8Array, count: number): void {
  const { scalarBytes } = CURVES[curve];
  if (scalars.length === count * scalarBytes) return;
  throw new PippinError(
    'INVALID_LENGTH',
    `expected ${count} scalars of ${scalarBytes} bytes (${count * scalarBytes}), got ${scalars.length} bytes`,
  );
}

/** The error for scalar `i`, which is not below the order. */
export function notBelowOrder(curve: CurveId, i: number): PippinError {
  return new PippinError(
    'INVALID_SCALAR',
    `expected scalar ${i} to be below the order of ${curve}, got one that is not`,
  );
}

/** The error for scalar `i`, which has more than `bitSize` bits. */
export function tooManyBits(i: number, bitSize: number): PippinError {
  return new PippinError('INVALID_SCALAR', `expected scalar ${i} to have at most ${bitSize} bits, got one with more`);
}

/** Whether the integer of so many 32-bit words at `offset` is below `bound`, from the highest word down. */
export function isBelow(view: DataView, offset: number, bound: DataView, words: number): boolean {
  for (let w = words - 1; w >= 0; w--) {
    const value = view.getUint32(offset + 4 * w, true);
    const limit = bound.getUint32(4 * w, true);
    if (value !== limit) return value < limit;
  }
  return false;
}

/** The scalars, of `scalarBytes` each, at `indices`, in their order. */
export function pickScalars(scalars: Uint8Array, indices: Uint32Array, scalarBytes: number): Uint8Array {
  // Word by word, since a view of each scalar would cost more than its copy.
  const isAligned = scalars.byteOffset % 4 === 0;
  const aligned = isAligned ? scalars : scalars.slice();
  const source = new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.length >> 2);
  const words = scalarBytes / 4;
  const picked = new Uint32Array(newBytes(indices.length * scalarBytes).buffer);
  for (let i = 0; i < indices.length; i++) {
    const from = indices[i]! * words;
    for (let w = 0; w < words; w++) picked[i * words + w] = source[from + w]!;
  }
  if (!isAligned) wipe(aligned);
  return new Uint8Array(picked.buffer);
}

/**
 * The scalars from..to of each of `batch` multiplications, one multiplication after another; of a single one a view.
 */
export function sliceOfBatch(
  scalars: Uint8Array,
  batch: number,
  from: number,
  to: number,
  scalarBytes: number,
): Uint8Array {
  if (batch === 1) return scalars.subarray(from * scalarBytes, to * scalarBytes);
  const stride = scalars.length / batch;
  const slice = newBytes(batch * (to - from) * scalarBytes);
  for (let m = 0; m < batch; m++) {
    const own = scalars.subarray(m * stride + from * scalarBytes, m * stride + to * scalarBytes);
    slice.set(own, m * own.length);
  }
  return slice;
}
