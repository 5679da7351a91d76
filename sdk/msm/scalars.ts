import { CURVES, type CurveId, SCALAR_BYTES } from '../curves/index.js';
import { PippinError } from '../errors.js';
import { bigintToBytes } from '../field/bytes.js';
import type { BasesRange } from './backend.js';
import type { BasesOutline } from './prepared.js';

const WORDS = SCALAR_BYTES / 4;

/**
 * Checks that `scalars` holds `count` canonical scalars of the curve. `INVALID_LENGTH` when there are too few or too many bytes;
 * `INVALID_SCALAR` names the first scalar that is not below r.
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
 * The scalars of the kept points of a range, in their order, for each of `batch` multiplications, whose scalars follow one another in
 * `scalars`. It is the same array if all scalars are needed.
 */
export function gatherScalars(
  bases: BasesOutline,
  scalars: Uint8Array,
  batch = 1,
  { from, to }: BasesRange = { from: 0, to: bases.kept },
): Uint8Array {
  const stride = bases.count * SCALAR_BYTES;
  if (bases.indices === undefined) {
    if (to - from === bases.count) return scalars;
    const gathered = new Uint8Array(batch * (to - from) * SCALAR_BYTES);
    for (let i = 0; i < batch; i++) {
      const run = scalars.subarray(i * stride + from * SCALAR_BYTES, i * stride + to * SCALAR_BYTES);
      gathered.set(run, i * run.length);
    }
    return gathered;
  }
  const indices = bases.indices.subarray(from, to);
  const gathered = new Uint8Array(batch * indices.length * SCALAR_BYTES);
  let at = 0;
  for (let start = 0; start < batch * stride; start += stride) {
    // Most indices follow each other, and a run of them is copied at once.
    for (let first = 0; first < indices.length; ) {
      const end = endOfRun(indices, first);
      const scalar = start + indices[first]! * SCALAR_BYTES;
      gathered.set(scalars.subarray(scalar, scalar + (end - first) * SCALAR_BYTES), at);
      at += (end - first) * SCALAR_BYTES;
      first = end;
    }
  }
  return gathered;
}

/** The end of the run of indices that begins at `first`, each one more than the one before it. */
function endOfRun(indices: Uint32Array, first: number): number {
  let end = first + 1;
  while (end < indices.length && indices[end] === indices[end - 1]! + 1) end++;
  return end;
}
