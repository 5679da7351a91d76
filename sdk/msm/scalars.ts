import { CURVES, type CurveId, SCALAR_BYTES } from '../curves/index.js';
import { PippinError } from '../errors.js';
import { bigintToBytes } from '../field/bytes.js';
import type { BasesOutline } from './prepared.js';

const WORDS = SCALAR_BYTES / 4;

/**
 * Checks that `scalars` holds `count` canonical scalars of the curve: `INVALID_LENGTH` when the bytes are too few or too
 * many, `INVALID_SCALAR` naming the first that is not below r.
 */
export function checkScalars(curve: CurveId, scalars: Uint8Array, count: number): void {
  if (scalars.length !== count * SCALAR_BYTES) {
    throw new PippinError(
      'INVALID_LENGTH',
      `expected ${count} scalars of ${SCALAR_BYTES} bytes (${count * SCALAR_BYTES}), got ${scalars.length} bytes`,
    );
  }
  const order = new DataView(bigintToBytes(CURVES[curve].fr.modulus, SCALAR_BYTES).buffer);
  const view = new DataView(scalars.buffer, scalars.byteOffset, scalars.length);
  for (let i = 0; i < count; i++) {
    if (!isBelow(view, i * SCALAR_BYTES, order)) {
      throw new PippinError(
        'INVALID_SCALAR',
        `expected scalar ${i} to be below the order of ${curve}, got one that is not`,
      );
    }
  }
}

/** Whether the integer at `offset` is below `bound`, from the highest word down. */
function isBelow(view: DataView, offset: number, bound: DataView): boolean {
  for (let w = WORDS - 1; w >= 0; w--) {
    const value = view.getUint32(offset + 4 * w, true);
    const limit = bound.getUint32(4 * w, true);
    if (value !== limit) return value < limit;
  }
  return false;
}

/**
 * The scalars of the kept points, in their order, for each of the `batch` multiplications whose scalars lie one after
 * another; the same array when all points were kept.
 */
export function gatherScalars(bases: BasesOutline, scalars: Uint8Array, batch = 1): Uint8Array {
  const { indices } = bases;
  if (indices === undefined) return scalars;
  const stride = scalars.length / batch;
  const gathered = new Uint8Array(batch * indices.length * SCALAR_BYTES);
  let to = 0;
  for (let start = 0; start < scalars.length; start += stride) {
    for (const index of indices) {
      const from = start + index * SCALAR_BYTES;
      gathered.set(scalars.subarray(from, from + SCALAR_BYTES), to);
      to += SCALAR_BYTES;
    }
  }
  return gathered;
}
