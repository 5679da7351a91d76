import { copyBytes } from '../../base/bytes.js';
import { describeType } from '../../base/describe.js';
import { PippinError } from '../../base/errors.js';
import { CURVES, type CurveId } from '../../curves/index.js';
import type { SumsRequest } from '../../engine/engine-api.js';

/** A copy of the scalars, whose buffer can be moved. */
export function copyScalars(
  scalars: unknown,
  curve: CurveId,
  count: number,
  { batchSize, sharedBases }: Pick<SumsRequest, 'batchSize' | 'sharedBases'>,
): Uint8Array<ArrayBuffer> {
  if (!sharedBases && count % batchSize !== 0) {
    throw new PippinError('INVALID_LENGTH', `expected a number of bases that ${batchSize} divides, got ${count}`);
  }
  if (!ArrayBuffer.isView(scalars) || !(scalars instanceof Uint8Array)) {
    throw new PippinError('INVALID_ARGUMENT', `expected scalars as a Uint8Array, got ${describeType(scalars)}`);
  }
  const { scalarBytes } = CURVES[curve];
  const bytes = (sharedBases ? batchSize : 1) * count * scalarBytes;
  if (scalars.length === bytes) return copyBytes(scalars);
  const times = batchSize === 1 || !sharedBases ? '' : `${batchSize} times `;
  throw new PippinError(
    'INVALID_LENGTH',
    `expected ${times}${count} scalars of ${scalarBytes} bytes (${bytes}), got ${scalars.length} bytes`,
  );
}
