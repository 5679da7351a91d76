import type { CurveExports, GroupExports, PairTreeExports } from './exports.js';
import type { KernelMemory } from './memory.js';
import type { Steps } from './steps.js';

/** Bases added, or buckets summed, by one call into WASM: about a millisecond's work on G2. */
export const ADD_CHUNK = 512;
/** Digits sorted by one call into WASM: about a millisecond's work. */
const SORT_CHUNK = 1 << 17;

/** One window's work for progress, in additions of a base: a bucket costs about as much as this many. */
export const BUCKET_WEIGHT = 3;

/** The windows of one multiplication, at addresses in the kernel's memory. */
export interface Windows {
  /** Bases in kernel form. */
  readonly bases: number;
  /** Indices of the bases that have digits, `count` u32. */
  readonly list: number;
  readonly count: number;
  readonly buckets: number;
  /** Scratch for the running sum. */
  readonly running: number;
  /** Where the sum of a window goes. */
  readonly sum: number;
}

/** Puts sum_b b B_b to `windows.sum`, given the address of one window's digits. */
export type SumWindow = (digits: number) => Promise<void>;

/** Adds each base to its bucket's sum. */
export function directWindows(
  group: GroupExports,
  allocate: (bytes: number) => number,
  steps: Steps,
  { bases, list, count, buckets, running, sum }: Windows,
): SumWindow {
  const bucketsAt = allocate(buckets * group.sumSize());
  return async (digits) => {
    group.clearBuckets(bucketsAt, buckets);
    group.setIdentity(running);
    group.setIdentity(sum);
    await steps.run(count, ADD_CHUNK, (from, to) => group.fillBuckets(bucketsAt, bases, list, digits, from, to));
    await steps.run(
      buckets,
      ADD_CHUNK,
      (from, to) => group.sumBuckets(running, sum, bucketsAt, buckets - from, buckets - to),
      BUCKET_WEIGHT,
    );
  };
}

/** Sorts the bases by bucket and adds neighbours two and two, many additions to an inversion (see wasm/pair-tree.ts). */
export function pairTreeWindows(
  exports: CurveExports,
  group: GroupExports & PairTreeExports,
  memory: KernelMemory,
  allocate: (bytes: number) => number,
  steps: Steps,
  { bases, list, count, buckets, running, sum }: Windows,
): SumWindow {
  const offsets = allocate(4 * (buckets + 1));
  const next = allocate(4 * buckets);
  const sorted = allocate(4 * count);
  const slots = allocate(Math.ceil((count + buckets) / 2) * group.baseSize());
  const scratch = allocate(group.pairScratchSize());
  const cursor = allocate(8);
  return async (digits) => {
    memory.clear(offsets, 4 * (buckets + 1));
    await steps.run(count, SORT_CHUNK, (from, to) => exports.countDigits(digits, from, to, offsets), 0);
    const longest = exports.scanCounts(offsets, next, buckets);
    group.setIdentity(running);
    group.setIdentity(sum);
    if (longest > 0) {
      await steps.run(count, SORT_CHUNK, (from, to) => exports.scatterDigits(digits, list, from, to, next, sorted), 0);
      const slotsLongest = Math.ceil(longest / 2);
      for (let stride = 0; stride < slotsLongest; stride = stride === 0 ? 1 : 2 * stride) {
        memory.clear(cursor, 8);
        await steps.repeat(() => group.addPairs(cursor, bases, sorted, offsets, buckets, stride, slots, scratch) !== 0);
      }
      steps.advance(count);
      await steps.run(
        buckets,
        ADD_CHUNK,
        (from, to) => group.sumSlots(running, sum, offsets, slots, buckets - from, buckets - to),
        BUCKET_WEIGHT,
      );
    } else {
      steps.advance(count + BUCKET_WEIGHT * buckets);
    }
  };
}
