import { throwIfAborted } from '../base/abort.js';
import { joinBytes, newBytes } from '../base/bytes.js';
import { freeMemory, wipe } from '../base/free-memory.js';
import type { PreparedBases } from '../bases/prepared.js';
import { hostScalars } from '../bases/scalar-vector.js';
import { CURVES, type CurveId, type GroupId, pointBytes } from '../curves/index.js';
import { randomBytes } from '../curves/random.js';
import { prepareMembers } from '../executors/workers/pool/subgroup-check.js';
import { WasmMsm } from '../executors/workers/pool/wasm-msm.js';
import { partOf } from '../files/byte-source.js';
import type { KeyVector } from '../files/snarkjs/zkey-header.js';
import type { CeremonyWork } from './ceremony-work.js';
import { inOrder } from './in-order.js';

/** Points of one MSM: more of them take fewer additions each. */
export const SUM_POINTS = 1 << 16;
/** Chunks of points that are prepared and summed at a time, so that no worker waits while another ends its part. */
export const SUMS_AHEAD = 2;

/** Bytes of a random weight: points in another ratio pass with probability 2^-128. */
const WEIGHT_BYTES = 16;

/**
 * The sums of two vectors of points with the same random weights, in the boundary form: if each point of the second is
 * the same multiple of its counterpart in the first, so is the sum. The vectors come chunk by chunk.
 */
export class WeightedSums {
  private readonly sums: [Uint8Array[], Uint8Array[]] = [[], []];

  /** @param what the vectors' name in messages. */
  constructor(
    private readonly work: CeremonyWork,
    private readonly curve: CurveId,
    private readonly what: string,
  ) {}

  /**
   * Adds as many points of both, at most `SUM_POINTS`. `INVALID_POINT` for a point that is not in the subgroup of
   * prime order.
   *
   * @param from the number of the first one, for messages.
   */
  async add(parts: readonly [KeyVector, KeyVector], from: number): Promise<void> {
    const { work, curve, what } = this;
    throwIfAborted(work.signal);
    const weights = drawPointWeights(curve, parts[0].count);
    const sums = parts.map((part) => chunkSum(work, curve, part, { from, weights, what }));
    await Promise.allSettled(sums);
    for (const [i, sum] of sums.entries()) this.sums[i]!.push(await sum);
    wipe(weights);
  }

  /** The sums of all that was added. */
  async total(group: GroupId): Promise<readonly [Uint8Array, Uint8Array]> {
    const { work, curve, sums } = this;
    return [await addPoints(work, curve, group, sums[0]), await addPoints(work, curve, group, sums[1])];
  }
}

/** A part of a vector. */
export function partOfVector(curve: CurveId, { group, bytes }: KeyVector, from: number, count: number): KeyVector {
  const size = pointBytes(curve, group);
  return { group, count, bytes: partOf(bytes, from * size, count * size) };
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
  function* makers(): Generator<() => Promise<Uint8Array>> {
    for (let from = 0; from < vector.count; from += SUM_POINTS) {
      const some = Math.min(SUM_POINTS, vector.count - from);
      const weights = scalars.subarray(from * scalarBytes, (from + some) * scalarBytes);
      yield () => chunkSum(work, curve, partOfVector(curve, vector, from, some), { from, weights, what });
    }
  }
  const sums: Uint8Array[] = [];
  for await (const sum of inOrder(makers(), () => SUMS_AHEAD)) sums.push(sum);
  return addPoints(work, curve, vector.group, sums);
}

/** The sum of points in the boundary form. */
export function addPoints(
  { pool, signal }: Pick<CeremonyWork, 'pool' | 'signal'>,
  curve: CurveId,
  group: GroupId,
  points: readonly Uint8Array[],
): Promise<Uint8Array> {
  return pool.call(curve, 'combine', { group, points: joinBytes(points) }, { signal });
}

interface Chunk {
  /** The number of the first point. */
  readonly from: number;
  /** A scalar for each point. */
  readonly weights: Uint8Array;
  readonly what: string;
}

/** The MSM of some points, which are loaded for it alone. */
async function chunkSum(
  { pool, signal }: CeremonyWork,
  curve: CurveId,
  { group, count, bytes }: KeyVector,
  { from, weights, what }: Chunk,
): Promise<Uint8Array> {
  const request = { curve, group, encoding: 'montgomery', count, firstIndex: from, points: bytes } as const;
  const prepared = await prepareMembers(pool, request, what, { signal, onProgress: () => undefined });
  return sumOfPrepared({ pool, signal }, prepared, weights);
}

/**
 * The MSM of prepared points in the boundary form; they are freed.
 *
 * @param scalars canonical, one for each point before points at infinity were left out.
 */
export async function sumOfPrepared(
  { pool, signal }: Pick<CeremonyWork, 'pool' | 'signal'>,
  prepared: PreparedBases,
  scalars: Uint8Array,
): Promise<Uint8Array> {
  const { curve, group, kept, indices } = prepared;
  if (kept === 0) return new Uint8Array(pointBytes(curve, group));
  const { scalarBytes } = CURVES[curve];
  const own = indices === undefined ? scalars : newBytes(kept * scalarBytes);
  indices?.forEach((index, i) => {
    own.set(scalars.subarray(index * scalarBytes, (index + 1) * scalarBytes), i * scalarBytes);
  });
  const [parts] = await sumPrepared({ pool, signal }, prepared, own, 1);
  return addPoints({ pool, signal }, curve, group, parts!);
}

/**
 * MSMs over prepared points, which are loaded for them alone and freed: for each, points that add up to the result.
 *
 * @param scalars MSM after MSM.
 */
export async function sumPrepared(
  { pool, signal }: Pick<CeremonyWork, 'pool' | 'signal'>,
  prepared: PreparedBases,
  scalars: Uint8Array,
  batch: number,
): Promise<(readonly Uint8Array[])[]> {
  const msm = new WasmMsm(pool);
  const bases = await msm.load(prepared, undefined, { signal });
  try {
    const sums = await msm.multiplyBatch(bases, hostScalars(scalars), batch, { signal });
    return sums.map((sum) => (sum.kind === 'points' ? sum.points : []));
  } finally {
    bases.release();
    freeMemory(prepared.points);
  }
}

/** A random scalar of so many bytes, by default 128 bits, for each point. */
export function drawPointWeights(curve: CurveId, count: number, bytes = WEIGHT_BYTES): Uint8Array {
  const { scalarBytes } = CURVES[curve];
  const drawn = randomBytes(count * bytes);
  const weights = newBytes(count * scalarBytes);
  for (let i = 0; i < count; i++) {
    for (let byte = 0; byte < bytes; byte++) weights[i * scalarBytes + byte] = drawn[i * bytes + byte]!;
  }
  return weights;
}
