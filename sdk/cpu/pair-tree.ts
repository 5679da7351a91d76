import type { PairTreeKernels } from './exports.js';
import type { KernelMemory } from './memory.js';
import type { Steps } from './steps.js';

/** Digits sorted by one call into WASM: about a millisecond's work. */
const SORT_CHUNK = 1 << 17;

/**
 * Points summed together, in buckets that follow each other: their slots stay in a cache of a megabyte, and in the later rounds there
 * are still pairs enough to share an inversion.
 */
const STRETCH = 1 << 13;
/** Additions made by one call into WASM, at most: BATCH in wasm/pair-tree.ts. */
const BATCH = 1024;

/** Digits that lie one after the other in memory, for buckets of their own: digit d goes to bucket firstBucket + |d| - 1. */
export interface DigitRun {
  readonly digits: number;
  readonly firstBucket: number;
}

/**
 * Sums of points by bucket, in affine coordinates, two and two with many additions to an inversion (see wasm/pair-tree.ts). Holds the
 * memory for up to `entries` points in up to `buckets` buckets.
 */
export class PairTree {
  readonly offsets: number;
  /** References sorted by bucket. */
  readonly sorted: number;
  /** The buckets' sums, points of the group's base size; zeros for infinity. */
  readonly sums: number;
  private readonly next: number;
  private readonly slots: number;
  private readonly scratch: number;
  private readonly cursor: number;

  constructor(
    private readonly kernels: PairTreeKernels,
    private readonly memory: KernelMemory,
    private readonly steps: Steps,
    allocate: (bytes: number) => number,
    entries: number,
    buckets: number,
    allocateSums = allocate,
  ) {
    const { group } = kernels;
    this.offsets = allocate(4 * (buckets + 1));
    this.next = allocate(4 * buckets);
    this.sorted = allocate(4 * entries);
    this.slots = allocate(Math.ceil((entries + buckets) / 2) * group.baseSize());
    this.sums = allocateSums(buckets * group.baseSize());
    this.scratch = allocate(group.pairScratchSize());
    this.cursor = allocate(12);
  }

  /**
   * Sums the points of the references by digit, for each run; the digits of all runs belong to the same `count` references. Each of
   * these is a unit of progress.
   */
  async sumByDigit(runs: readonly DigitRun[], references: number, count: number, buckets: number): Promise<void> {
    const { memory, steps, offsets, next } = this;
    const { exports } = this.kernels;
    memory.clear(offsets, 4 * (buckets + 1));
    for (const { digits, firstBucket } of runs) {
      const counts = offsets + 4 * firstBucket;
      await steps.run(count, SORT_CHUNK, (from, to) => exports.countDigits(digits, from, to, counts), 0);
    }
    exports.scanCounts(offsets, next, buckets);
    for (const { digits, firstBucket } of runs) {
      const places = next + 4 * firstBucket;
      const scatter = (from: number, to: number) =>
        exports.scatterDigits(digits, references, from, to, places, this.sorted);
      await steps.run(count, SORT_CHUNK, scatter, 0);
    }
    await this.sumSorted(buckets, runs.length * count);
  }

  /** Sums the references in `sorted`, of which offsets[b] .. offsets[b + 1] belong to bucket b; `units` of progress in all. */
  async sumSorted(buckets: number, units: number): Promise<void> {
    const { exports, group } = this.kernels;
    const { memory, steps, cursor, sorted, offsets, scratch, sums } = this;
    let rest = units;
    for (let from = 0; from < buckets; ) {
      const end = exports.endOfStretch(offsets, from, buckets, STRETCH, cursor);
      const slotsLongest = Math.ceil(memory.readUint32(cursor) / 2);
      // All stretches use the same slots.
      const firstSlot = (memory.readUint32(offsets + 4 * from) + from) >> 1;
      const slots = this.slots - firstSlot * group.baseSize();
      for (let stride = 0; stride < slotsLongest; stride = stride === 0 ? 1 : 2 * stride) {
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
      from = end;
    }
    steps.advance(rest);
  }
}
