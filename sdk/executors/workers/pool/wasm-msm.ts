import { joinBytes } from '../../../base/bytes.js';
import { PippinError } from '../../../base/errors.js';
import {
  type BasesLoadOptions,
  type BasesRange,
  type BasesToLoad,
  type MsmBackend,
  type MultiplyOptions,
  type PartialSums,
  type ResidentBases,
  wholeRange,
  withParts,
} from '../../../bases/backend.js';
import { bytesOfScalars, type ScalarVector, wipeCopy } from '../../../bases/scalar-vector.js';
import { CURVES, type CurveId } from '../../../curves/index.js';
import { retryOnDeadWorker } from '../../../recovery/attempt.js';
import type { KernelPool } from './pool.js';
import { Resident, type ResidentData } from './resident.js';
import { largestShare, type Share, workersFor } from './shares.js';
import { WORKERS_CAPABILITIES } from './workers-capabilities.js';
import { keptPointBytes } from './workers-memory.js';

/** A share of the bases, and its points in the worker's memory. */
interface Shard extends Share {
  readonly resident: Resident;
}

export interface WasmBases extends ResidentBases {
  readonly id: string;
  readonly curve: CurveId;
  /** The shards of one or several copies of the bases. The MSMs of a batch use the copies in turn. */
  readonly copies: readonly (readonly Shard[])[];
  readonly isReleased: boolean;
}

let nextId = 1;

/**
 * MSMs on the kernel workers: each keeps a share of the bases and returns one point. Where there are too few bases to
 * occupy all workers, the others get copies of them when a batch of MSMs first needs them.
 */
export class WasmMsm implements MsmBackend<WasmBases> {
  readonly capabilities = WORKERS_CAPABILITIES;

  constructor(private readonly pool: KernelPool) {}

  /**
   * The points are read again for further copies and for a worker that replaces a dead one, with their multiples for
   * the workers as long as these are at hand. `options.shares` divides the range.
   */
  async load(given: BasesToLoad, range?: BasesRange, options: BasesLoadOptions = {}): Promise<WasmBases> {
    const { curve, group, form } = given;
    const { from: first, to: end } = wholeRange(given, range);
    const kept = end - first;
    const id = `bases-${nextId++}`;
    const multiples = given.multiples?.executor === 'wasm' ? given.multiples.plan.multiples : 1;
    const shares = options.shares === undefined ? this.equalShares(kept) : [options.shares];
    const pointBytes = keptPointBytes(curve, group);
    this.pool.memory.expectAtLeast(largestShare(kept, this.pool.size, options.shares) * pointBytes, 'these bases');
    const shardOf = (share: Share): Shard => {
      const { worker, from, to } = share;
      // What makes room for something else comes back without multiples.
      let isWhole = true;
      const load = async (signal: AbortSignal | undefined): Promise<void> => {
        const own = { from: first + from, to: first + to };
        await withParts(isWhole ? given : { ...given, multiples: undefined }, own, 'wasm', ({ plan, parts }) => {
          const part = parts.length === 1 ? parts[0]! : joinBytes(parts);
          const options = { worker, signal, moved: parts.length > 1 };
          return this.pool.call(curve, 'loadShard', { id, group, form, points: part, plan }, options);
        });
      };
      const unload = () => {
        isWhole = false;
        return this.pool.call(curve, 'releaseShard', { id }, { worker });
      };
      const alone = (to - from) * pointBytes;
      const data: ResidentData = {
        worker,
        kind: 'bases',
        get bytes() {
          return isWhole ? multiples * alone : alone;
        },
        get leastBytes() {
          return alone;
        },
        load,
        unload,
      };
      return { ...share, resident: new Resident(this.pool, data) };
    };
    const copies = shares.map((ofCopy) => ofCopy.map(shardOf));
    let isReleased = false;
    const bases: WasmBases = {
      id,
      curve,
      copies,
      count: kept,
      get isReleased() {
        return isReleased;
      },
      release: () => {
        isReleased = true;
        for (const { resident } of copies.flat()) resident.release();
      },
    };
    try {
      await Promise.all(copies[0]!.map(({ resident }) => retryOnDeadWorker(() => resident.ensure(options.signal))));
    } catch (error) {
      bases.release();
      throw error;
    }
    return bases;
  }

  async multiplyBatch(
    bases: WasmBases,
    scalars: ScalarVector,
    batch: number,
    options: MultiplyOptions = {},
  ): Promise<PartialSums[]> {
    const { signal, onProgress, windowBits, range = { from: 0, to: bases.count } } = options;
    const { curve } = bases;
    const { scalarBytes } = CURVES[curve];
    const bytes = bytesOfScalars(scalars);
    const points: Uint8Array[][] = Array.from({ length: batch }, () => []);
    const isNeeded = ({ from, to }: Shard): boolean => Math.max(from, range.from) < Math.min(to, range.to);
    const copies = bases.copies.map((shards) => shards.filter(isNeeded));
    const pieces = batch * copies[0]!.length;
    let finished = 0;
    const running = new Map<Shard, number>();
    const tell = (shard: Shard, fraction: number): void => {
      running.set(shard, fraction);
      onProgress?.([...running.values()].reduce((sum, f) => sum + f, finished) / pieces);
    };
    /**
     * Computes a shard's part of one MSM of the batch after another, so that the scalars of only one are copied at a
     * time.
     */
    const work = async (shard: Shard, copy: number): Promise<void> => {
      const from = Math.max(shard.from, range.from);
      const to = Math.min(shard.to, range.to);
      const within = { from: from - shard.from, to: to - shard.from };
      for (let m = copy; m < batch; m += copies.length) {
        // The scalars of an MSM begin at the range's first point.
        const start = m * (range.to - range.from) - range.from;
        const point = await retryOnDeadWorker(async () => {
          if (bases.isReleased) throw new PippinError('DISPOSED', 'expected loaded bases, got released ones');
          const part = bytes.subarray((start + from) * scalarBytes, (start + to) * scalarBytes);
          const args = { id: bases.id, scalars: part, range: within, windowBits };
          const options = { worker: shard.worker, signal, onProgress: (fraction: number) => tell(shard, fraction) };
          return shard.resident.use(() => this.pool.call(curve, 'multiply', args, options));
        });
        points[m]!.push(point);
        finished++;
        tell(shard, 0);
      }
    };
    try {
      await Promise.all(copies.flatMap((shards, copy) => shards.map((shard) => work(shard, copy))));
    } finally {
      wipeCopy(bytes, scalars);
    }
    return points.map((some) => ({ kind: 'points', points: some }));
  }

  /**
   * An equal share for each worker. If fewer workers are enough, there is one copy of the bases for each group of that
   * many workers, unless memory is limited.
   */
  private equalShares(kept: number): Share[][] {
    const workers = workersFor(kept, this.pool.size);
    const copies = this.pool.memory.budget.isLimited ? 1 : Math.floor(this.pool.size / workers);
    // Small sets start at different workers, so that several of them spread over the pool.
    const first = workers === this.pool.size ? 0 : nextId;
    return Array.from({ length: copies }, (_, copy) =>
      Array.from({ length: workers }, (_, i) => ({
        worker: (first + copy * workers + i) % this.pool.size,
        from: Math.floor((kept * i) / workers),
        to: Math.floor((kept * (i + 1)) / workers),
      })),
    );
  }
}
