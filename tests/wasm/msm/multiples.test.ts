import { beforeAll, describe, expect, it } from 'vitest';
import { joinBytes } from '../../../sdk/base/bytes.js';
import type { MultiplesPlan } from '../../../sdk/bases/multiples.js';
import { pointForm } from '../../../sdk/bases/prepared.js';
import { CURVES } from '../../../sdk/curves/index.js';
import { mod } from '../../../sdk/curves/modular.js';
import { encodePoint } from '../../../sdk/curves/point-bytes.js';
import type { Kernel } from '../../../sdk/executors/workers/kernel/kernel.js';
import { windowBuckets } from '../../../sdk/executors/workers/kernel/msm/windows.js';
import { formsOf, isTestedInFull } from '../../support/combinations.js';
import { EVERY_COMBINATION } from '../../support/every-combination.js';
import { NOBLE_GROUPS } from '../../support/noble-groups.js';
import { encodeScalars, pointOfEvenOrder } from '../../support/points.js';
import { Random } from '../../support/random.js';
import { ALL_CURVES } from '../../support/registry.js';
import { adversarialScalars } from '../../support/scalars.js';
import { loadKernel } from '../../support/wasm.js';

const CASES = NOBLE_GROUPS.flatMap((group) =>
  formsOf(group.curve, group.group).map((module) => ({ ...group, module })),
);

describe.each(CASES)('multiples of bases on $curve $group by $module', ({ module, curve, group, order, ...noble }) => {
  const form = pointForm(curve, group);
  const random = new Random(12);
  const count = 70;
  const logs = [1n, 2n, order - 1n, ...Array.from({ length: count - 3 }, () => random.below(order))];
  const triesAll = EVERY_COMBINATION || (module.endsWith('-fma') && isTestedInFull(curve, group));
  let kernel: Kernel;
  let points: Uint8Array;
  const loaded = new Set<string>();

  const prepare = async (some: readonly bigint[]): Promise<Uint8Array> =>
    (await kernel.prepareBases({ group, form, encoding: 'canonical', points: noble.multiples(some) })).points;

  beforeAll(async () => {
    kernel = await loadKernel(curve, module);
    points = await prepare(logs);
  });

  /** The points and their multiples, as a shard takes them. */
  const withMultiples = async (plan: MultiplesPlan): Promise<Uint8Array> =>
    joinBytes([points, (await kernel.multiples({ group, form, points, ...plan }))!]);

  it.each([
    { windowBits: 4, rows: 1, multiples: 2 },
    { windowBits: 7, rows: 3, multiples: 4 },
    { windowBits: 13, rows: 5, multiples: 3 },
  ])('are those of the plan %o', async (plan) => {
    const factor = 1n << BigInt(plan.rows * plan.windowBits);
    const expected: Uint8Array[] = [];
    for (let j = 0; j < plan.multiples; j++) {
      expected.push(await prepare(logs.map((log) => mod(log * factor ** BigInt(j), order))));
    }
    expect(await withMultiples(plan)).toEqual(joinBytes(expected));
  });

  it('are computed in batches', async () => {
    const many = Array.from({ length: 1030 }, (_, i) => logs[i % count]!);
    const made = await kernel.multiples({
      group,
      form,
      points: await prepare(many),
      windowBits: 5,
      rows: 1,
      multiples: 2,
    });
    expect(made).toEqual(await prepare(many.map((log) => (32n * log) % order)));
  });

  it('of no points are none', async () => {
    const none = { group, form, points: new Uint8Array(), windowBits: 5, rows: 1, multiples: 2 };
    expect(await kernel.multiples(none)).toEqual(new Uint8Array());
  });

  it.each(Object.keys(adversarialScalars(4, 17n)))('give right sums for scalars that are %s', async (kind) => {
    const scalars = adversarialScalars(count, order)[kind]!;
    const expected = noble.multiple(logs.reduce((sum, log, i) => (sum + log * scalars[i]!) % order, 0n));
    for (const [i, plan] of plans(kernel).entries()) {
      // How multiples are laid out and picked is the same everywhere: one form of each shape tries each plan.
      if (i > 1 && !triesAll) break;
      if (i > 2 && order >= 1n << 512n && !EVERY_COMBINATION) break;
      const id = `shard ${i}`;
      if (!loaded.has(id)) kernel.loadShard({ id, group, form, points: await withMultiples(plan), plan });
      loaded.add(id);
      expect(await kernel.multiply({ id, scalars: encodeScalars(scalars, curve) })).toEqual(expected);
      // Other windows than those of the multiples do without them.
      if (i === 0) {
        expect(await kernel.multiply({ id, scalars: encodeScalars(scalars, curve), windowBits: 9 })).toEqual(expected);
      }
    }
  });

  it('give right sums over a range of the points', async () => {
    const plan = kernel.planMultiples({ group, points: count, precompute: 8, most: 32 }).plan!;
    kernel.loadShard({ id: 'range', group, form, points: await withMultiples(plan), plan });
    for (const [from, to] of [
      [0, count],
      [1, 60],
      [count - 1, count],
      [5, 5],
    ] as const) {
      const scalars = adversarialScalars(count, order).random!.slice(from, to);
      const expected = noble.multiple(scalars.reduce((sum, scalar, i) => (sum + scalar * logs[from + i]!) % order, 0n));
      expect(
        await kernel.multiply({ id: 'range', scalars: encodeScalars(scalars, curve), range: { from, to } }),
      ).toEqual(expected);
    }
    for (const range of [
      { from: 0, to: count + 1 },
      { from: -1, to: count },
      { from: 0, to: count - 1 },
    ]) {
      const wrong = kernel.multiply({ id: 'range', scalars: new Uint8Array(CURVES[curve].scalarBytes * count), range });
      await expect(wrong).rejects.toMatchObject({ code: 'INVALID_LENGTH' });
    }
    kernel.releaseShard({ id: 'range' });
  });

  it('are used where they pay, by the points whose scalars occur once', async () => {
    const plan = kernel.planMultiples({ group, points: count, precompute: 8, most: 32 }).plan!;
    const wrong = joinBytes([points, ...Array.from({ length: plan.multiples - 1 }, () => points)]);
    kernel.loadShard({ id: 'right', group, form, points: await withMultiples(plan), plan });
    kernel.loadShard({ id: 'wrong', group, form, points: wrong, plan });
    const sums = (scalars: readonly bigint[]) =>
      Promise.all(['right', 'wrong'].map((id) => kernel.multiply({ id, scalars: encodeScalars(scalars, curve) })));
    const random = logs.map((_, i) => order / 3n - (BigInt(i) << 100n));
    const expected = (scalars: readonly bigint[]) =>
      noble.multiple(logs.reduce((sum, log, i) => (sum + log * scalars[i]!) % order, 0n));
    // A few scalars that occur several times, as in a witness: 1, another one, and points that cancel each other.
    const some = random.map((scalar, i) => (i % 10 === 3 ? 1n : i % 10 === 4 ? random[0]! : scalar));
    for (const scalars of [random, some]) {
      const [right, other] = await sums(scalars);
      expect(right).toEqual(expected(scalars));
      expect(other).not.toEqual(right);
    }
    // Wide windows do not pay for so few.
    const wide = { windowBits: 16, rows: 4, multiples: 4 };
    kernel.loadShard({ id: 'wrong', group, form, points: joinBytes([points, points, points, points]), plan: wide });
    expect(await kernel.multiply({ id: 'wrong', scalars: encodeScalars(random, curve) })).toEqual(expected(random));
    for (const id of ['right', 'wrong']) kernel.releaseShard({ id });
  });

  /** Plans of all shapes: one row, a short last group, two rows, and few multiples. */
  function plans(kernel: Kernel): MultiplesPlan[] {
    const wanted = [2, 3, 8, 32].map(
      (precompute) => kernel.planMultiples({ group, points: count, precompute, most: 32 }).plan!,
    );
    const rows = Math.max(5, Math.ceil(windowBuckets(CURVES[curve].fr.bits, 11).length / 6));
    return [...wanted, { ...wanted[0]!, windowBits: 11, rows, multiples: 6 }];
  }

  it('are planned within memory, and automatically where they pay', () => {
    const plan = (precompute: number | 'auto', most: number, points = 2 ** 15) =>
      kernel.planMultiples({ group, points, precompute, most });
    expect(plan(1, 32)).toEqual({ plan: undefined, fits: true });
    expect(plan(8, 1)).toEqual({ plan: undefined, fits: false });
    expect(plan('auto', 1)).toEqual({ plan: undefined, fits: true });
    expect(plan(8, 5)).toEqual({ ...plan(5, 5), fits: false });
    expect(plan(4, 4)).toMatchObject({ plan: { multiples: 4 }, fits: true });
    // One row, unless the scalars are so long that even the widest windows are more than 32.
    const fewestRows = Math.ceil(windowBuckets(CURVES[curve].fr.bits, 16).length / 32);
    expect(plan(32, 32)).toMatchObject({ plan: { rows: fewestRows }, fits: true });
    const { windowBits, rows, multiples } = plan('auto', 32).plan!;
    expect([2, 4, 8]).toContain(multiples);
    expect(rows * multiples).toBeGreaterThanOrEqual(windowBuckets(126, windowBits).length);
    expect(plan(8, 32, 0).plan).toBeDefined();
    const asked = kernel.planMultiples({ group, points: 2 ** 15, precompute: 3, windowBits: 9, most: 32 });
    expect(asked).toMatchObject({ plan: { windowBits: 9, multiples: 3 }, fits: true });
  });

  it('stop when the caller no longer wants them', async () => {
    const task = { cancelled: async () => true, progress: () => undefined };
    const long = { group, form, points, windowBits: 16, rows: 2000, multiples: 2 };
    await expect(kernel.multiples(long, task)).rejects.toMatchObject({ code: 'ABORTED' });
    const factor = 16n;
    const again = await kernel.multiples({ group, form, points, windowBits: 4, rows: 1, multiples: 2 });
    expect(again).toEqual(await prepare(logs.map((log) => (log * factor) % order)));
  });
});

const WITH_EVEN_COFACTOR = ALL_CURVES.filter(({ g1 }) => g1.cofactor % 2n === 0n);

describe.each(WITH_EVEN_COFACTOR)('points of even order on $id', (curve) => {
  it.each(formsOf(curve.id, 'g1'))('have no multiples by %s', async (module) => {
    const kernel = await loadKernel(curve.id, module);
    const form = pointForm(curve.id, 'g1');
    const { generator } = CURVES[curve.id].g1;
    const bytes = joinBytes([generator, pointOfEvenOrder(curve), generator].map((p) => encodePoint(curve.id, 'g1', p)));
    const { points, kept } = await kernel.prepareBases({ group: 'g1', form, encoding: 'canonical', points: bytes });
    expect(kept).toBe(3);
    const plan = { windowBits: 16, rows: 4, multiples: 2 };
    expect(await kernel.multiples({ group: 'g1', form, points, ...plan })).toBeUndefined();
  });
});
