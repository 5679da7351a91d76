import { SCALAR_BYTES } from '../curves/index.js';
import { PippinError } from '../errors.js';
import type { BasesRange } from './backend.js';
import type { BasesOutline } from './prepared.js';
import { hostScalars, type ScalarVector } from './scalar-vector.js';
import { gatherScalars } from './scalars.js';

/** Some multiplications of a batch. */
interface BatchPart {
  readonly first: number;
  readonly count: number;
  /** The number of all multiplications. */
  readonly batch: number;
}

/**
 * The scalars of the kept points of a range, for some multiplications of a batch. Scalars on a device stay where they are: `INTERNAL` where
 * not all of them are needed.
 */
export function keptScalars(
  outline: BasesOutline,
  scalars: ScalarVector,
  { first, count, batch }: BatchPart,
  range: BasesRange,
): ScalarVector {
  if (scalars.kind === 'host') {
    const bytes = outline.count * SCALAR_BYTES;
    return hostScalars(
      gatherScalars(outline, scalars.bytes.subarray(first * bytes, (first + count) * bytes), count, range),
    );
  }
  if (count < batch || range.to - range.from < outline.count) {
    throw new PippinError(
      'INTERNAL',
      `expected all scalars on the device to be needed, got ${range.to - range.from} points of ${outline.count}`,
    );
  }
  return scalars;
}
