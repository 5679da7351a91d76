import { copyBytes, joinBytes } from '../base/bytes.js';
import { freeMemory, wipe } from '../base/free-memory.js';
import { type PreparedBases, preparedPointBytes } from '../bases/prepared.js';
import { CURVES, type CurveId, pointBytes } from '../curves/index.js';
import type { GpuPoints } from '../executors/gpu/points/gpu-points.js';
import type { PointEncoding } from '../executors/workers/kernel/point-kernel.js';
import { prepareMembers } from '../executors/workers/pool/subgroup-check.js';
import { partOf } from '../files/byte-source.js';
import type { KeyVector } from '../files/snarkjs/zkey-header.js';
import { type CeremonyWork, CHUNK_POINTS } from './ceremony-work.js';
import { inOrder } from './in-order.js';
import { inSlices, writtenByWorkers } from './point-slices.js';
import { expectProducts } from './products-check.js';

/** Points in memory at a time where a GPU multiplies them, which a smaller number would not occupy. */
const GPU_CHUNK_POINTS = 1 << 16;
/** Chunks that are computed at a time, so that the GPU has work while workers check and write points. */
const CHUNKS_AHEAD = 3;
/** The part of the work on a chunk that is checking its points. */
const SHARE_OF_CHECKS = 0.1;

export interface Scaling {
  /** From 1 to r - 1, canonical. */
  readonly scalar: Uint8Array;
  /** The vector's name in messages. */
  readonly what: string;
  /** Default: as in a .zkey. */
  readonly encoding?: PointEncoding;
  /** Called with the number of points that are done. */
  readonly onProgress: (points: number) => void;
}

/**
 * Each point of a key's vector times one scalar, as a .zkey has them, chunk by chunk in order. Infinity stays as it is.
 * `INVALID_POINT` names the first point that is not on its curve, and the vector with a point outside of the subgroup
 * of prime order.
 */
export async function* scaledSection(
  work: CeremonyWork,
  curve: CurveId,
  vector: KeyVector,
  scaling: Scaling,
): AsyncGenerator<Uint8Array> {
  await work.module(curve, 'roots');
  let done = 0;
  function* chunks(): Generator<() => Promise<Uint8Array>> {
    for (let from = 0, next = 0; from < vector.count; from = next) {
      const most = work.gpu.takes(curve, vector.group) ? GPU_CHUNK_POINTS : CHUNK_POINTS;
      const count = Math.min(most, vector.count - from);
      next = from + count;
      let before = 0;
      const onProgress = (fraction: number): void => {
        done += (fraction - before) * count;
        before = fraction;
        scaling.onProgress(done);
      };
      yield () => scaledChunk(work, curve, vector, { ...scaling, from, count, onProgress });
    }
  }
  yield* inOrder(chunks(), CHUNKS_AHEAD);
}

interface Chunk extends Scaling {
  readonly from: number;
  readonly count: number;
  /** Called with the done fraction. */
  readonly onProgress: (fraction: number) => void;
}

async function scaledChunk(
  work: CeremonyWork,
  curve: CurveId,
  { group, bytes, count: all }: KeyVector,
  { scalar, what, encoding = 'montgomery', from, count, onProgress }: Chunk,
): Promise<Uint8Array> {
  const { pool, signal } = work;
  const size = pointBytes(curve, group);
  const points = partOf(bytes, from * size, count * size);
  const request = { curve, group, encoding, count, firstIndex: from, points } as const;
  const prepared = await prepareMembers(pool, request, what, {
    signal,
    onProgress: (fraction) => onProgress(SHARE_OF_CHECKS * fraction),
  });
  const products = await work.gpu.compute(
    { curve, group, count: all },
    (onGpu) => scaledByGpu(work, onGpu, prepared, scalar),
    () =>
      scaledByWorkers(work, prepared, scalar, (fraction) =>
        onProgress(SHARE_OF_CHECKS + (1 - SHARE_OF_CHECKS) * fraction),
      ),
  );
  onProgress(1);
  const { kept, indices } = prepared;
  freeMemory(prepared.points);
  if (kept === count) return products;
  const scaled = new Uint8Array(count * size);
  for (let i = 0; i < kept; i++) scaled.set(products.subarray(i * size, (i + 1) * size), indices![i]! * size);
  return scaled;
}

/** Prepared points times one scalar, as a .zkey has them, by the workers. */
async function scaledByWorkers(
  work: CeremonyWork,
  { curve, group, points, kept }: PreparedBases,
  scalar: Uint8Array,
  onProgress: (fraction: number) => void,
): Promise<Uint8Array> {
  const { pool, signal } = work;
  const module = await work.module(curve, 'roots');
  const scaled = { curve: CURVES[curve], group, points: points.slice() };
  const scale = (own: Uint8Array): Promise<Uint8Array> => {
    const args = { group, points: own, scalar: copyBytes(scalar), module };
    return pool.call(curve, 'scalePoints', args, { signal, moved: true }).finally(() => wipe(args.scalar));
  };
  await inSlices(work, scaled, kept, scale, { onProgress });
  return scaled.points;
}

/**
 * The same by the GPU. The workers write and check the products: `RESULT_INVALID` if they are wrong; device faults as
 * `GpuPoints.scale`.
 */
async function scaledByGpu(
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
  const written = await writtenByWorkers(work, { curve: CURVES[curve], group, points });
  await expectProducts(work, prepared, written, scalar);
  return written;
}
