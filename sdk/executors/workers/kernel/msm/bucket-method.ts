import { bigintToBytes } from '../../../../base/bytes.js';
import type { MultiplesPlan } from '../../../../bases/multiples.js';
import { CURVES, type Curve, type GroupId } from '../../../../curves/index.js';
import type { EndomorphismExports } from '../exports.js';
import { expectGroup, type WholeInstance } from '../kernel-instance.js';
import type { Allocate } from '../memory.js';
import { type KernelTask, Steps } from '../steps.js';
import { mergeEqualScalars } from './equal-scalars.js';
import { SignedDigits, type Terms } from './signed-digits.js';
import { addWindows, BUCKET_WEIGHT } from './window-sums.js';
import { chooseWindows, multiplesPay, rowBuckets, type ScalarLength, type Windows } from './windows.js';
import type { ScalarsWorkspace } from './workspace.js';

/** The bases of an MSM. With precomputation, multiple j of a base is j strides of bytes behind it. */
export interface BasesInMemory {
  /** The address of the first base of the multiplication. */
  readonly at: number;
  /** The bytes from a multiple of a base to the next. */
  readonly stride: number;
  readonly plan: MultiplesPlan | undefined;
}

/** Scalars that one call into WASM centres: well under a millisecond's work. */
const CENTRE_CHUNK = 1 << 14;
/**
 * How many additions centring a scalar counts as in progress, and about the most that a scalar takes, until the windows
 * are known.
 */
const CENTRE_WEIGHT = 1 / 16;
const MOST_ADDITIONS = 100;

/** Bases with their multiples. */
interface Multiples {
  readonly bases: BasesInMemory;
  /** The address of a byte for each base: whether its opposite is meant. */
  readonly signs: number;
}

/**
 * Terms, the address of the scalars that they index, and the multiples of their points, undefined for merged points.
 */
interface Products {
  readonly terms: Terms;
  readonly scalars: number;
  readonly multiples?: Multiples;
}

/**
 * Pippenger's bucket method with signed digits (Bernstein, Doumen, Lange, Oosterwijk, "Faster batch forgery
 * identification", 2012/549, section 4): sum k_i P_i over points and scalars in a kernel's memory. Scalars above half
 * the order r count as negative numbers, k - r. Zeros are dropped, points whose scalars are equal up to their sign are
 * merged by addition first, and scalars are split into halves where the group has an endomorphism, unless all are
 * short. Precomputed multiples of the points are used where they pay; merged points have none, so the points whose
 * scalar occurs once then form an MSM apart from them.
 */
export class BucketMethod {
  private readonly workspace: ScalarsWorkspace;
  private readonly curve: Curve;
  /** The group's endomorphism, undefined if it has none. */
  private readonly endomorphism: EndomorphismExports | undefined;

  constructor(instance: WholeInstance, group: GroupId, allocate: Allocate, task: KernelTask | undefined) {
    const { core: exports, memory } = instance;
    this.workspace = { exports, group: expectGroup(instance, group), memory, allocate, steps: new Steps(task, 1) };
    this.curve = CURVES[instance.curve];
    this.endomorphism = group === 'g1' ? instance.endomorphism : undefined;
  }

  /** sum += sum k_i P_i of `count` bases and scalars below the group's order at `scalars`, which are overwritten. */
  async addProducts(
    bases: BasesInMemory,
    scalars: number,
    count: number,
    windowBits: number | undefined,
    sum: number,
  ): Promise<void> {
    const { exports, group, allocate, steps } = this.workspace;
    steps.expectRest(MOST_ADDITIONS * count);
    const { signs, bits } = await this.centre(scalars, count);
    const numbers = allocate(4 * count);
    const nonzero = exports.scalars_listNonzero(scalars, count, numbers);
    if (nonzero === 0) return;
    const length: ScalarLength = { bits, halfBits: this.endomorphism?.halfBits(), scalarBytes: this.curve.scalarBytes };
    const references = allocate(4 * nonzero);
    exports.listReferences(bases.at, group.baseSize(), numbers, nonzero, signs, references);
    const all: Terms = { references, numbers, count: nonzero };
    const multiples: Multiples = { bases, signs };
    // For progress, looking up a scalar and adding its point to those with the same scalar counts as at most two
    // additions.
    steps.expectRest(workOf(chooseWindows(nonzero, length, windowBits), nonzero) + 2 * nonzero);
    const pays = (some: number): boolean => multiplesPay(bases.plan, some, length);
    const merged = await mergeEqualScalars(this.workspace, scalars, all, pays);
    if (merged === undefined) return this.addTerms({ terms: all, scalars, multiples }, length, windowBits, sum);
    const { sums, singles } = merged;
    if (singles === undefined) return this.addTerms({ terms: sums, scalars }, length, windowBits, sum);
    // Cutting digits overwrites the scalars, so the scalars of merged points are copied before.
    const copied = this.copyScalars(scalars, sums);
    await this.addTerms({ terms: singles, scalars, multiples }, length, windowBits, sum);
    const other = allocate(group.sumSize());
    group.setIdentity(other);
    await this.addTerms(copied, length, windowBits, other);
    group.shiftAndAdd(sum, other, 0);
  }

  /**
   * Replaces scalars s by r - s where that is smaller. Returns the address of one byte per scalar, 1 where it was
   * replaced, and the bits of the longest scalar, at least 1.
   */
  private async centre(scalars: number, count: number): Promise<{ signs: number; bits: number }> {
    const { exports, memory, allocate, steps } = this.workspace;
    const signs = allocate(count);
    const { scalarBytes, fr } = this.curve;
    const order = allocate(scalarBytes);
    memory.write(order, bigintToBytes(fr.modulus, scalarBytes));
    let bits = 1;
    const centre = (from: number, to: number): void => {
      bits = Math.max(bits, exports.scalars_centre(scalars, from, to, order, signs));
    };
    await steps.run(count, CENTRE_CHUNK, centre, CENTRE_WEIGHT);
    return { signs, bits };
  }

  /** sum += sum k_i P_i over terms; sum is infinity. Multiples of the points are used if they pay. */
  private async addTerms(
    { terms, scalars, multiples }: Products,
    length: ScalarLength,
    windowBits: number | undefined,
    sum: number,
  ): Promise<void> {
    const { exports, group, allocate, steps } = this.workspace;
    if (terms.count === 0) return;
    const known = multiples?.bases.plan;
    const plan = multiplesPay(known, terms.count, length) ? known : undefined;
    const windows = chooseWindows(terms.count, length, windowBits, plan);
    steps.expectRest(workOf(windows, terms.count));
    const references = [terms.references];
    while (references.length * windows.rows < windows.buckets.length) {
      const { bases, signs } = multiples!;
      const list = allocate(4 * terms.count);
      const at = bases.at + references.length * bases.stride;
      exports.listReferences(at, group.baseSize(), terms.numbers, terms.count, signs, list);
      references.push(list);
    }
    const split = windows.parts === 2 ? this.endomorphism : undefined;
    const digits = await SignedDigits.of(this.workspace, split, scalars, terms, windows);
    await addWindows(this.workspace, split, references, digits, sum);
  }

  /** The terms' scalars, in a memory of their own. */
  private copyScalars(scalars: number, { numbers, ...terms }: Terms): Products {
    const { memory, allocate } = this.workspace;
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
}

/** The additions that an MSM takes, for progress. */
function workOf({ parts, buckets, rows }: Windows, count: number): number {
  const additions = buckets.length * parts * count;
  return rowBuckets(buckets, rows).reduce((work, some) => work + (parts - 1 + BUCKET_WEIGHT) * some, additions);
}
