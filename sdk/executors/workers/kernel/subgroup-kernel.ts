import { bigintToBytes } from '../../../base/bytes.js';
import { type PointForm, preparedPointBytes } from '../../../bases/prepared.js';
import { CURVES, type GroupId, pointBytes } from '../../../curves/index.js';
import { randomBytes } from '../../../curves/random.js';
import { countOf, expectForm, expectGroup, type KernelInstance } from './kernel-instance.js';
import { LOAD_CHUNK, loadPrepared } from './load-prepared.js';
import type { Allocate } from './memory.js';
import { PairTree } from './msm/pair-tree.js';
import type { Workspace } from './msm/workspace.js';
import { type KernelTask, Steps } from './steps.js';

/** Bits of a label: how many subset sums a round gives. A label is a byte. */
const LABEL_BITS = 8;
/** Labels with a bucket: 0 has none. */
const BUCKETS = 2 ** LABEL_BITS - 1;
/** Rounds of labels, unless the caller says another number. */
export const ROUNDS = 5;

/**
 * How many sums of random subsets `subsetSums` returns. Each detects a point outside the subgroup with probability 1/2
 * or more.
 */
export function subsetSumsOf(rounds: number): number {
  return LABEL_BITS * rounds;
}

export interface SubsetSumsArgs {
  readonly group: GroupId;
  readonly form: PointForm;
  /** Prepared points, none of them exceptional. */
  readonly points: Uint8Array;
  /** How often the points get labels; `ROUNDS` by default. */
  readonly rounds?: number | undefined;
  /**
   * A prepared point of the subgroup, random and secret from who made the points, that is added to each point. It is
   * needed where the group has points of order 2, as the curves with an Edwards form do.
   */
  readonly shift?: Uint8Array | undefined;
}

export interface SumsInSubgroupArgs {
  readonly group: GroupId;
  /** Lists of points one after another, in the boundary form. */
  readonly points: Uint8Array;
  /** Points of each list. */
  readonly terms: number;
}

/**
 * A kernel's methods for the check that points lie in the subgroup of prime order (docs/strategies/subgroup-check.md).
 */
export function subgroupKernel(instance: KernelInstance) {
  const { curve, core, memory, pairing } = instance;
  const { fr, scalarBytes } = CURVES[curve];

  return {
    /**
     * Sums of `subsetSumsOf(rounds)` subsets, affine in the boundary form. Each point is in each subset with the
     * chance of a half, all independent of each other. In each round the points get random labels of 8 bits. The
     * points of a label are added up in a bucket. Bit j of the labels defines a subset: its sum is the sum of the
     * buckets whose label has the bit.
     */
    async subsetSums(
      { group: id, form, points, rounds = ROUNDS, shift }: SubsetSumsArgs,
      task?: KernelTask,
    ): Promise<Uint8Array> {
      expectForm(instance, id, form);
      const group = expectGroup(instance, id);
      const [baseSize, preparedBytes] = [group.baseSize(), preparedPointBytes(curve, id)];
      const count = countOf(points, preparedBytes, 'prepared points');
      const steps = new Steps(task, (rounds + 1) * count);

      /** A reference is an address divided by 8. */
      const referTo = (at: number, i: number): number => (at + i * baseSize) / 8;

      /** References to the points, each with the shift added. */
      const shifted = async (allocate: Allocate, bases: number, packed: number): Promise<number> => {
        const tree = new PairTree({ exports: core, group, memory, allocate, steps }, 2 * count, count);
        const shiftAt = allocate(baseSize);
        loadPrepared(memory, group, { points: shift!, bytes: preparedBytes, packed, target: shiftAt });
        const [entries, offsets] = [
          memory.viewUint32(tree.sorted, 2 * count),
          memory.viewUint32(tree.offsets, count + 1),
        ];
        for (let i = 0; i <= count; i++) offsets[i] = 2 * i;
        for (let i = 0; i < count; i++) {
          entries[2 * i] = referTo(bases, i);
          entries[2 * i + 1] = shiftAt / 8;
        }
        await tree.sumSorted(count, count);
        return tree.sums;
      };

      return memory.scope(async (allocate) => {
        const bases = allocate(count * baseSize);
        const packed = allocate(Math.min(count, LOAD_CHUNK) * preparedBytes);
        loadPrepared(memory, group, { points, bytes: preparedBytes, packed, target: bases });
        const summed = shift === undefined ? bases : await shifted(allocate, bases, packed);
        const references = allocate(4 * count);
        const list = memory.viewUint32(references, count);
        for (let i = 0; i < count; i++) list[i] = referTo(summed, i);

        const labels = allocate(4 * count);
        const workspace: Workspace = { exports: core, group, memory, allocate, steps };
        const buckets = new PairTree(workspace, count, BUCKETS);
        const bucketSums = allocate(4 * BUCKETS);
        const subsets = new PairTree(workspace, (LABEL_BITS * (BUCKETS + 1)) / 2, LABEL_BITS);
        const [running, total] = [allocate(group.sumSize()), allocate(group.sumSize())];
        const bytes = pointBytes(curve, id);
        const target = allocate(bytes);
        const sums = new Uint8Array(subsetSumsOf(rounds) * bytes);
        for (let round = 0; round < rounds; round++) {
          memory.viewUint32(labels, count).set(randomBytes(count));
          await buckets.sumByDigit([{ digits: labels, references, count, firstBucket: 0 }], BUCKETS);
          group.referToSums(buckets.sums, 0, BUCKETS, bucketSums);
          const finite = memory.viewUint32(bucketSums, BUCKETS);
          const entries = memory.viewUint32(subsets.sorted, (LABEL_BITS * (BUCKETS + 1)) / 2);
          const offsets = memory.viewUint32(subsets.offsets, LABEL_BITS + 1);
          let listed = 0;
          offsets[0] = 0;
          for (let bit = 0; bit < LABEL_BITS; bit++) {
            for (let label = 1; label <= BUCKETS; label++) {
              const reference = finite[label - 1]!;
              if (((label >> bit) & 1) === 1 && reference !== 0) entries[listed++] = reference;
            }
            offsets[bit + 1] = listed;
          }
          await subsets.sumSorted(LABEL_BITS, 0);
          for (let bit = 0; bit < LABEL_BITS; bit++) {
            group.setIdentity(running);
            group.setIdentity(total);
            group.addRunning(running, total, subsets.sums, bit, bit + 1);
            group.storeAffine(target, total);
            sums.set(memory.view(target, bytes), (round * LABEL_BITS + bit) * bytes);
          }
        }
        return sums;
      });
    },

    /**
     * Whether the sum of each list of points of the curve lies in the subgroup of prime order. It is right for points
     * of any order.
     */
    async sumsInSubgroup({ group: id, points, terms }: SumsInSubgroupArgs): Promise<boolean> {
      const group = expectGroup(instance, id);
      const bytes = pointBytes(curve, id);
      const lists = countOf(points, terms * bytes, 'lists of points');
      const isMember = id === 'g1' ? pairing?.pairing_isInG1 : pairing?.pairing_isInG2;
      return memory.scope((allocate) => {
        const source = allocate(terms * bytes);
        const [sum, multiple, order] = [allocate(bytes), allocate(bytes), allocate(scalarBytes)];
        memory.write(order, bigintToBytes(fr.modulus, scalarBytes));
        for (let i = 0; i < lists; i++) {
          memory.write(source, points.subarray(i * terms * bytes, (i + 1) * terms * bytes));
          group.combine(source, 0, terms, sum);
          if (isMember !== undefined) {
            if (isMember(sum) === 0) return false;
          } else {
            group.combine(sum, order, 1, multiple);
            if (memory.view(multiple, bytes).some((byte) => byte !== 0)) return false;
          }
        }
        return true;
      });
    },
  };
}
