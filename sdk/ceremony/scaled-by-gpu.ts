import { copyBytes, joinBytes } from '../base/bytes.js';
import { PippinError } from '../base/errors.js';
import { freeMemory, wipe } from '../base/free-memory.js';
import { type PreparedBases, preparedPointBytes } from '../bases/prepared.js';
import { pointBytes } from '../curves/index.js';
import type { GpuPoints } from '../executors/gpu/points/gpu-points.js';
import { eachSlice } from '../executors/workers/pool/slices.js';
import { prepareMembers } from '../executors/workers/pool/subgroup-check.js';
import { memorySource } from '../files/byte-source.js';
import { retryOnDeadWorker } from '../recovery/attempt.js';
import type { CeremonyWork } from './ceremony-work.js';
import { drawPointWeights, sumPrepared } from './ratio-check.js';

/** Bytes of a random weight: wrong products pass with probability 2^-48. */
const WEIGHT_BYTES = 6;
/** Points of one job that only writes them. */
const SLICE_POINTS = 1 << 12;

/**
 * Prepared points times one scalar, as a .zkey has them, by the GPU. The workers check what was written: each point is
 * a finite one of the subgroup, and sum w_i (s P_i) = s sum w_i P_i for random weights. `RESULT_INVALID` if not; device
 * faults as `GpuPoints.scale`.
 */
export async function scaledByGpu(
  work: CeremonyWork,
  gpu: GpuPoints,
  prepared: PreparedBases,
  scalar: Uint8Array,
): Promise<Uint8Array> {
  const { curve, group, kept } = prepared;
  if (kept === 0) return new Uint8Array(0);
  const packedBytes = preparedPointBytes(curve, group);
  const products: Uint8Array[] = [];
  for (let from = 0; from < kept; from += gpu.mostPoints) {
    const some = prepared.points.subarray(from * packedBytes, Math.min(kept, from + gpu.mostPoints) * packedBytes);
    products.push(await gpu.scale(some, scalar, { signal: work.signal }));
  }
  const points = products.length === 1 ? products[0]! : joinBytes(products);
  const written = await asWritten(work, prepared, points);
  await expectProducts(work, prepared, written, scalar);
  work.gpu.isUsed = true;
  return written;
}

/** Prepared points as a .zkey has them. */
async function asWritten(
  { pool, compileRoots, signal }: CeremonyWork,
  { curve, group, kept }: PreparedBases,
  points: Uint8Array,
): Promise<Uint8Array> {
  const module = await compileRoots(curve);
  const [size, packedBytes] = [pointBytes(curve, group), preparedPointBytes(curve, group)];
  const written = new Uint8Array(kept * size);
  const write = async (from: number, to: number): Promise<void> => {
    const part = await retryOnDeadWorker(() => {
      const args = { group, points: points.slice(from * packedBytes, to * packedBytes), to: 'ptau', module } as const;
      return pool.call(curve, 'writePoints', args, { signal, moved: true });
    });
    written.set(part, from * size);
    freeMemory(part);
  };
  await eachSlice(pool, kept, SLICE_POINTS, write, { signal });
  return written;
}

/** `RESULT_INVALID` unless each written point is the scalar times its prepared one. */
async function expectProducts(
  { pool, signal }: CeremonyWork,
  prepared: PreparedBases,
  written: Uint8Array,
  scalar: Uint8Array,
): Promise<void> {
  const { curve, group, kept } = prepared;
  const products = await preparedAgain(pool, prepared, written, signal);
  const weights = drawPointWeights(curve, kept, WEIGHT_BYTES);
  const sumOf = async (bases: PreparedBases): Promise<Uint8Array> => {
    const [parts] = await sumPrepared({ pool, signal }, bases, weights, 1);
    return pool.call(curve, 'combine', { group, points: joinBytes(parts!) }, { signal });
  };
  const own = { ...prepared, points: prepared.points.slice() };
  const [sum, sumOfProducts] = await Promise.all([sumOf(own), sumOf(products)]);
  wipe(weights);
  const args = { group, points: sum, scalars: copyBytes(scalar) };
  const expected = await pool.call(curve, 'combine', args, { signal }).finally(() => wipe(args.scalars));
  if (expected.some((byte, i) => byte !== sumOfProducts[i])) throw wrongProducts();
}

/** Written points, prepared again. `RESULT_INVALID` for one that is infinite or not in the subgroup of prime order. */
async function preparedAgain(
  pool: CeremonyWork['pool'],
  { curve, group, kept }: PreparedBases,
  written: Uint8Array,
  signal: AbortSignal | undefined,
): Promise<PreparedBases> {
  const points = memorySource(written);
  const request = { curve, group, encoding: 'montgomery', count: kept, firstIndex: 0, points } as const;
  const options = { signal, onProgress: () => undefined };
  const products = await prepareMembers(pool, request, 'the products', options).catch((error: unknown) => {
    const isWrong = error instanceof PippinError && error.code === 'INVALID_POINT';
    throw isWrong ? wrongProducts(error) : error;
  });
  if (products.kept < kept) throw wrongProducts();
  return products;
}

function wrongProducts(cause?: PippinError): PippinError {
  return new PippinError('RESULT_INVALID', "expected the GPU's products of points to be right, got others", { cause });
}
