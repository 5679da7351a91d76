import { copyBytes } from '../base/bytes.js';
import { freeMemory, wipe } from '../base/free-memory.js';
import { preparedPointBytes } from '../bases/prepared.js';
import { type CurveId, pointBytes } from '../curves/index.js';
import type { PointEncoding } from '../executors/workers/kernel/point-kernel.js';
import type { KernelPool } from '../executors/workers/pool/pool.js';
import { eachSlice } from '../executors/workers/pool/slices.js';
import { prepareMembers } from '../executors/workers/pool/subgroup-check.js';
import { partOf } from '../files/byte-source.js';
import type { KeyVector } from '../files/snarkjs/zkey-header.js';
import { retryOnDeadWorker } from '../recovery/attempt.js';

/** Points in memory at a time. */
export const CHUNK_POINTS = 1 << 14;
/** Points of one job, which share inversions. */
export const SLICE_POINTS = 1 << 10;
/** How much longer a point of G2 takes than one of G1, for progress. */
export const COST_OF_G2 = 3;
/** The part of the work on a chunk that is checking its points. */
const SHARE_OF_CHECKS = 0.1;

export interface CeremonyWork {
  readonly pool: KernelPool;
  /** Makes the workers ready for a curve, before they are called. */
  readonly open: (curve: CurveId) => Promise<void>;
  /** Compiles the curve's module of square roots, which also writes points as a .zkey has them. */
  readonly compileRoots: (curve: CurveId) => Promise<WebAssembly.Module>;
  readonly signal: AbortSignal | undefined;
}

/** Work that tells its progress. */
export interface ToldWork extends CeremonyWork {
  /** Called with the done fraction. */
  readonly onProgress: (fraction: number) => void;
}

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
  { pool, compileRoots, signal }: CeremonyWork,
  curve: CurveId,
  { group, count, bytes }: KeyVector,
  { scalar, what, encoding = 'montgomery', onProgress }: Scaling,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const module = await compileRoots(curve);
  const size = pointBytes(curve, group);
  const packedBytes = preparedPointBytes(curve, group);
  for (let from = 0; from < count; from += CHUNK_POINTS) {
    const some = Math.min(CHUNK_POINTS, count - from);
    const tell = (fraction: number): void => onProgress(from + some * fraction);
    const points = partOf(bytes, from * size, some * size);
    const request = { curve, group, encoding, count: some, firstIndex: from, points } as const;
    const prepared = await prepareMembers(pool, request, what, {
      signal,
      onProgress: (fraction) => tell(SHARE_OF_CHECKS * fraction),
    });
    const scaled = new Uint8Array(some * size);
    const scale = async (begin: number, end: number): Promise<void> => {
      const result = await retryOnDeadWorker(() => {
        const own = prepared.points.slice(begin * packedBytes, end * packedBytes);
        const args = { group, points: own, scalar: copyBytes(scalar), module };
        return pool.call(curve, 'scalePoints', args, { signal, moved: true }).finally(() => wipe(args.scalar));
      });
      for (let i = begin; i < end; i++) {
        const at = (i - begin) * size;
        scaled.set(result.subarray(at, at + size), (prepared.indices?.[i] ?? i) * size);
      }
      freeMemory(result);
    };
    await eachSlice(pool, prepared.kept, SLICE_POINTS, scale, {
      signal,
      onProgress: (fraction) => tell(SHARE_OF_CHECKS + (1 - SHARE_OF_CHECKS) * fraction),
    });
    freeMemory(prepared.points);
    yield scaled;
  }
}
