import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { bigintToBytes, joinBytes } from '../../../../../sdk/base/bytes.js';
import { pointForm } from '../../../../../sdk/bases/prepared.js';
import { CURVES, hasCofactor, pointBytes } from '../../../../../sdk/curves/index.js';
import { mod } from '../../../../../sdk/curves/modular.js';
import { RandomWeights } from '../../../../../sdk/executors/workers/kernel/ceremony/random-sums.js';
import type { Kernel } from '../../../../../sdk/executors/workers/kernel/kernel.js';
import {
  expectGroup,
  instantiatePoints,
  instantiateScalars,
  type WholeInstance,
} from '../../../../../sdk/executors/workers/kernel/kernel-instance.js';
import { loadPrepared } from '../../../../../sdk/executors/workers/kernel/load-prepared.js';
import { Steps } from '../../../../../sdk/executors/workers/kernel/steps.js';
import { pointsOutside } from '../../../../support/outside-subgroup.js';
import { Random } from '../../../../support/random.js';
import { compileModules, loadKernel } from '../../../../support/wasm.js';
import { CEREMONY_GROUPS, canonicalPoints, compileRoots } from './ceremony-groups.js';

/** The groups that a GPU has kernels for in ceremonies. */
const GROUPS = CEREMONY_GROUPS.filter(({ curve, group }) => pointForm(curve, group) === 'weierstrass');

afterEach(() => vi.restoreAllMocks());

describe.each(GROUPS)('beside a GPU, $curve $group by $points', ({ curve, group, order, points: form, ...noble }) => {
  const random = new Random(17);
  const size = pointBytes(curve, group);
  const scalar = random.below(order - 1n) + 1n;
  /** With infinite, equal and opposite ones. */
  const some = [0n, 5n, 5n, order - 5n, 1n, 0n, order - 1n, random.below(order), random.below(order), 0n];
  let kernel: Kernel;
  let module: WebAssembly.Module;
  beforeAll(async () => {
    kernel = await loadKernel(curve, form);
    module = await compileRoots(curve, form);
  });

  const toScale = (points: Uint8Array, firstIndex = 0): Promise<Uint8Array> =>
    kernel.pointsToScale({ group, encoding: 'canonical', points, firstIndex, what: 'some points' });
  const prepared = (logs: readonly bigint[]): Promise<Uint8Array> => toScale(noble.multiples(logs));
  const times = (logs: readonly bigint[], by = scalar): bigint[] => logs.map((log) => mod(log * by, order));
  const check = async (logs: readonly bigint[], products: Uint8Array, by = scalar): Promise<Uint8Array> => {
    const args = { group, points: await prepared(logs), products, scalar: bigintToBytes(by, 32), module };
    return kernel.checkedProducts(args);
  };
  const expectWrong = (logs: readonly bigint[], products: Uint8Array): Promise<void> =>
    expect(check(logs, products)).rejects.toMatchObject({ code: 'RESULT_INVALID' });

  it('points are prepared where they are, with zeros for infinite ones', async () => {
    const args = { group, form: 'weierstrass', encoding: 'canonical', points: noble.multiples([5n]) } as const;
    const five = (await kernel.prepareBases(args)).points;
    const zeros = new Uint8Array(five.length);
    expect(await prepared([0n, 5n, 0n, 0n, 5n])).toEqual(joinBytes([zeros, five, zeros, zeros, five]));
    expect(await prepared([5n])).toEqual(five);
    expect(await prepared([0n])).toEqual(zeros);
    expect(await prepared([])).toEqual(new Uint8Array(0));
  });

  it('points off the curve, or outside of the subgroup, are refused', async () => {
    const points = noble.multiples([0n, 3n, 4n]);
    points[2 * size]! ^= 1;
    await expect(toScale(points, 40)).rejects.toMatchObject({
      code: 'INVALID_POINT',
      message: expect.stringContaining('expected point 42'),
    });
    if (!hasCofactor(curve, group)) return;
    for (const outside of Object.values(pointsOutside(CURVES[curve], group))) {
      await expect(toScale(joinBytes([noble.multiples([0n, 3n]), outside]))).rejects.toMatchObject({
        code: 'INVALID_POINT',
        message: 'expected some points of the subgroup of prime order, got another one',
      });
    }
  });

  it('products are written as a .zkey has them, in every number', async () => {
    for (const logs of [[], [0n], [7n], [order - 1n, 1n], some]) {
      const written = await check(logs, await prepared(times(logs)));
      expect(canonicalPoints(curve, written)).toEqual(noble.multiples(times(logs)));
    }
    for (const by of [1n, order - 1n]) {
      const written = await check(some, await prepared(times(some, by)), by);
      expect(canonicalPoints(curve, written)).toEqual(noble.multiples(times(some, by)));
    }
    // Windows of other widths, and buckets with many points.
    const many = Array.from({ length: 1100 }, (_, i) => some[i % some.length]!);
    const written = await check(many, await prepared(times(many)));
    expect(canonicalPoints(curve, written)).toEqual(noble.multiples(times(many)));
  });

  it('wrong products are found', async () => {
    const right = times(some);
    const change = (...changes: readonly (readonly [number, bigint])[]): Promise<Uint8Array> => {
      const logs = right.slice();
      for (const [i, log] of changes) logs[i] = mod(log, order);
      return prepared(logs);
    };
    const wrongs = {
      another: [[7, 1n]],
      'the opposite': [[7, -right[7]!]],
      'infinity for a finite one': [[4, 0n]],
      'a finite one for infinity': [[5, 4n]],
      'two exchanged': [
        [7, right[8]!],
        [8, right[7]!],
      ],
      'two that are off by opposite points': [
        [7, right[7]! + 3n],
        [8, right[8]! - 3n],
      ],
    } as const;
    for (const changes of Object.values(wrongs)) await expectWrong(some, await change(...changes));
    // All the same mistake, as a device makes it that multiplies by another scalar, or not at all.
    await expectWrong(some, await prepared(times(some, scalar + 1n)));
    await expectWrong(some, await prepared(some));
    await expectWrong(some, new Uint8Array(some.length * (await prepared([1n])).length));
  });

  it('products off the curve, not below p, or outside of the subgroup are found', async () => {
    const products = await prepared(times(some));
    const each = products.length / some.length;
    const off = products.slice();
    off[each]! ^= 1;
    await expectWrong(some, off);
    const large = products.slice();
    large.fill(0xff, each, 2 * each);
    await expectWrong(some, large);
    if (!hasCofactor(curve, group)) return;
    for (const outside of Object.values(pointsOutside(CURVES[curve], group))) {
      const args = { group, form: 'weierstrass', encoding: 'canonical', points: outside } as const;
      const wrong = products.slice();
      wrong.set((await kernel.prepareBases(args)).points, each);
      await expectWrong(some, wrong);
    }
  });

  it('as many products as points are expected', async () => {
    await expect(check([3n, 4n], await prepared([3n]))).rejects.toMatchObject({ code: 'INVALID_LENGTH' });
  });

  it('checks stop when they are cancelled', async () => {
    const logs = Array.from({ length: 1 << 14 }, () => 7n);
    const task = { cancelled: async () => true, progress: () => undefined };
    const points = await prepared(logs);
    const args = { group, points, products: points, scalar: bigintToBytes(1n, 32), module };
    await expect(kernel.checkedProducts(args, task)).rejects.toMatchObject({ code: 'ABORTED' });
  });
});

describe.each(GROUPS.slice(0, 1))('random weights, by $points', ({ curve, group, order, points: form, ...noble }) => {
  let instance: WholeInstance;
  beforeAll(async () => {
    const modules = await compileModules(curve, form);
    instance = await instantiateScalars(await instantiatePoints(curve, modules.points), modules.scalars);
  });

  /** The weights that are drawn for so many points, and what `work` makes of them. */
  async function drawn<T>(
    count: number,
    work: (weights: RandomWeights, allocate: (bytes: number) => number) => Promise<T>,
  ): Promise<{ readonly digits: number[][]; readonly bits: number; readonly buckets: number; readonly made: T }> {
    const { core, memory } = instance;
    return memory.scope(async (allocate) => {
      const exports = expectGroup(instance, group);
      const workspace = { exports: core, group: exports, memory, allocate, steps: new Steps(undefined, 1) };
      const weights = new RandomWeights(workspace, count);
      const { bits, buckets } = weights.windows;
      const at = allocate(4 * count);
      const digits: number[][] = [];
      for (let window = 0; window < buckets.length; window++) {
        await weights.cut(window, 0, at);
        const cut = memory.viewUint32(at, count);
        digits.push(Array.from(cut, (digit) => (digit >> 31 ? -1 : 1) * (digit & 0x7fffffff)));
      }
      return { digits, bits, buckets: buckets[0]!, made: await work(weights, allocate) };
    });
  }

  it.each([0, 1, 2, 600, 3000, 40_000])('have digits of either sign, 40 bits in all, for %i points', async (count) => {
    const { digits, bits, buckets } = await drawn(count, async () => undefined);
    expect((2 * buckets) ** digits.length).toBeGreaterThanOrEqual(2 ** 40);
    expect(2 ** bits).toBeGreaterThan(2 * buckets);
    expect(bits * digits.length).toBeLessThanOrEqual(45);
    // No digit is 0, which would leave a point out.
    expect(digits.flat().every((digit) => digit !== 0 && Math.abs(digit) <= buckets)).toBe(true);
    if (count < 600) return;
    for (const window of digits) {
      expect(window.some((digit) => digit < 0)).toBe(true);
      expect(Math.max(...window.slice(0, 5000).map(Math.abs))).toBeGreaterThan(0.9 * buckets);
    }
  });

  it.each([0x00, 0xff])('are at their ends where all random bytes are %i', async (byte) => {
    vi.spyOn(crypto, 'getRandomValues').mockImplementation((bytes) => {
      (bytes as Uint8Array).fill(byte);
      return bytes;
    });
    for (const count of [1, 3000, 40_000]) {
      const { digits, buckets } = await drawn(count, async () => undefined);
      expect(new Set(digits.flat())).toEqual(new Set([byte === 0 ? 1 : -buckets]));
    }
  });

  it.each([1, 2, 9, 700, 3000])('give the sum of %i points with them', async (count) => {
    const random = new Random(count);
    const known = Array.from({ length: Math.min(count, 50) }, () => random.below(order - 1n) + 1n);
    const logs = Array.from({ length: count }, (_, i) => known[i % known.length]!);
    if (count > 2) [logs[1], logs[2]] = [logs[0]!, order - logs[0]!];
    const args = { group, form: 'weierstrass', encoding: 'canonical', points: noble.multiples(logs) } as const;
    const { points } = await (await loadKernel(curve, form)).prepareBases(args);
    const { digits, bits, made } = await drawn(count, async (weights, allocate) => {
      const { memory } = instance;
      const exports = expectGroup(instance, group);
      const [bases, references] = [allocate(count * exports.baseSize()), allocate(4 * count)];
      const load = { points, bytes: points.length / count, packed: allocate(points.length), target: bases };
      loadPrepared(memory, exports, load);
      const list = Uint32Array.from(logs, (_, i) => (bases + i * exports.baseSize()) / 8);
      memory.viewUint32(references, count).set(list);
      return weights.sum(references, pointBytes(curve, group));
    });
    const weightOf = (i: number): bigint =>
      digits.reduceRight((weight, window) => (weight << BigInt(bits)) + BigInt(window[i]!), 0n);
    const expected = logs.reduce((sum, log, i) => mod(sum + weightOf(i) * log, order), 0n);
    expect(made).toEqual(noble.multiple(expected));
  });
});
