import type { Workspace } from './workspace.js';

/** Digits that one call into WASM sorts: about a millisecond's work. */
const SORT_CHUNK = 1 << 17;

/**
 * Points of a stretch, a run of adjacent buckets that are summed together: few enough that their slots stay in a cache
 * of a megabyte, and enough that the later rounds still have many pairs to share an inversion.
 */
const STRETCH = 1 << 13;
/** The most additions that one call into WASM makes: BATCH in wasm/msm/pair-tree.ts. */
const BATCH = 1024;

/**
 * Digits of `count` referenced points. A point with digit d goes to bucket firstBucket + |d| - 1, and is left out where
 * d is 0.
 */
export interface DigitRun {
  readonly digits: number;
  readonly references: number;
  readonly count: number;
  readonly firstBucket: number;
}

/** The buckets from..end, the slots that their points take, and the number of points in the largest bucket. */
interface Stretch {
  readonly from: number;
  readonly end: number;
  readonly firstSlot: number;
  readonly slots: number;
  readonly longest: number;
}

/**
 * Computes bucket sums in affine coordinates. Each round adds the points of a bucket in pairs, and batch inversion
 * serves many additions with one inversion (see wasm/msm/pair-tree.ts). Holds the memory for up to `entries` points in
 * up to `buckets` buckets.
 */
export class PairTree {
  readonly offsets: number;
  /** References to the points, sorted by bucket. */
  readonly sorted: number;
  /** The buckets' sums: points of the group's base size, zeros for infinity. */
  readonly sums: number;
  private readonly next: number;
  private readonly scratch: number;
  private readonly cursor: number;

  constructor(
    private readonly workspace: Workspace,
    entries: number,
    buckets: number,
    allocateSums = workspace.allocate,
  ) {
    const { group, allocate } = workspace;
    this.offsets = allocate(4 * (buckets + 1));
    this.next = allocate(4 * buckets);
    this.sorted = allocate(4 * entries);
    this.sums = allocateSums(buckets * group.baseSize());
    this.scratch = allocate(group.pairScratchSize());
    this.cursor = allocate(12);
  }

  /**
   * Adds the points of all runs to the buckets of their digits. Each point counts as one unit of progress. A run may
   * refer to bucket sums of an earlier call if each goes to its own bucket: it is then read before it is overwritten.
   */
  async sumByDigit(runs: readonly DigitRun[], buckets: number): Promise<void> {
    const { offsets, next } = this;
    const { exports, memory, steps } = this.workspace;
    memory.clear(offsets, 4 * (buckets + 1));
    for (const { digits, count, firstBucket } of runs) {
      const counts = offsets + 4 * firstBucket;
      await steps.run(count, SORT_CHUNK, (from, to) => exports.countDigits(digits, from, to, counts), 0);
    }
    exports.scanCounts(offsets, next, buckets);
    for (const { digits, references, count, firstBucket } of runs) {
      const places = next + 4 * firstBucket;
      const scatter = (from: number, to: number) =>
        exports.scatterDigits(digits, references, from, to, places, this.sorted);
      await steps.run(count, SORT_CHUNK, scatter, 0);
    }
    await this.sumSorted(
      buckets,
      runs.reduce((all, { count }) => all + count, 0),
    );
  }

  /**
   * Computes the bucket sums of the points in `sorted`; points offsets[b] to offsets[b + 1] belong to bucket b. Counts
   * as `units` of progress.
   */
  async sumSorted(buckets: number, units: number): Promise<void> {
    const { group, memory, steps } = this.workspace;
    const { cursor, sorted, offsets, scratch, sums } = this;
    const stretches = this.stretches(buckets);
    let rest = units;
    await memory.scope(async (allocate) => {
      // The stretches are summed one after another and use the same slots.
      const common = allocate(Math.max(...stretches.map(({ slots }) => slots)) * group.baseSize());
      for (const { from, end, firstSlot, longest } of stretches) {
        const slots = common - firstSlot * group.baseSize();
        for (let stride = 0; stride < Math.ceil(longest / 2); stride = stride === 0 ? 1 : 2 * stride) {
          memory.writeUint32(cursor, from);
          memory.writeUint32(cursor + 4, 0);
          await steps.repeat(() => {
            const more = group.addPairs(cursor, sorted, offsets, end, stride, slots, scratch) !== 0;
            const done = Math.min(rest, BATCH);
            rest -= done;
            steps.advance(done);
            return more;
          });
        }
        group.takeSums(offsets, slots, from, end, sums);
      }
    });
    steps.advance(rest);
  }

  /** Divides the buckets into stretches. */
  private stretches(buckets: number): Stretch[] {
    const { offsets, cursor } = this;
    const { exports, memory } = this.workspace;
    const slotOf = (bucket: number): number => (memory.readUint32(offsets + 4 * bucket) + bucket) >> 1;
    const stretches: Stretch[] = [];
    for (let from = 0; from < buckets; ) {
      const end = exports.endOfStretch(offsets, from, buckets, STRETCH, cursor);
      const firstSlot = slotOf(from);
      stretches.push({ from, end, firstSlot, slots: slotOf(end) - firstSlot, longest: memory.readUint32(cursor) });
      from = end;
    }
    return stretches;
  }
}
