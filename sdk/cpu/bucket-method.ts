import { mergeEqualScalars, type Terms } from './equal-scalars.js';
import { type CurveExports, canMap, canSort, canSplit, type GroupExports, hasPairTree } from './exports.js';
import type { KernelTask } from './kernel-api.js';
import type { KernelMemory } from './memory.js';
import { Steps } from './steps.js';
import { cpuWindowBits, windowBuckets } from './window-bits.js';
import {
  ADD_CHUNK,
  addWindows,
  addWindowsInPairs,
  BUCKET_WEIGHT,
  BUCKET_WEIGHT_IN_PAIRS,
  type Windows,
} from './window-sums.js';

/** Fewest points for which sorting them and sharing inversions pays. */
const MIN_PAIR_TREE_POINTS = 512;
/** Fewest points among which equal scalars are looked for. */
const MIN_MERGED_POINTS = 512;
/** Bits of the halves of split scalars: wasm/endomorphism.ts has their bound. */
const HALF_BITS = 126;
/** Scalars whose digits are cut by one call into WASM: about a millisecond's work. */
const CUT_CHUNK = 1 << 13;

/**
 * Pippenger's bucket method with signed digits (Bernstein, Doumen, Lange, Oosterwijk, "Faster batch forgery identification",
 * 2012/549, section 4): sum k_i P_i over points and scalars in a kernel's memory. Zeros are dropped; ones, or all that are equal, are
 * summed beforehand.
 */
export class BucketMethod {
  constructor(
    private readonly exports: CurveExports,
    private readonly group: GroupExports,
    private readonly memory: KernelMemory,
    private readonly allocate: (bytes: number) => number,
    private readonly scalarBits: number,
  ) {}

  /** sum += sum k_i P_i of `count` points at `points` and scalars at `scalars`. */
  async addProducts(
    points: number,
    scalars: number,
    count: number,
    windowBits: number | undefined,
    sum: number,
    task?: KernelTask,
  ): Promise<void> {
    const { exports, group, memory, allocate } = this;
    const numbers = allocate(4 * count);
    const ones = allocate(4 * count);
    const onesCountAt = allocate(4);
    const fullCount = exports.classifyScalars(scalars, count, numbers, ones, onesCountAt);
    const onesCount = memory.readUint32(onesCountAt);
    memory.copy(numbers + 4 * fullCount, ones, 4 * onesCount);
    const all = fullCount + onesCount;
    const references = allocate(4 * all);
    exports.listReferences(points, group.baseSize(), numbers, all, references);

    const steps = new Steps(task, this.workOf(all, windowBits) + 2 * all);
    let terms: Terms = { references, numbers, count: fullCount };
    let alone: Terms = { references: references + 4 * fullCount, numbers: ones, count: onesCount };
    if (all >= MIN_MERGED_POINTS) {
      const whole = { references, numbers, count: all };
      const merged = await mergeEqualScalars(exports, group, memory, allocate, steps, scalars, whole);
      if (merged !== undefined) {
        terms = merged;
        alone = { ...alone, count: 0 };
      }
    }
    steps.expectRest(this.workOf(terms.count, windowBits) + alone.count);
    if (terms.count > 0) await this.addTerms(scalars, terms, windowBits, steps, sum);
    await steps.run(alone.count, ADD_CHUNK, (from, to) => group.addListed(sum, alone.references, from, to));
  }

  /** sum += sum k_i P_i over terms, at least one. */
  private async addTerms(
    scalars: number,
    terms: Terms,
    windowBits: number | undefined,
    steps: Steps,
    sum: number,
  ): Promise<void> {
    const { exports, group, memory, allocate } = this;
    const windows = await this.cutWindows(scalars, terms, windowBits, steps);
    if (this.addsInPairs(windows.count) && canSort(exports) && hasPairTree(group)) {
      await addWindowsInPairs(exports, group, memory, allocate, steps, windows, sum);
    } else {
      await addWindows(group, allocate, steps, windows, sum);
    }
  }

  /** The digits of the terms' scalars, or of their halves where the group has an endomorphism that goes with these. */
  private async cutWindows(
    scalars: number,
    { references, numbers, count }: Terms,
    windowBits: number | undefined,
    steps: Steps,
  ): Promise<Windows> {
    const { exports, group, memory, allocate } = this;
    const { c, buckets, points } = this.windowsOf(count, windowBits);
    const digits = allocate(4 * buckets.length * points);
    if (!canSplit(exports) || !canMap(group)) {
      const cut = (from: number, to: number) =>
        exports.cutListedDigits(scalars, numbers, count, from, to, c, buckets.length, digits);
      await steps.run(count, CUT_CHUNK, cut, 0);
      return { references, count, digits, windowBits: c, buckets };
    }
    const halves = allocate(16 * points);
    const both = allocate(4 * points);
    const images = allocate((count + 1) * group.baseSize());
    memory.copy(both, references, 4 * count);
    const map = (from: number, to: number) => group.mapPoints(both, from, to, images, both + 4 * count);
    await steps.run(count, CUT_CHUNK, map, 0);
    const split = (from: number, to: number) => exports.splitScalars(scalars, numbers, count, from, to, halves, both);
    await steps.run(count, CUT_CHUNK, split, 0);
    const cut = (from: number, to: number) => exports.cutHalves(halves, points, from, to, c, buckets.length, digits);
    await steps.run(points, CUT_CHUNK, cut, 0);
    return { references: both, count: points, digits, windowBits: c, buckets };
  }

  /** The windows for `count` terms, and how many points go into each. */
  private windowsOf(
    count: number,
    windowBits: number | undefined,
  ): { readonly c: number; readonly buckets: number[]; readonly points: number } {
    const split = canSplit(this.exports) && canMap(this.group);
    const points = split ? 2 * count : count;
    const bits = split ? HALF_BITS : this.scalarBits;
    const c = windowBits ?? cpuWindowBits(points, bits, this.addsInPairs(points));
    return { c, buckets: windowBuckets(bits, c), points };
  }

  /** Additions to come for so many terms, for progress. */
  private workOf(count: number, windowBits: number | undefined): number {
    if (count === 0) return 0;
    const { buckets, points } = this.windowsOf(count, windowBits);
    const weight = this.addsInPairs(points) ? BUCKET_WEIGHT_IN_PAIRS : BUCKET_WEIGHT;
    return buckets.reduce((work, some) => work + points + weight * some, 0);
  }

  private addsInPairs(points: number): boolean {
    return points >= MIN_PAIR_TREE_POINTS && hasPairTree(this.group);
  }
}
