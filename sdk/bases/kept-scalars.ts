import { newBytes } from '../base/bytes.js';
import { PippinError } from '../base/errors.js';
import { wipe } from '../base/free-memory.js';
import { CURVES } from '../curves/index.js';
import type { BasesRange } from './backend.js';
import type { BasesOutline } from './prepared.js';
import { hostScalars, type ScalarVector, type SharedSlice } from './scalar-vector.js';
import { pickScalars, sliceOfBatch } from './scalars.js';

/** Some multiplications of a batch. */
interface BatchPart {
  readonly first: number;
  readonly count: number;
  /** The number of all multiplications. */
  readonly batch: number;
}

/**
 * The scalars of the kept points of a range, for some multiplications of a batch. Shared ones and those on a device stay where they are:
 * `INTERNAL` for a batch of shared ones, or where not all of those on a device are needed.
 */
export function keptScalars(
  outline: BasesOutline,
  scalars: ScalarVector,
  { first, count, batch }: BatchPart,
  range: BasesRange,
): ScalarVector {
  if (scalars.kind === 'host') {
    const bytes = outline.count * CURVES[outline.curve].scalarBytes;
    return hostScalars(
      gatherScalars(outline, scalars.bytes.subarray(first * bytes, (first + count) * bytes), count, range),
    );
  }
  if (scalars.kind === 'shared') return keptSlice(outline, scalars, batch, range);
  if (count < batch || range.to - range.from < outline.count) {
    throw new PippinError(
      'INTERNAL',
      `expected all scalars on the device to be needed, got ${range.to - range.from} points of ${outline.count}`,
    );
  }
  return scalars;
}

function keptSlice(
  { count, indices }: BasesOutline,
  slice: SharedSlice,
  batch: number,
  { from, to }: BasesRange,
): SharedSlice {
  if (batch !== 1 || slice.count !== count || slice.indices !== undefined) {
    throw new PippinError('INTERNAL', `expected shared scalars for ${count} points, got ${slice.count}`);
  }
  if (indices === undefined) return { ...slice, first: slice.first + from, count: to - from };
  return { ...slice, indices: indices.subarray(from, to), count: to - from };
}

/**
 * The scalars of the kept points of a range, in their order, for each of `batch` multiplications, whose scalars follow one another in
 * `scalars`. It is the same array, or a view of it, if all scalars or a run of them are needed.
 */
export function gatherScalars(
  bases: BasesOutline,
  scalars: Uint8Array,
  batch = 1,
  { from, to }: BasesRange = { from: 0, to: bases.kept },
): Uint8Array {
  const { scalarBytes } = CURVES[bases.curve];
  const stride = bases.count * scalarBytes;
  if (bases.indices === undefined) {
    return to - from === bases.count ? scalars : sliceOfBatch(scalars, batch, from, to, scalarBytes);
  }
  const indices = bases.indices.subarray(from, to);
  const bytes = indices.length * scalarBytes;
  const gathered = newBytes(batch * bytes);
  for (let i = 0; i < batch; i++) {
    const picked = pickScalars(scalars.subarray(i * stride, (i + 1) * stride), indices, scalarBytes);
    gathered.set(picked, i * bytes);
    wipe(picked);
  }
  return gathered;
}
