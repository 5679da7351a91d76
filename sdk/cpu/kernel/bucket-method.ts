import type { Curve } from '../../curves/index.js';
import type { MultiplesPlan } from '../../msm/multiples.js';
import { mergeEqualScalars } from './equal-scalars.js';
import type { CoreExports, EndomorphismExports, GroupExports } from './exports.js';
import type { KernelTask } from './kernel-task.js';
import type { KernelMemory } from './memory.js';
import { SignedDigits, type Windows } from './signed-digits.js';
import { Steps } from './steps.js';
import type { Terms } from './terms.js';
import { cheapestWindow, cpuWindowBits, rowBuckets, windowBuckets, windowCost } from './window-bits.js';
import { addWindows, BUCKET_WEIGHT } from './window-sums.js';

/**
 * The bases of a multiplication: `loaded` ones, or some of these. With a plan all first multiples of the loaded ones follow them, then all
 * second ones, and so on.
 */
export interface BasesInMemory {
  /** The address of the first base of the multiplication. */
  readonly at: number;
  readonly loaded: number;
  readonly plan: MultiplesPlan | undefined;
}

/**
 * Multiples are used where they save at least this part of the additions: these take longer then, because the bases lie in more memory than a
 * cache holds. Measured with 8 multiples of 2^15 bases and fewer and fewer scalars.
 */
const LEAST_SAVING = 0.12;

/** Bases with their multiples: multiple j of a base is j strides of bytes behind it. */
interface Multiples {
  readonly bases: BasesInMemory;
  readonly stride: number;
}

/**
 * Pippenger's bucket method with signed digits (Bernstein, Doumen, Lange, Oosterwijk, "Faster batch forgery identification",
 * 2012/549, section 4): sum k_i P_i over points and scalars in a kernel's memory. Zero scalars are dropped, points of equal scalars are
 * added first, and scalars are split into halves where the group has an endomorphism. Precomputed multiples of the points are used where they pay;
 * sums of points have none, so the points whose scalar occurs once are then multiplied apart from these.
 */
export class BucketMethod {
  /** @param endomorphism the group's endomorphism, undefined if it has none. */
  constructor(
    private readonly exports: CoreExports,
    private readonly group: GroupExports,
    private readonly endomorphism: EndomorphismExports | undefined,
    private readonly memory: KernelMemory,
    private readonly allocate: (bytes: number) => number,
    private readonly curve: Curve,
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
    const nonzero = exports.scalars_listNonzero(scalars, count, numbers);
    if (nonzero === 0) return;
    const references = allocate(4 * nonzero);
    exports.listReferences(bases.at, group.baseSize(), numbers, nonzero, references);
    const all: Terms = { references, numbers, count: nonzero };
    const multiples: Multiples = { bases, stride: bases.loaded * group.baseSize() };
    // For progress, looking up a scalar and adding its point to those with the same scalar counts as at most two additions.
    const steps = new Steps(task, this.workOf(this.windowsFor(nonzero, windowBits), nonzero) + 2 * nonzero);
    const pays = (some: number): boolean => this.pays(bases.plan, some);
    const merged = await mergeEqualScalars(exports, group, memory, allocate, steps, scalars, all, pays);
    if (merged === undefined) return this.addTerms(steps, all, scalars, windowBits, sum, multiples);
    const { sums, singles } = merged;
    if (singles === undefined) return this.addTerms(steps, sums, scalars, windowBits, sum);
    // Cutting digits overwrites the scalars, so those of the sums are copied before.
    const copied = this.copyScalars(scalars, sums);
    await this.addTerms(steps, singles, scalars, windowBits, sum, multiples);
    const other = allocate(group.sumSize());
    group.setIdentity(other);
    await this.addTerms(steps, copied.terms, copied.scalars, windowBits, other);
    group.shiftAndAdd(sum, other, 0);
  }

  /** sum += sum k_i P_i over terms; sum is infinity. Multiples of the points are used if they pay. */
  private async addTerms(
    steps: Steps,
    terms: Terms,
    scalars: number,
    windowBits: number | undefined,
    sum: number,
    multiples?: Multiples,
  ): Promise<void> {
    const { exports, group, memory, allocate } = this;
    if (terms.count === 0) return;
    const plan =
      multiples !== undefined && this.pays(multiples.bases.plan, terms.count) ? multiples.bases.plan : undefined;
    const windows = this.windowsFor(terms.count, plan?.windowBits ?? windowBits, plan?.rows);
    steps.expectRest(this.workOf(windows, terms.count));
    const references = [terms.references];
    while (references.length * windows.rows < windows.buckets.length) {
      const at = multiples!.bases.at + references.length * multiples!.stride;
      const list = allocate(4 * terms.count);
      exports.listReferences(at, group.baseSize(), terms.numbers, terms.count, list);
      references.push(list);
    }
    const digits = await SignedDigits.of(exports, this.endomorphism, memory, steps, scalars, terms, windows);
    await addWindows({ exports, group }, this.endomorphism, memory, allocate, steps, references, digits, sum);
  }

  /** Whether a multiplication of so many terms takes less with the multiples of a plan than without. */
  private pays(plan: MultiplesPlan | undefined, count: number): boolean {
    if (plan === undefined) return false;
    const { parts, buckets } = this.windowsFor(count, plan.windowBits);
    const alone = cheapestWindow(parts * count, this.scalarLength, 1).cost;
    return windowCost(parts * count, buckets, plan.rows) <= (1 - LEAST_SAVING) * alone;
  }

  /** The terms' scalars, in a memory of their own. */
  private copyScalars(scalars: number, { numbers, ...terms }: Terms): { terms: Terms; scalars: number } {
    const { memory, allocate } = this;
    const own = { ...terms, numbers: allocate(4 * terms.count) };
    const { scalarBytes } = this.curve;
    const copy = allocate(scalarBytes * terms.count);
    const order = memory.viewUint32(own.numbers, terms.count);
    for (const [k, number] of memory.viewUint32(numbers, terms.count).entries()) {
      order[k] = k;
      memory.copy(copy + scalarBytes * k, scalars + scalarBytes * number, scalarBytes);
    }
    return { terms: own, scalars: copy };
  }

  /** @param rows the rows of buckets; as many as windows if left out. */
  private windowsFor(count: number, windowBits: number | undefined, rows?: number): Windows {
    const parts = this.endomorphism === undefined ? 1 : 2;
    const bits = windowBits ?? cpuWindowBits(parts * count, this.scalarLength);
    const buckets = windowBuckets(this.scalarLength, bits);
    return {
      scalarBytes: this.curve.scalarBytes,
      parts,
      bits,
      buckets,
      rows: Math.min(rows ?? buckets.length, buckets.length),
    };
  }

  /** Bits of a scalar, or of its halves. */
  private get scalarLength(): number {
    return this.endomorphism?.halfBits() ?? this.curve.fr.bits;
  }

  /** The additions that a multiplication takes, for progress. */
  private workOf({ parts, buckets, rows }: Windows, count: number): number {
    const additions = buckets.length * parts * count;
    return rowBuckets(buckets, rows).reduce((work, some) => work + (parts - 1 + BUCKET_WEIGHT) * some, additions);
  }
}
