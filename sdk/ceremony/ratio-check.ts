import { throwIfAborted } from '../base/abort.js';
import { joinBytes, newBytes } from '../base/bytes.js';
import { freeMemory, wipe } from '../base/free-memory.js';
import { hostScalars } from '../bases/scalar-vector.js';
import { CURVES, type CurveId, pointBytes } from '../curves/index.js';
import { randomBytes } from '../curves/random.js';
import { prepareMembers } from '../executors/workers/pool/subgroup-check.js';
import { WasmMsm } from '../executors/workers/pool/wasm-msm.js';
import { partOf } from '../files/byte-source.js';
import type { KeyVector } from '../files/snarkjs/zkey-header.js';
import { type CeremonyWork, CHUNK_POINTS } from './scaled-section.js';

/** Bytes of a random weight: points in another ratio pass with probability 2^-128. */
const WEIGHT_BYTES = 16;

/**
 * The sums of two vectors of points with the same random weights, in the boundary form: if each point of the second is
 * the same multiple of its counterpart in the first, so is the sum. Both have the same number of points.
 * `INVALID_POINT` for a point that is not in the subgroup of prime order.
 */
export async function weightedSums(
  work: CeremonyWork,
  curve: CurveId,
  vectors: readonly [KeyVector, KeyVector],
  what: string,
  onProgress: (points: number) => void,
): Promise<readonly [Uint8Array, Uint8Array]> {
  const { count } = vectors[0];
  const sums: [Uint8Array[], Uint8Array[]] = [[], []];
  for (let from = 0; from < count; from += CHUNK_POINTS) {
    throwIfAborted(work.signal);
    const some = Math.min(CHUNK_POINTS, count - from);
    const weights = drawPointWeights(curve, some);
    for (const [i, vector] of vectors.entries()) {
      sums[i]!.push(await chunkSum(work, curve, vector, { from, some, weights, what }));
    }
    wipe(weights);
    onProgress(from + some);
  }
  const add = async (points: readonly Uint8Array[]): Promise<Uint8Array> =>
    work.pool.call(curve, 'combine', { group: vectors[0].group, points: joinBytes(points) }, { signal: work.signal });
  return [await add(sums[0]), await add(sums[1])];
}

/**
 * The MSM of a vector's points with these scalars, chunk by chunk, in the boundary form. `INVALID_POINT` for a point
 * that is not in the subgroup of prime order.
 *
 * @param scalars canonical; one for each point.
 */
export async function weightedSum(
  work: CeremonyWork,
  curve: CurveId,
  vector: KeyVector,
  scalars: Uint8Array,
  what: string,
): Promise<Uint8Array> {
  const { scalarBytes } = CURVES[curve];
  const sums: Uint8Array[] = [];
  for (let from = 0; from < vector.count; from += CHUNK_POINTS) {
    const some = Math.min(CHUNK_POINTS, vector.count - from);
    const weights = scalars.subarray(from * scalarBytes, (from + some) * scalarBytes);
    sums.push(await chunkSum(work, curve, vector, { from, some, weights, what }));
  }
  return work.pool.call(curve, 'combine', { group: vector.group, points: joinBytes(sums) }, { signal: work.signal });
}

interface Chunk {
  readonly from: number;
  readonly some: number;
  /** A scalar for each point. */
  readonly weights: Uint8Array;
  readonly what: string;
}

/** The MSM of some points of a vector, which are loaded for it alone. */
async function chunkSum(
  { pool, signal }: CeremonyWork,
  curve: CurveId,
  { group, bytes }: KeyVector,
  { from, some, weights, what }: Chunk,
): Promise<Uint8Array> {
  const size = pointBytes(curve, group);
  const { scalarBytes } = CURVES[curve];
  const points = partOf(bytes, from * size, some * size);
  const request = { curve, group, encoding: 'montgomery', count: some, firstIndex: from, points } as const;
  const prepared = await prepareMembers(pool, request, what, { signal, onProgress: () => undefined });
  if (prepared.kept === 0) return new Uint8Array(size);
  const msm = new WasmMsm(pool);
  const bases = await msm.load(prepared, undefined, { signal });
  try {
    const scalars = newBytes(prepared.kept * scalarBytes);
    for (let i = 0; i < prepared.kept; i++) {
      const at = (prepared.indices?.[i] ?? i) * scalarBytes;
      scalars.set(weights.subarray(at, at + scalarBytes), i * scalarBytes);
    }
    const [sum] = await msm.multiplyBatch(bases, hostScalars(scalars), 1, { signal });
    const parts = sum!.kind === 'points' ? sum!.points : [];
    return await pool.call(curve, 'combine', { group, points: joinBytes(parts) }, { signal });
  } finally {
    bases.release();
    freeMemory(prepared.points);
  }
}

/** A random scalar of 128 bits for each point. */
export function drawPointWeights(curve: CurveId, count: number): Uint8Array {
  const { scalarBytes } = CURVES[curve];
  const drawn = randomBytes(count * WEIGHT_BYTES);
  const weights = newBytes(count * scalarBytes);
  for (let i = 0; i < count; i++) {
    weights.set(drawn.subarray(i * WEIGHT_BYTES, (i + 1) * WEIGHT_BYTES), i * scalarBytes);
  }
  return weights;
}
