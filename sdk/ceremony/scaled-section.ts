import { copyBytes } from '../base/bytes.js';
import { freeMemory, wipe } from '../base/free-memory.js';
import type { PreparedBases } from '../bases/prepared.js';
import { CURVES, type CurveId, pointBytes } from '../curves/index.js';
import type { PointEncoding } from '../executors/workers/kernel/point-kernel.js';
import { prepareMembers } from '../executors/workers/pool/subgroup-check.js';
import { partOf } from '../files/byte-source.js';
import type { KeyVector } from '../files/snarkjs/zkey-header.js';
import { type CeremonyWork, CHUNK_POINTS } from './ceremony-work.js';
import { inOrder } from './in-order.js';
import { inSlices } from './point-slices.js';
import { SHARE_OF_CHECKS, scaledByGpu, slicePoints } from './scaled-by-gpu.js';

/** Points that a GPU multiplies together, which a smaller number would not occupy. */
const GPU_CHUNK_POINTS = 1 << 16;
/** Chunks that are computed at a time; beside a GPU, besides those that occupy the workers. */
const CHUNKS_AHEAD = 3;

/** A vector of points that are multiplied. */
export interface VectorToScale extends KeyVector {
  /** Its name in messages. */
  readonly what: string;
}

export interface Scaling {
  /** From 1 to r - 1, canonical. */
  readonly scalar: Uint8Array;
  /** Default: as in a .zkey. */
  readonly encoding?: PointEncoding;
  /** Called with the done fraction of all points. */
  readonly onProgress: (fraction: number) => void;
}

/** Some points of a vector. */
interface Chunk extends Pick<Scaling, 'scalar'> {
  readonly vector: VectorToScale;
  readonly encoding: PointEncoding;
  readonly from: number;
  readonly count: number;
  /** Called with the done fraction, which begins again when the workers compute what a GPU computed wrong. */
  readonly onProgress: (fraction: number) => void;
}

/**
 * Each point of a key's vectors times one scalar, as a .zkey has them; infinity stays as it is. Computing begins at
 * once, and goes on from one vector to the next, some chunks ahead of what was taken.
 */
export class ScaledVectors {
  private readonly chunks: AsyncGenerator<readonly Uint8Array[]>;
  private next: Promise<IteratorResult<readonly Uint8Array[]>>;
  /** Points of one job of a worker, where a GPU multiplies them. */
  private readonly slice: number;

  constructor(
    private readonly work: CeremonyWork,
    private readonly curve: CurveId,
    vectors: readonly VectorToScale[],
    scaling: Scaling,
  ) {
    const { pool, gpu } = work;
    this.slice = slicePoints(
      vectors.reduce((sum, { count }) => sum + count, 0),
      pool.size,
    );
    const aheadOfWorkers = CHUNKS_AHEAD + Math.ceil((2 * pool.size * this.slice) / GPU_CHUNK_POINTS);
    const isOnGpu = (): boolean => vectors.some(({ group }) => gpu.takes(curve, group));
    this.chunks = inOrder(this.makers(vectors, scaling), () => (isOnGpu() ? aheadOfWorkers : CHUNKS_AHEAD));
    this.next = this.take();
  }

  /**
   * The points of the first vector, then of the next one: part by part in order. `INVALID_POINT` names the first point
   * that is not on its curve, and the vector with a point outside of the subgroup of prime order.
   */
  async *points({ group, count }: KeyVector): AsyncGenerator<Uint8Array> {
    const size = pointBytes(this.curve, group);
    for (let left = count; left > 0; ) {
      const { value, done } = await this.next;
      if (done) return;
      this.next = this.take();
      for (const part of value) {
        left -= part.length / size;
        yield part;
      }
    }
  }

  /** Computes no more. Fulfilled when what was computed has ended. */
  async close(): Promise<void> {
    await this.chunks.return(undefined);
  }

  private take(): Promise<IteratorResult<readonly Uint8Array[]>> {
    const next = this.chunks.next();
    // It is awaited when its points are asked for.
    next.catch(() => undefined);
    return next;
  }

  private *makers(
    vectors: readonly VectorToScale[],
    { scalar, encoding = 'montgomery', onProgress }: Scaling,
  ): Generator<() => Promise<readonly Uint8Array[]>> {
    const { gpu } = this.work;
    const all = vectors.reduce((sum, { count }) => sum + count, 0);
    let done = 0;
    for (const vector of vectors) {
      for (let from = 0, next = 0; from < vector.count; from = next) {
        const most = gpu.takes(this.curve, vector.group) ? GPU_CHUNK_POINTS : CHUNK_POINTS;
        const count = Math.min(most, vector.count - from);
        next = from + count;
        let before = 0;
        const tell = (fraction: number): void => {
          if (fraction <= before) return;
          done += (fraction - before) * count;
          before = fraction;
          onProgress(done / all);
        };
        const chunk = { vector, scalar, encoding, from, count, onProgress: tell };
        yield async () => {
          const scaled = await gpu.compute(
            { curve: this.curve, group: vector.group, count: vector.count },
            (onGpu) =>
              scaledByGpu(this.work, onGpu, { ...chunk, curve: this.curve, what: vector.what, slice: this.slice }),
            () => this.byWorkers(chunk),
          );
          tell(1);
          return scaled;
        };
      }
    }
  }

  private async byWorkers({
    vector,
    scalar,
    encoding,
    from,
    count,
    onProgress,
  }: Chunk): Promise<readonly Uint8Array[]> {
    const { work, curve } = this;
    const { group, bytes, what } = vector;
    const { pool, signal } = work;
    const size = pointBytes(curve, group);
    const points = partOf(bytes, from * size, count * size);
    const request = { curve, group, encoding, count, firstIndex: from, points } as const;
    const prepared = await prepareMembers(pool, request, what, {
      signal,
      onProgress: (fraction) => onProgress(SHARE_OF_CHECKS * fraction),
    });
    const products = await scaledByWorkers(work, prepared, scalar, (fraction) =>
      onProgress(SHARE_OF_CHECKS + (1 - SHARE_OF_CHECKS) * fraction),
    );
    const { kept, indices } = prepared;
    if (kept === count) return [products];
    const scaled = new Uint8Array(count * size);
    for (let i = 0; i < kept; i++) scaled.set(products.subarray(i * size, (i + 1) * size), indices![i]! * size);
    freeMemory(products);
    return [scaled];
  }
}

/** Each of prepared points, which are overwritten, times one scalar, as a .zkey has them. */
async function scaledByWorkers(
  work: CeremonyWork,
  { curve, group, points, kept }: PreparedBases,
  scalar: Uint8Array,
  onProgress: (fraction: number) => void,
): Promise<Uint8Array> {
  const { pool, signal } = work;
  const [module, rows] = await Promise.all([work.module(curve, 'roots'), work.module(curve, 'rows')]);
  const scale = (own: Uint8Array): Promise<Uint8Array> => {
    const args = { group, points: own, scalar: copyBytes(scalar), rows, module };
    return pool.call(curve, 'scalePoints', args, { signal, moved: true }).finally(() => wipe(args.scalar));
  };
  await inSlices(work, { curve: CURVES[curve], group, points }, kept, scale, { onProgress });
  return points;
}
