import { PippinError } from '../../../base/errors.js';
import type { BasesRange } from '../../../bases/backend.js';
import { windowCount } from '../../../bases/digits.js';
import type { MultiplesPlan } from '../../../bases/multiples.js';
import { type PointForm, preparedPointBytes } from '../../../bases/prepared.js';
import { CURVES, type GroupId, pointBytes } from '../../../curves/index.js';
import type { GroupExports } from './exports.js';
import { countOf, expectForm, expectGroup, expectWindowBits, type WholeInstance } from './kernel-instance.js';
import { LOAD_CHUNK, loadPrepared } from './load-prepared.js';
import { BucketMethod } from './msm/bucket-method.js';
import type { KernelTask } from './steps.js';

export interface LoadShardArgs {
  readonly id: string;
  readonly group: GroupId;
  readonly form: PointForm;
  /** With a plan all the points, then all their first multiples, and so on. */
  readonly points: Uint8Array;
  readonly plan?: MultiplesPlan | undefined;
}

/** Bases in a kernel's memory. */
interface Shard {
  readonly group: GroupId;
  readonly at: number;
  readonly count: number;
  readonly plan: MultiplesPlan | undefined;
}

/** A kernel's methods for multi-scalar multiplications over points that it keeps. */
export function msmKernel(instance: WholeInstance) {
  const { curve, core, memory } = instance;
  const { scalarBytes } = CURVES[curve];
  const shards = new Map<string, Shard>();

  function release(id: string): void {
    const shard = shards.get(id);
    if (shard === undefined) return;
    memory.release(shard.at);
    shards.delete(id);
  }

  const exportsOf = (group: GroupId): GroupExports => expectGroup(instance, group);

  return {
    /**
     * Keeps prepared points ready for `multiply` under `id`, replacing what was there. `OUT_OF_MEMORY` when they do not
     * fit.
     */
    loadShard({ id, group, form, points, plan }: LoadShardArgs): void {
      expectForm(instance, group, form);
      release(id);
      const exports = exportsOf(group);
      const preparedBytes = preparedPointBytes(curve, group);
      const count = countOf(points, preparedBytes, 'prepared points');
      const bases = countOf(points, preparedBytes * (plan?.multiples ?? 1), 'points with their multiples');
      const at = memory.allocate(count * exports.baseSize());
      let packed: number;
      try {
        packed = memory.allocate(Math.min(count, LOAD_CHUNK) * preparedBytes);
      } catch (error) {
        memory.release(at);
        throw error;
      }
      loadPrepared(memory, exports, { points, bytes: preparedBytes, packed, target: at });
      memory.release(packed);
      shards.set(id, { group, at, count: bases, plan });
    },

    releaseShard({ id }: { readonly id: string }): void {
      release(id);
    },

    /**
     * The MSM over the points of a shard, or of a range of it. `scalars` has a scalar for each point, each below the
     * group's order. Zeros are skipped, and points with equal scalars are merged first. The kernel chooses `windowBits`
     * if it is left out: the window of the shard's multiples if it has any, which are not used with other windows.
     */
    async multiply(
      {
        id,
        scalars,
        range,
        windowBits,
      }: {
        readonly id: string;
        readonly scalars: Uint8Array;
        readonly range?: BasesRange | undefined;
        readonly windowBits?: number | undefined;
      },
      task?: KernelTask,
    ): Promise<Uint8Array> {
      const shard = shards.get(id);
      if (shard === undefined) throw new PippinError('INTERNAL', `expected a loaded shard, got ${id}`);
      const count = countOf(scalars, scalarBytes, 'scalars');
      const { from, to } = range ?? { from: 0, to: shard.count };
      if (from < 0 || to > shard.count || count !== to - from) {
        throw new PippinError(
          'INVALID_LENGTH',
          `expected a scalar for each of the points ${from} to ${to} among ${shard.count} of the shard, got ${count}`,
        );
      }
      if (windowBits !== undefined) expectWindowBits(windowBits);
      return memory.scope(async (allocate) => {
        const group = exportsOf(shard.group);
        const scalarsAt = allocate(scalars.length);
        memory.write(scalarsAt, scalars);
        const sum = allocate(group.sumSize());
        group.setIdentity(sum);
        const method = new BucketMethod(instance, shard.group, allocate, task);
        const plan = windowBits === undefined || windowBits === shard.plan?.windowBits ? shard.plan : undefined;
        const stride = shard.count * group.baseSize();
        const bases = { at: shard.at + from * group.baseSize(), stride, plan };
        await method.addProducts(bases, scalarsAt, count, windowBits, sum);
        const bytes = pointBytes(curve, shard.group);
        const target = allocate(bytes);
        group.storeAffine(target, sum);
        return memory.read(target, bytes);
      });
    },

    /**
     * The signed digits of n scalars, window by window: entry w * n + i is digit w of scalar i, with its absolute value
     * in the low 31 bits and its sign in bit 31; -2^(c-1) < d <= 2^(c-1). There are windowCount(scalar bits, c)
     * windows.
     */
    async cutDigits({
      scalars,
      windowBits,
    }: {
      readonly scalars: Uint8Array;
      readonly windowBits: number;
    }): Promise<Uint32Array> {
      expectWindowBits(windowBits);
      const count = countOf(scalars, scalarBytes, 'scalars');
      const windows = windowCount(CURVES[curve].fr.bits, windowBits);
      return memory.scope((allocate) => {
        const source = allocate(scalars.length);
        const target = allocate(4 * windows * count);
        memory.write(source, scalars);
        core.scalars_cutDigits(source, count, windowBits, windows, target);
        return new Uint32Array(memory.read(target, 4 * windows * count).buffer);
      });
    },
  };
}
