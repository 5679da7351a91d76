import type { MultiplesPlan } from '../../msm/multiples.js';
import { mergeEqualScalars, type Terms } from './equal-scalars.js';
import type { CoreExports, EndomorphismExports, GroupExports } from './exports.js';
import type { KernelTask } from './kernel-task.js';
import type { KernelMemory } from './memory.js';
import { SignedDigits, type Windows } from './signed-digits.js';
import { Steps } from './steps.js';
import { cpuWindowBits, rowBuckets, windowBuckets } from './window-bits.js';
import { addWindows, BUCKET_WEIGHT } from './window-sums.js';

/** The bases of a multiplication. With a plan all their first multiples follow them, then all their second ones, and so on. */
export interface BasesInMemory {
  readonly at: number;
  readonly plan: MultiplesPlan | undefined;
}

/**
 * Pippenger's bucket method with signed digits (Bernstein, Doumen, Lange, Oosterwijk, "Faster batch forgery identification",
 * 2012/549, section 4): sum k_i P_i over points and scalars in a kernel's memory. Zero scalars are dropped, points of equal scalars are
 * added first, and scalars are split into halves where the group has an endomorphism. Precomputed multiples of the points are used unless
 * points were added first, which have none.
 */
export class BucketMethod {
  /** @param endomorphism the group's endomorphism, undefined if it has none. */
  constructor(
    private readonly exports: CoreExports,
    private readonly group: GroupExports,
    private readonly endomorphism: EndomorphismExports | undefined,
    private readonly memory: KernelMemory,
    private readonly allocate: (bytes: number) => number,
    private readonly scalarBits: number,
  ) {}

  /** sum += sum k_i P_i of `count` bases and scalars below the group's order at `scalars`, which are overwritten. */
  async addProducts(
    bases: BasesInMemory,
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
    const referTo = (multiple: number): number => {
      const references = allocate(4 * nonzero);
      const at = bases.at + multiple * count * group.baseSize();
      exports.listReferences(at, group.baseSize(), numbers, nonzero, references);
      return references;
    };
    const all: Terms = { references: referTo(0), numbers, count: nonzero };
    // For progress, looking up a scalar and adding its point to those with the same scalar counts as at most two additions.
    const steps = new Steps(task, this.workOf(this.windowsFor(nonzero, windowBits), nonzero) + 2 * nonzero);
    const merged = await mergeEqualScalars(exports, group, memory, allocate, steps, scalars, all);
    const terms = merged ?? all;
    if (terms.count === 0) return;
    const plan = merged === undefined ? bases.plan : undefined;
    const windows = this.windowsFor(terms.count, plan?.windowBits ?? windowBits, plan?.rows);
    const references = [terms.references];
    while (references.length * windows.rows < windows.buckets.length) references.push(referTo(references.length));
    steps.expectRest(this.workOf(windows, terms.count));
    const digits = await SignedDigits.of(exports, this.endomorphism, memory, steps, scalars, terms, windows);
    await addWindows({ exports, group }, this.endomorphism, memory, allocate, steps, references, digits, sum);
  }

  /** @param rows the rows of buckets; as many as windows if left out. */
  private windowsFor(count: number, windowBits: number | undefined, rows?: number): Windows {
    const parts = this.endomorphism === undefined ? 1 : 2;
    const length = this.endomorphism?.halfBits() ?? this.scalarBits;
    const bits = windowBits ?? cpuWindowBits(parts * count, length);
    const buckets = windowBuckets(length, bits);
    return { parts, bits, buckets, rows: Math.min(rows ?? buckets.length, buckets.length) };
  }

  /** The additions that a multiplication takes, for progress. */
  private workOf({ parts, buckets, rows }: Windows, count: number): number {
    const additions = buckets.length * parts * count;
    return rowBuckets(buckets, rows).reduce((work, some) => work + (parts - 1 + BUCKET_WEIGHT) * some, additions);
  }
}
