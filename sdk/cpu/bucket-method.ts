import { mergeEqualScalars, type Terms } from './equal-scalars.js';
import { type CurveExports, type GroupExports, type SplitKernels, splitKernels } from './exports.js';
import type { KernelTask } from './kernel-api.js';
import type { KernelMemory } from './memory.js';
import { Steps } from './steps.js';
import { cpuWindowBits, windowBuckets } from './window-bits.js';
import { addWindows, BUCKET_WEIGHT, type Windows } from './window-sums.js';

/** Bits of the halves of split scalars: wasm/split-bn254.ts and wasm/split-bls12-377.ts have their bounds. */
const HALF_BITS = 126;
/** Scalars whose digits are cut by one call into WASM: about a millisecond's work. */
const CUT_CHUNK = 1 << 13;

/** How digits are cut: for how many points, of numbers below 2^bits, into windows of c bits with these buckets. */
interface Cut {
  readonly points: number;
  readonly c: number;
  readonly buckets: readonly number[];
}

/**
 * Pippenger's bucket method with signed digits (Bernstein, Doumen, Lange, Oosterwijk, "Faster batch forgery identification",
 * 2012/549, section 4): sum k_i P_i over points and scalars in a kernel's memory. Zeros are dropped, points of equal scalars added
 * first, and scalars halved where the group has an endomorphism for that.
 */
export class BucketMethod {
  private readonly split: SplitKernels | undefined;

  constructor(
    private readonly exports: CurveExports,
    private readonly group: GroupExports,
    private readonly memory: KernelMemory,
    private readonly allocate: (bytes: number) => number,
    private readonly scalarBits: number,
  ) {
    this.split = splitKernels(exports, group);
  }

  /** sum += sum k_i P_i of `count` points at `points` and scalars below the group's order at `scalars`. */
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
    const nonzero = exports.listNonzero(scalars, count, numbers);
    if (nonzero === 0) return;
    const references = allocate(4 * nonzero);
    exports.listReferences(points, group.baseSize(), numbers, nonzero, references);

    const all: Terms = { references, numbers, count: nonzero };
    // Looking up and adding equal ones counts for at most two additions each.
    const steps = new Steps(task, this.workOf(this.cutFor(nonzero, windowBits)) + 2 * nonzero);
    const merged = await mergeEqualScalars(exports, group, memory, allocate, steps, scalars, all);
    const terms = merged ?? all;
    if (terms.count === 0) return;
    const cut = this.cutFor(terms.count, windowBits);
    steps.expectRest(this.workOf(cut));
    const windows = await this.cutWindows(scalars, terms, cut, steps);
    await addWindows({ exports, group }, memory, allocate, steps, windows, sum);
  }

  private cutFor(count: number, windowBits: number | undefined): Cut {
    const points = this.split === undefined ? count : 2 * count;
    const bits = this.split === undefined ? this.scalarBits : HALF_BITS;
    const c = windowBits ?? cpuWindowBits(points, bits);
    return { points, c, buckets: windowBuckets(bits, c) };
  }

  /** Additions to come, for progress. */
  private workOf({ points, buckets }: Cut): number {
    return buckets.reduce((work, some) => work + points + BUCKET_WEIGHT * some, 0);
  }

  /** The digits of the terms' scalars, or of their halves, which belong to the points and to their images. */
  private async cutWindows(
    scalars: number,
    { references, numbers, count }: Terms,
    { points, c, buckets }: Cut,
    steps: Steps,
  ): Promise<Windows> {
    const { exports, memory, allocate, split } = this;
    const windows = buckets.length;
    const digits = allocate(4 * windows * points);
    if (split === undefined) {
      const cut = (from: number, to: number) =>
        exports.cutListedDigits(scalars, numbers, count, from, to, c, windows, digits);
      await steps.run(count, CUT_CHUNK, cut, 0);
      return { references, count, digits, windowBits: c, buckets };
    }
    const halves = allocate(16 * points);
    const both = allocate(4 * points);
    const images = allocate((count + 1) * split.group.baseSize());
    memory.copy(both, references, 4 * count);
    const map = (from: number, to: number) => split.group.mapPoints(both, from, to, images, both + 4 * count);
    await steps.run(count, CUT_CHUNK, map, 0);
    const halve = (from: number, to: number) =>
      split.exports.splitScalars(scalars, numbers, count, from, to, halves, both);
    await steps.run(count, CUT_CHUNK, halve, 0);
    const cut = (from: number, to: number) => split.exports.cutHalves(halves, points, from, to, c, windows, digits);
    await steps.run(points, CUT_CHUNK, cut, 0);
    return { references: both, count: points, digits, windowBits: c, buckets };
  }
}
