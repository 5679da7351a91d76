import { bigintToBytes, copyBytes, equalBytes, newBytes } from '../base/bytes.js';
import { PippinError } from '../base/errors.js';
import { wipe } from '../base/free-memory.js';
import { type PreparedBases, pointForm, preparedPointBytes } from '../bases/prepared.js';
import { CURVES, type CurveId, type GroupId, pointBytes } from '../curves/index.js';
import { prepareMembers } from '../executors/workers/pool/subgroup-check.js';
import { memorySource } from '../files/byte-source.js';
import type { CeremonyWork } from './ceremony-work.js';
import { type PointVector, writtenByWorkers } from './point-slices.js';
import { drawPointWeights, sumOfPrepared } from './ratio-check.js';

/** Bytes of a random weight: wrong products pass with probability 2^-48. */
const WEIGHT_BYTES = 6;

/**
 * `RESULT_INVALID` unless the points `made` are in the subgroup, and the transform of the others, L_j = sum_i w^(-ij)
 * P_i / d: then n sum u_i P_i = d sum v_j L_j for random weights u and their transform v.
 *
 * @param made prepared, or zeros for infinity, as the others.
 * @param isDivided whether d is the number of points n; otherwise it is 1.
 * @returns the points `made` as a .zkey and a .ptau file have them.
 */
export async function expectTransform(
  work: CeremonyWork,
  vector: PointVector,
  made: Uint8Array,
  isDivided: boolean,
): Promise<Uint8Array> {
  const { pool, signal } = work;
  const { group, points } = vector;
  const curve = vector.curve.id;
  const written = await writtenByWorkers(work, { ...vector, points: made });
  const bases = await preparedAgain(work, curve, group, written);
  const before = finitePoints(curve, group, points);
  const values = drawPointWeights(curve, before.count, WEIGHT_BYTES);
  const direction = 'forward';
  const transformed = await pool.call(curve, 'transform', { values, direction }, { signal });
  const [sum, sumOfBases] = await Promise.all([
    sumOfPrepared(work, before, values),
    sumOfPrepared(work, bases, transformed),
  ]);
  const n = bigintToBytes(BigInt(before.count), CURVES[curve].scalarBytes);
  const expected = isDivided ? sum : await times(work, before, sum, n);
  if (!equalBytes(expected, sumOfBases)) throw wrongProducts();
  return written;
}

/** Prepared points without the zeros among them. */
function finitePoints(curve: CurveId, group: GroupId, points: Uint8Array): PreparedBases {
  const size = preparedPointBytes(curve, group);
  const count = points.length / size;
  const finite: number[] = [];
  for (let i = 0; i < count; i++) {
    if (points.subarray(i * size, (i + 1) * size).some((byte) => byte !== 0)) finite.push(i);
  }
  const own = finite.length === count ? points.slice() : newBytes(finite.length * size);
  if (finite.length < count) {
    for (const [at, i] of finite.entries()) own.set(points.subarray(i * size, (i + 1) * size), at * size);
  }
  const indices = finite.length === count ? undefined : Uint32Array.from(finite);
  return {
    curve,
    group,
    form: pointForm(curve, group),
    count,
    kept: finite.length,
    points: own,
    indices,
    exceptional: [],
  };
}

/** A point in the boundary form times a scalar. */
function times(
  { pool, signal }: CeremonyWork,
  { curve, group }: PreparedBases,
  points: Uint8Array,
  scalar: Uint8Array,
): Promise<Uint8Array> {
  const args = { group, points, scalars: copyBytes(scalar) };
  return pool.call(curve, 'combine', args, { signal }).finally(() => wipe(args.scalars));
}

/** Written points, prepared again. `RESULT_INVALID` for one that is not in the subgroup of prime order. */
async function preparedAgain(
  { pool, signal }: CeremonyWork,
  curve: CurveId,
  group: GroupId,
  written: Uint8Array,
): Promise<PreparedBases> {
  const points = memorySource(written);
  const count = written.length / pointBytes(curve, group);
  const request = { curve, group, encoding: 'montgomery', count, firstIndex: 0, points } as const;
  const options = { signal, onProgress: () => undefined };
  return prepareMembers(pool, request, 'the products', options).catch((error: unknown) => {
    const isWrong = error instanceof PippinError && error.code === 'INVALID_POINT';
    throw isWrong ? wrongProducts(error) : error;
  });
}

function wrongProducts(cause?: PippinError): PippinError {
  return new PippinError('RESULT_INVALID', "expected the GPU's products of points to be right, got others", { cause });
}
