import { beforeAll, describe, expect, it } from 'vitest';
import { MAX_WINDOW_BITS } from '../../../sdk/bases/digits.js';
import { pointForm } from '../../../sdk/bases/prepared.js';
import { CURVES } from '../../../sdk/curves/index.js';
import type { Kernel } from '../../../sdk/executors/workers/kernel/kernel.js';
import type { KernelTask } from '../../../sdk/executors/workers/kernel/steps.js';
import { firstOf, formsOf, isTestedInFull } from '../../support/combinations.js';
import { EVERY_COMBINATION } from '../../support/every-combination.js';
import { NOBLE_GROUPS } from '../../support/noble-groups.js';
import { encodeScalars } from '../../support/points.js';
import { Random } from '../../support/random.js';
import { adversarialScalars } from '../../support/scalars.js';
import { loadKernel } from '../../support/wasm.js';

/** Each group with each module that multiplies in it. */
const CASES = NOBLE_GROUPS.flatMap((group) =>
  formsOf(group.curve, group.group).map((module) => ({ ...group, module })),
);

/**
 * What noble's bucket method gave for each group. It is the same for all modules of a curve, and takes longer than they
 * do.
 */
const noblesSums = new Map<string, Uint8Array>();

describe.each(CASES)(
  'multiplication on $curve $group by $module',
  ({ module, curve, group, order, multiple, multiples, sumOf }) => {
    const form = pointForm(curve, group);
    let kernel: Kernel;

    const isLong = order >= 1n << 512n;
    // Windows are cut and reduced by code that is the same in all forms and groups: one form of the first group, and of
    // one with long scalars, tries all sizes, and the wide ones, whose buckets take long. One of each shape has several.
    const triesSome = EVERY_COMBINATION || (module.endsWith('-fma') && isTestedInFull(curve, group));
    const triesAll = triesSome && (EVERY_COMBINATION || isLong || firstOf(CASES)[0]!.curve === curve);
    /**
     * Enough points to be sorted and added in pairs, of 100 different ones and the opposite of the first; fewer where
     * BigInt takes long.
     */
    const count = isLong ? 200 : 1000;
    const random = new Random(77);
    const different = Array.from({ length: 100 }, () => random.below(order));
    const logs = Array.from({ length: count }, (_, i) => (i % 32 === 5 ? order - different[0]! : different[i % 100]!));

    beforeAll(async () => {
      kernel = await loadKernel(curve, module);
      const { points } = await kernel.prepareBases({
        group,
        form,
        encoding: 'canonical',
        points: multiples(logs),
      });
      kernel.loadShard({ id: 'shard', group, form, points });
    });

    const multiply = (scalars: readonly bigint[], windowBits?: number, task?: KernelTask): Promise<Uint8Array> =>
      kernel.multiply({ id: 'shard', scalars: encodeScalars(scalars, curve), windowBits }, task);

    it('agrees with @noble/curves', async () => {
      const scalars = Array.from({ length: count }, () => random.below(order));
      const name = `${curve}/${group}`;
      // In G2 noble takes seconds for all of them.
      const range = { from: 0, to: group === 'g2' && !EVERY_COMBINATION ? count / 4 : count };
      const some = scalars.slice(0, range.to);
      if (!noblesSums.has(name)) noblesSums.set(name, sumOf(logs.slice(0, range.to), some));
      const sum = await kernel.multiply({ id: 'shard', scalars: encodeScalars(some, curve), range });
      expect(sum).toEqual(noblesSums.get(name));
    });

    it.each(Object.keys(adversarialScalars(4, 17n)))('is right for scalars that are %s', async (kind) => {
      const scalars = adversarialScalars(count, order)[kind]!;
      const expected = multiple(logs.reduce((sum, log, i) => (sum + log * scalars[i]!) % order, 0n));
      const sizes = triesAll ? [undefined, 4, 9, 16] : triesSome ? [undefined, 9] : [undefined];
      // The largest windows of long scalars are tried with 512 points, below.
      for (const windowBits of isLong ? sizes.filter((bits = 0) => bits < 16) : sizes) {
        expect(await multiply(scalars, windowBits)).toEqual(expected);
      }
    });

    it('multiplies over some of the points', async () => {
      for (const [from, to] of [
        [0, 7],
        [count / 4, count / 4 + 120],
        [count - 1, count],
        [9, 9],
      ] as const) {
        const scalars = Array.from({ length: to - from }, () => random.below(order));
        const sum = scalars.reduce((total, scalar, i) => (total + logs[from + i]! * scalar) % order, 0n);
        const some = await kernel.multiply({
          id: 'shard',
          scalars: encodeScalars(scalars, curve),
          range: { from, to },
        });
        expect(some).toEqual(multiple(sum));
      }
    });

    it('sums buckets that hold equal and opposite points alone', async () => {
      const pattern = [1n, 1n, -1n, 1n, -1n, -1n, 2n, -2n, 3n, -1n, -1n];
      const few = Array.from({ length: count }, (_, i) => pattern[i % pattern.length]! + order);
      const { points } = await kernel.prepareBases({
        group,
        form,
        encoding: 'canonical',
        points: multiples(few),
      });
      kernel.loadShard({ id: 'few', group, form, points });
      for (const scalar of [2n, 3n, order - 1n, 0x123456789abcdefn]) {
        const expected = multiple(few.reduce((sum, log) => (sum + log * scalar) % order, 0n));
        const scalars = encodeScalars(
          few.map(() => scalar),
          curve,
        );
        for (const windowBits of [5, 12])
          expect(await kernel.multiply({ id: 'few', scalars, windowBits })).toEqual(expected);
      }
      kernel.releaseShard({ id: 'few' });
    });

    it('adds more pairs than share an inversion', async () => {
      const many = Array.from({ length: 5 * count }, (_, i) => logs[i % count]!);
      const { points } = await kernel.prepareBases({
        group,
        form,
        encoding: 'canonical',
        points: multiples(many),
      });
      kernel.loadShard({ id: 'many', group, form, points });
      for (const kind of ['random', 'all equal', 'mostly 0 and 1']) {
        const scalars = adversarialScalars(many.length, order)[kind]!;
        const sum = many.reduce((total, log, i) => (total + log * scalars[i]!) % order, 0n);
        expect(await kernel.multiply({ id: 'many', scalars: encodeScalars(scalars, curve) })).toEqual(multiple(sum));
      }
      kernel.releaseShard({ id: 'many' });
    });

    it('adds more points to one bucket than are summed together', async () => {
      const many = Array.from({ length: 9000 }, (_, i) => logs[i % count]!);
      const { points } = await kernel.prepareBases({
        group,
        form,
        encoding: 'canonical',
        points: multiples(many),
      });
      kernel.loadShard({ id: 'many', group, form, points });
      // Different scalars, so that they are not merged, but with the same lowest digit.
      const scalars = many.map((_, i) => 0x1234n + (BigInt(i) << 40n));
      const sum = many.reduce((total, log, i) => (total + log * scalars[i]!) % order, 0n);
      for (const windowBits of triesAll ? [undefined, 13] : [undefined]) {
        expect(await kernel.multiply({ id: 'many', scalars: encodeScalars(scalars, curve), windowBits })).toEqual(
          multiple(sum),
        );
      }
      kernel.releaseShard({ id: 'many' });
    });

    it('is right for points of equal scalars that cancel each other, beside others', async () => {
      const some = Array.from({ length: 1200 }, (_, i) =>
        i % 2 === 0 ? logs[i % count]! : order - logs[(i - 1) % count]!,
      );
      const { points } = await kernel.prepareBases({
        group,
        form,
        encoding: 'canonical',
        points: multiples(some),
      });
      kernel.loadShard({ id: 'some', group, form, points });
      for (const last of [600, 1200]) {
        // Each two neighbours have the same scalar, up to a point; behind it all are different.
        const scalars = some.map((_, i) => (i < last ? order - 1n - BigInt(i >> 1) : BigInt(i) << 200n));
        const sum = some.reduce((total, log, i) => (total + log * scalars[i]!) % order, 0n);
        expect(await kernel.multiply({ id: 'some', scalars: encodeScalars(scalars, curve) })).toEqual(multiple(sum));
      }
      kernel.releaseShard({ id: 'some' });
    });

    it.each([1, 2, 31, 255, 256, 511, 512, 513])('multiplies %i points, in windows of many sizes', async (length) => {
      const few = Array.from({ length }, (_, i) => logs[i % count]!);
      const { points } = await kernel.prepareBases({
        group,
        form,
        encoding: 'canonical',
        points: multiples(few),
      });
      kernel.loadShard({ id: 'few', group, form, points });
      const scalars = few.map(() => random.below(order));
      const sum = scalars.reduce((total, scalar, i) => (total + few[i]! * scalar) % order, 0n);
      const sizes = length === 512 ? [4, 6, 7, 8, 10, 13, 16] : [undefined, 5, 11];
      // Buckets of long scalars take seconds: they have both ends.
      const tried = isLong && !EVERY_COMBINATION ? [sizes[0], sizes.at(-1)] : sizes;
      for (const windowBits of triesAll ? tried : sizes.slice(0, triesSome ? 2 : 1)) {
        expect(await kernel.multiply({ id: 'few', scalars: encodeScalars(scalars, curve), windowBits })).toEqual(
          multiple(sum),
        );
      }
      kernel.releaseShard({ id: 'few' });
    });

    if (curve === 'bls12-381' && group === 'g2') {
      it('multiplies in the largest windows, with the largest buckets', async () => {
        const { points } = await kernel.prepareBases({ group, form, encoding: 'canonical', points: multiples([5n]) });
        kernel.loadShard({ id: 'one', group, form, points });
        const scalars = encodeScalars([order - 3n], curve);
        const windowBits = MAX_WINDOW_BITS;
        expect(await kernel.multiply({ id: 'one', scalars, windowBits })).toEqual(multiple(order - 15n));
        kernel.releaseShard({ id: 'one' });
      });
    }

    it('tells its progress, and stops when it is cancelled', async () => {
      const many = Array.from({ length: 6 * count }, (_, i) => logs[i % count]!);
      const { points } = await kernel.prepareBases({
        group,
        form,
        encoding: 'canonical',
        points: multiples(many),
      });
      kernel.loadShard({ id: 'many', group, form, points });
      const scalars = many.map(() => random.below(order));
      const fractions: number[] = [];
      const asked = { times: 0 };
      const task: KernelTask = {
        cancelled: async () => ++asked.times > 2,
        progress: (fraction) => fractions.push(fraction),
      };
      // Windows of 4 bits make the work long enough to pause in.
      await expect(
        (async () => {
          for (;;) await kernel.multiply({ id: 'many', scalars: encodeScalars(scalars, curve), windowBits: 4 }, task);
        })(),
      ).rejects.toMatchObject({ code: 'ABORTED' });
      expect(fractions.length).toBeGreaterThan(0);
      for (const fraction of fractions) expect(fraction > 0 && fraction <= 1).toBe(true);
      const sum = many.reduce((total, log, i) => (total + log * scalars[i]!) % order, 0n);
      expect(await kernel.multiply({ id: 'many', scalars: encodeScalars(scalars, curve) })).toEqual(multiple(sum));
      kernel.releaseShard({ id: 'many' });
    });

    it('refuses scalars that do not match the shard, and shards it does not have', async () => {
      await expect(multiply([1n])).rejects.toMatchObject({ code: 'INVALID_LENGTH' });
      for (const [from, to, scalars] of [
        [0, 3, 2],
        [count - 1, count + 1, 2],
        [5, count, 3],
      ] as const) {
        const bytes = new Uint8Array(scalars * CURVES[curve].scalarBytes);
        const some = kernel.multiply({ id: 'shard', scalars: bytes, range: { from, to } });
        await expect(some).rejects.toMatchObject({ code: 'INVALID_LENGTH' });
      }
      await expect(kernel.multiply({ id: 'other', scalars: new Uint8Array(0) })).rejects.toMatchObject({
        code: 'INTERNAL',
      });
      await expect(multiply(logs, 3)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    });
  },
);
