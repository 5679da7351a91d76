import { bigintToBytes, bytesToBigint, newBytes } from '../../../../base/bytes.js';
import { PippinError } from '../../../../base/errors.js';
import { preparedPointBytes } from '../../../../bases/prepared.js';
import { CURVES, type GroupId, pointBytes } from '../../../../curves/index.js';
import { reverseCoordinates } from '../../../../curves/point-bytes.js';
import { countOf, expectGroup, type WholeInstance } from '../kernel-instance.js';
import { loadPrepared } from '../load-prepared.js';
import { PairTree } from '../msm/pair-tree.js';
import type { Workspace } from '../msm/workspace.js';
import { RootKernel } from '../root-kernel.js';
import { type KernelTask, Steps } from '../steps.js';
import { SIGN } from './point-pairs.js';
import { outsideSubgroup, ROWS } from './point-rows.js';
import { halfOfScalar, signedWindows } from './scale-points.js';

/** What a term's point is multiplied by: 1, -1, or the next of the scalars. */
export const FACTOR = { one: 0, minusOne: 1, scalar: 2 } as const;

/** Points that are written in one call. */
const WRITTEN = 1024;
/** Scalars with at most so many digits of 1 and -1, such as powers of two, need no table of odd multiples. */
const FEW_DIGITS = 8;
/** Shorter scalars are not split in halves, which would have about as many bits. */
const SPLIT_FROM_BITS = 140;

export interface LinearCombinationsArgs {
  readonly group: GroupId;
  /** A prepared point of the subgroup of prime order for each term. */
  readonly points: Uint8Array;
  /** A `FACTOR` for each term. */
  readonly factors: Uint8Array;
  /** The canonical scalars of the terms that have one. */
  readonly scalars: Uint8Array;
  /** Sum i has the terms from offsets[i] to offsets[i + 1]. */
  readonly offsets: Uint32Array;
  /** The curve's compiled module of square roots, which also writes points in other forms. */
  readonly module: WebAssembly.Module;
}

/** The digits of a term's scalar, or of half of it, and the first of the table's rows that they select from. */
interface Digits {
  readonly term: number;
  readonly values: Int8Array;
  readonly isNegative: boolean;
  /** -1 where all digits are 1 or -1, of the point itself; otherwise 0, or `ROWS` for the images of the points. */
  readonly firstRow: number;
}

/**
 * Sums of a few points each, with scalars of which most are 1 or -1, such as the columns of a circuit's matrices:
 * affine as in a .zkey, and then once more as ceremonies hash them, canonical and big-endian, c1 before c0. Infinity is
 * all zero. All sums take the same steps of double-and-add, so that the additions of a step share inversions; a sum
 * takes part from its highest digit on.
 */
export async function linearCombinations(
  instance: WholeInstance,
  args: LinearCombinationsArgs,
  task: KernelTask | undefined,
): Promise<Uint8Array> {
  const { group: id, points, factors, offsets, module } = args;
  const { curve, memory } = instance;
  const [packedBytes, bytes] = [preparedPointBytes(curve, id), pointBytes(curve, id)];
  const terms = countOf(points, packedBytes, 'prepared points');
  const count = offsets.length - 1;
  if (factors.length !== terms || offsets.at(-1) !== terms) {
    throw new PippinError(
      'INVALID_LENGTH',
      `expected a factor for each of ${terms} points in sums, got ${factors.length} for ${offsets.at(-1)} terms`,
    );
  }
  const written = newBytes(2 * count * bytes);
  if (count === 0) return written;
  const roots = await RootKernel.of(instance, module);
  await memory.scope(async (allocate) => {
    const group = expectGroup(instance, id);
    const steps = new Steps(task, terms);
    const bases = allocate(terms * group.baseSize());
    const packed = allocate(Math.max(terms, WRITTEN) * packedBytes);
    loadPrepared(memory, group, { points, bytes: packedBytes, packed, target: bases });
    const workspace = { exports: instance.core, group, memory, allocate, steps };
    const sums = new Combinations(workspace, instance, args);
    const references = await sums.compute(bases);
    const finite = [...references.keys()].filter((sum) => references[sum] !== 0);
    const together = allocate(WRITTEN * group.baseSize());
    for (let from = 0; from < finite.length; from += WRITTEN) {
      const some = finite.slice(from, from + WRITTEN);
      for (const [i, sum] of some.entries()) {
        memory.copy(together + i * group.baseSize(), 8 * references[sum]!, group.baseSize());
      }
      if (group.storeMultiples(together, some.length, packed, 0) === 0) throw outsideSubgroup();
      const view = memory.view(packed, some.length * packedBytes);
      const [zkeyForm, canonical] = [roots.toMontgomery(id, view), roots.toCanonical(id, view)];
      reverseCoordinates(canonical, bytes);
      for (const [i, sum] of some.entries()) {
        written.set(zkeyForm.subarray(i * bytes, (i + 1) * bytes), sum * bytes);
        written.set(canonical.subarray(i * bytes, (i + 1) * bytes), (count + sum) * bytes);
      }
    }
  });
  return written;
}

/** The digits of all terms and the tables that they select from. */
class Combinations {
  private readonly digits: Digits[];
  /** The terms with a table, and the place of each among them. */
  private readonly tabled: readonly number[];

  constructor(
    private readonly workspace: Workspace,
    private readonly instance: WholeInstance,
    private readonly args: LinearCombinationsArgs,
  ) {
    this.digits = this.scalarDigits();
    this.tabled = [...new Set(this.digits.flatMap(({ term, firstRow }) => (firstRow < 0 ? [] : [term])))];
  }

  /** References to the sums, 0 for infinity. */
  async compute(bases: number): Promise<Uint32Array> {
    const { memory, allocate, group, steps } = this.workspace;
    const { factors, offsets } = this.args;
    const count = offsets.length - 1;
    const sumOf = new Uint32Array(factors.length);
    for (let sum = 0; sum < count; sum++) sumOf.fill(sum, offsets[sum]!, offsets[sum + 1]!);

    // The addends of each place: sums and references by turns.
    const places: number[][] = [[]];
    const highest = new Uint16Array(count);
    const add = (place: number, term: number, reference: number, isNegative: boolean): void => {
      while (places.length <= place) places.push([]);
      places[place]!.push(sumOf[term]!, isNegative ? reference + SIGN : reference);
      highest[sumOf[term]!] = Math.max(highest[sumOf[term]!]!, place);
    };
    const baseSize = group.baseSize() / 8;
    for (const [term, factor] of factors.entries()) {
      if (factor !== FACTOR.scalar) add(0, term, bases / 8 + term * baseSize, factor === FACTOR.minusOne);
    }
    const rows = await this.tables(bases);
    for (const { term, values, isNegative, firstRow } of this.digits) {
      const at = firstRow < 0 ? bases / 8 + term * baseSize : 0;
      for (const [place, digit] of values.entries()) {
        if (digit === 0) continue;
        const row = firstRow < 0 ? at : rows.get(term)![firstRow + ((Math.abs(digit) - 1) >> 1)]!;
        add(place, term, row, digit < 0 !== isNegative);
      }
    }

    // Sums with higher digits come first, so that those that take part at a place are the first ones.
    const order = [...highest.keys()].sort((a, b) => highest[b]! - highest[a]!);
    const bucketOf = new Uint32Array(count);
    for (const [bucket, sum] of order.entries()) bucketOf[sum] = bucket;
    const active = places.map((_, place) => order.filter((sum) => highest[sum]! >= place).length);
    const entries = Math.max(...places.map((addends, place) => 2 * active[place]! + addends.length / 2));
    const tree = new PairTree(this.workspace, entries, count);
    steps.expectRest(places.reduce((all, addends) => all + addends.length / 2, 0));
    const references = allocate(4 * count);
    let partial: Uint32Array = new Uint32Array(0);
    for (let place = places.length - 1; place >= 0; place--) {
      const buckets = active[place]!;
      const pairs = places[place]!;
      for (let i = 0; i < pairs.length; i += 2) pairs[i] = bucketOf[pairs[i]!]!;
      this.sort(tree, buckets, partial, pairs);
      await tree.sumSorted(buckets, pairs.length / 2);
      group.referToSums(tree.sums, 0, buckets, references);
      partial = memory.viewUint32(references, buckets).slice();
    }
    return bucketOf.map((bucket) => partial[bucket]!);
  }

  /** Lists, bucket by bucket, each partial sum twice, which doubles it, and the addends. */
  private sort(tree: PairTree, buckets: number, partial: Uint32Array, pairs: readonly number[]): void {
    const { memory } = this.workspace;
    const offsets = memory.viewUint32(tree.offsets, buckets + 1).fill(0);
    for (const [bucket, reference] of partial.entries()) if (reference !== 0) offsets[bucket + 1] = 2;
    for (let i = 0; i < pairs.length; i += 2) offsets[pairs[i]! + 1]!++;
    for (let bucket = 0; bucket < buckets; bucket++) offsets[bucket + 1]! += offsets[bucket]!;
    const sorted = memory.viewUint32(tree.sorted, offsets[buckets]!);
    const next = offsets.slice();
    for (const [bucket, reference] of partial.entries()) {
      if (reference === 0) continue;
      sorted[next[bucket]!++] = reference;
      sorted[next[bucket]!++] = reference;
    }
    for (let i = 0; i < pairs.length; i += 2) sorted[next[pairs[i]!]!++] = pairs[i + 1]!;
  }

  /** For each term with a table the references to P, 3 P, .. 15 P, and to the images of these where there are any. */
  private async tables(bases: number): Promise<ReadonlyMap<number, readonly number[]>> {
    const { tabled } = this;
    const rows = new Map<number, number[]>();
    if (tabled.length === 0) return rows;
    const { group, memory, allocate } = this.workspace;
    const size = group.baseSize();
    // Points are mapped two by two, so that there is room for one more.
    const rowBytes = (tabled.length + (tabled.length & 1)) * size;
    const isMapped = this.digits.some(({ firstRow }) => firstRow === ROWS);
    const starts = Array.from({ length: isMapped ? 2 * ROWS : ROWS }, () => allocate(rowBytes));
    await memory.scope(async (scratch) => {
      const tree = new PairTree({ ...this.workspace, allocate: scratch }, 2 * tabled.length, tabled.length);
      const doubles = scratch(rowBytes);
      const addRows = async (target: number, a: number, b: number): Promise<void> => {
        const sums = new Uint32Array(2 * tabled.length).map(
          (_, i) => (i % 2 === 0 ? a : b) / 8 + (i >> 1) * (size / 8),
        );
        memory.viewUint32(tree.sorted, sums.length).set(sums);
        for (let i = 0; i <= tabled.length; i++) memory.writeUint32(tree.offsets + 4 * i, 2 * i);
        await tree.sumSorted(tabled.length, 0);
        memory.copy(target, tree.sums, tabled.length * size);
      };
      for (const [i, term] of tabled.entries()) memory.copy(starts[0]! + i * size, bases + term * size, size);
      await addRows(doubles, starts[0]!, starts[0]!);
      for (let row = 1; row < ROWS; row++) await addRows(starts[row]!, starts[row - 1]!, doubles);
    });
    for (let row = ROWS; row < starts.length; row++) {
      memory.copy(starts[row]!, starts[row - ROWS]!, tabled.length * size);
      if (tabled.length % 2 === 1) memory.copy(starts[row]! + rowBytes - size, starts[0]!, size);
      this.instance.endomorphism!.g1_mapPoints(starts[row]!, 0, rowBytes / size);
    }
    for (const [i, term] of tabled.entries()) {
      rows.set(
        term,
        starts.map((start) => (start + i * size) / 8),
      );
    }
    return rows;
  }

  /** The digits of the terms that have a scalar. */
  private scalarDigits(): Digits[] {
    const { factors, scalars, group } = this.args;
    const { curve, endomorphism } = this.instance;
    const { scalarBytes, fr } = CURVES[curve];
    const digits: Digits[] = [];
    const split: { term: number; isNegative: boolean; value: Uint8Array }[] = [];
    let at = 0;
    for (const [term, factor] of factors.entries()) {
      if (factor !== FACTOR.scalar) continue;
      const given = bytesToBigint(scalars, at, scalarBytes);
      at += scalarBytes;
      const isNegative = 2n * given > fr.modulus;
      const centred = isNegative ? fr.modulus - given : given;
      const value = bigintToBytes(centred, scalarBytes);
      const binary = signedWindows(value, 2);
      const few = binary.reduce((found, digit) => found + Math.abs(digit), 0) <= FEW_DIGITS;
      if (few) digits.push({ term, values: binary, isNegative, firstRow: -1 });
      else if (group === 'g1' && endomorphism !== undefined && centred >> BigInt(SPLIT_FROM_BITS) > 0n) {
        split.push({ term, isNegative, value });
      } else digits.push({ term, values: signedWindows(value), isNegative, firstRow: 0 });
    }
    return [...digits, ...this.halves(split)];
  }

  /** The digits of scalars that are split in halves by the endomorphism. */
  private halves(split: readonly { term: number; isNegative: boolean; value: Uint8Array }[]): Digits[] {
    if (split.length === 0) return [];
    const { memory, allocate } = this.workspace;
    const bytes = split[0]!.value.length;
    const [scalars, list] = [allocate(split.length * bytes), allocate(4 * split.length)];
    for (const [i, { value }] of split.entries()) {
      memory.write(scalars + i * bytes, value);
      memory.writeUint32(list + 4 * i, i);
    }
    this.instance.endomorphism!.splitScalars(scalars, list, 0, split.length);
    return split.flatMap(({ term, isNegative }, i) =>
      [0, 1].map((half): Digits => {
        const { value, isNegative: isOpposite } = halfOfScalar(memory, scalars + i * bytes, half);
        return { term, values: signedWindows(value), isNegative: isNegative !== isOpposite, firstRow: half * ROWS };
      }),
    );
  }
}
