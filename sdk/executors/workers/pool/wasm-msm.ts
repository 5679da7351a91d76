import { joinBytes } from '../../../base/bytes.js';
import { PippinError } from '../../../base/errors.js';
import { wipe } from '../../../base/free-memory.js';
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
import { WORKERS_CAPABILITIES } from '../../capabilities.js';
import type { KernelPool } from './pool.js';
import { Resident, type ResidentData } from './resident.js';
import { largestShare, type Share, workersFor } from './shares.js';
import { keptPointBytes } from './workers-memory.js';

/** Runs of the bases, in their order, which lie one after another in the worker's memory. */
interface Shard {
  readonly worker: number;
  readonly runs: readonly BasesRange[];
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
    const shares = options.shares === undefined ? this.equalShares(kept) : [options.shares.map(oneRun)];
    const pointBytes = keptPointBytes(curve, group);
    this.pool.memory.expectAtLeast(largestShare(kept, this.pool.size, options.shares) * pointBytes, 'these bases');
    const shardOf = ({ worker, runs }: Omit<Shard, 'resident'>): Shard => {
      // What makes room for something else comes back without multiples.
      let isWhole = true;
      const load = async (signal: AbortSignal | undefined): Promise<void> => {
        const own = runs.map(({ from, to }) => ({ from: first + from, to: first + to }));
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
      const alone = runs.reduce((sum, { from, to }) => sum + to - from, 0) * pointBytes;
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
      return { worker, runs, resident: new Resident(this.pool, data) };
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
    const isNeeded = ({ runs }: Shard): boolean => within(runs, range).length > 0;
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
      const runs = within(shard.runs, range);
      const place = { from: placeOf(shard.runs, range.from), to: placeOf(shard.runs, range.to) };
      for (let m = copy; m < batch; m += copies.length) {
        // The scalars of an MSM begin at the range's first point.
        const start = m * (range.to - range.from) - range.from;
        const point = await retryOnDeadWorker(async () => {
          if (bases.isReleased) throw new PippinError('DISPOSED', 'expected loaded bases, got released ones');
          const parts = runs.map(({ from, to }) =>
            bytes.subarray((start + from) * scalarBytes, (start + to) * scalarBytes),
          );
          const moved = parts.length > 1;
          const part = moved ? joinBytes(parts) : parts[0]!;
          const args = { id: bases.id, scalars: part, range: place, windowBits };
          const { worker } = shard;
          const options = { worker, signal, moved, onProgress: (fraction: number) => tell(shard, fraction) };
          try {
            return await shard.resident.use(() => this.pool.call(curve, 'multiply', args, options));
          } finally {
            // Nothing if it was moved to the worker.
            if (moved) wipe(part);
          }
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
   * An equal share for each worker: a run from the front half and one from the back, since vectors that combine several
   * polynomials end with many zeros. If fewer workers are enough, there is one copy of the bases for each group of that
   * many workers, unless memory is limited.
   */
  private equalShares(kept: number): Omit<Shard, 'resident'>[][] {
    const workers = workersFor(kept, this.pool.size);
    const copies = this.pool.memory.budget.isLimited ? 1 : Math.floor(this.pool.size / workers);
    // Small sets start at different workers, so that several of them spread over the pool.
    const first = workers === this.pool.size ? 0 : nextId;
    return Array.from({ length: copies }, (_, copy) =>
      Array.from({ length: workers }, (_, i) => ({
        worker: (first + copy * workers + i) % this.pool.size,
        runs: pairOfRuns(kept, workers, i),
      })),
    );
  }
}

function oneRun({ worker, from, to }: Share): Omit<Shard, 'resident'> {
  return { worker, runs: [{ from, to }] };
}

/** Runs number i and 2 n - 1 - i of 2 n equal ones; the middle ones are one. */
function pairOfRuns(kept: number, n: number, i: number): BasesRange[] {
  const cut = (number: number): number => Math.floor((kept * number) / (2 * n));
  const [front, back] = [i, 2 * n - 1 - i].map((number) => ({ from: cut(number), to: cut(number + 1) }));
  return front!.to === back!.from ? [{ from: front!.from, to: back!.to }] : [front!, back!];
}

/** The parts of runs that lie in a range. */
function within(runs: readonly BasesRange[], range: BasesRange): BasesRange[] {
  return runs
    .map(({ from, to }) => ({ from: Math.max(from, range.from), to: Math.min(to, range.to) }))
    .filter(({ from, to }) => from < to);
}

/** How many points of the runs come before a point. A range of all bases is one range of the points in the runs. */
function placeOf(runs: readonly BasesRange[], point: number): number {
  return runs.reduce((sum, { from, to }) => sum + Math.max(0, Math.min(to, point) - from), 0);
}
