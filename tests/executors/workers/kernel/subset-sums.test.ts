import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { joinBytes } from '../../../../sdk/base/bytes.js';
import { pointForm } from '../../../../sdk/bases/prepared.js';
import { CURVES, hasCofactor, pointBytes } from '../../../../sdk/curves/index.js';
import type { Kernel } from '../../../../sdk/executors/workers/kernel/kernel.js';
import { ROUNDS, subsetSumsOf } from '../../../../sdk/executors/workers/kernel/subgroup-kernel.js';
import { formsOf } from '../../../support/combinations.js';
import { NOBLE_GROUPS } from '../../../support/noble-groups.js';
import { pointsOutside } from '../../../support/outside-subgroup.js';
import { Random } from '../../../support/random.js';
import { loadKernel } from '../../../support/wasm.js';

const LABEL_BITS = 8;
const SUBSET_SUMS = subsetSumsOf(ROUNDS);
const CASES = NOBLE_GROUPS.filter(({ curve, group }) => hasCofactor(curve, group)).flatMap((group) =>
  formsOf(group.curve, group.group).map((module) => ({ ...group, module })),
);

afterEach(() => {
  vi.restoreAllMocks();
});

describe.each(CASES)('sums of subsets on $curve $group by $module', ({ module, curve, group, order, ...noble }) => {
  const form = pointForm(curve, group);
  const random = new Random(91);
  const shiftLog = form === 'edwards' ? 12345678901234567890n : 0n;
  let kernel: Kernel;
  beforeAll(async () => {
    kernel = await loadKernel(curve, module);
  });

  const prepare = async (logs: readonly bigint[]): Promise<Uint8Array> =>
    (await kernel.prepareBases({ group, form, encoding: 'canonical', points: noble.multiples(logs) })).points;

  it.each([1, 2, 3, 70])('of %i points are those of their labels', async (count) => {
    const logs = Array.from({ length: count }, () => random.below(order - 1n) + 1n);
    // Equal and opposite points, some of them in the same bucket.
    if (count > 2) [logs[1], logs[2]] = [logs[0]!, order - logs[0]!];
    const labels: Uint8Array[] = [];
    vi.spyOn(crypto, 'getRandomValues').mockImplementation((bytes) => {
      const own = (bytes as Uint8Array).map((_, i) => (i < 3 ? 0xa5 : Number(random.below(256n))));
      labels.push(own);
      (bytes as Uint8Array).set(own);
      return bytes;
    });
    const shift = shiftLog === 0n ? {} : { shift: await prepare([shiftLog]) };
    const sums = await kernel.subsetSums({ group, form, points: await prepare(logs), ...shift });
    const expected = Array.from({ length: SUBSET_SUMS }, (_, i) => {
      const chosen = logs.filter((_, k) => (labels[Math.floor(i / LABEL_BITS)]![k]! >> (i % LABEL_BITS)) & 1);
      return noble.multiple(chosen.reduce((sum, log) => sum + log + shiftLog, 0n));
    });
    expect(sums).toEqual(joinBytes(expected));
  });

  it('are over subsets that are drawn anew for each sum and each call', async () => {
    const points = await prepare([1n, 1000n]);
    const shift = shiftLog === 0n ? {} : { shift: await prepare([shiftLog]) };
    const bytes = pointBytes(curve, group);
    const subsets = [[], [1n], [1000n], [1n, 1000n]].map((logs) =>
      String(noble.multiple(logs.reduce((sum, log) => sum + log + shiftLog, 0n))),
    );
    const calls = 48;
    const seen = Array.from({ length: SUBSET_SUMS }, () => subsets.map(() => 0));
    const lists = new Set<string>();
    for (let i = 0; i < calls; i++) {
      const sums = await kernel.subsetSums({ group, form, points, ...shift });
      lists.add(String(sums));
      for (const counts of seen.entries()) {
        const [at, ofSubset] = counts;
        ofSubset[subsets.indexOf(String(sums.slice(at * bytes, (at + 1) * bytes)))]!++;
      }
    }
    // Two calls of 80 random bits each are the same once in 10^20 times.
    expect(lists.size).toBe(calls);
    // Each of the four subsets of two points comes 12 times, with a deviation of 3; a missing one would come once in
    // 10^6.
    for (const counts of seen) expect(Math.max(...counts)).toBeLessThan(calls - 16);
    const all = subsets.map((_, k) => seen.reduce((sum, counts) => sum + counts[k]!, 0));
    for (const count of all) expect(Math.abs(count / (calls * SUBSET_SUMS) - 1 / 4)).toBeLessThan(1 / 12);
  });

  it('are found in the subgroup or outside of it', async () => {
    const members = noble.multiples([0n, 1n, 2n, order - 1n, 5n, 6n]);
    for (const terms of [1, 2, 3, 6]) {
      expect(await kernel.sumsInSubgroup({ group, points: members, terms })).toBe(true);
    }
    const bytes = pointBytes(curve, group);
    for (const outside of Object.values(pointsOutside(CURVES[curve], group))) {
      for (let at = 0; at < 6; at++) {
        const points = members.slice();
        points.set(outside, at * bytes);
        for (const terms of [1, 2, 6]) expect(await kernel.sumsInSubgroup({ group, points, terms })).toBe(false);
      }
    }
  });

  it('stop when the caller no longer wants them', async () => {
    const points = await prepare(Array.from({ length: 2000 }, (_, i) => BigInt(i % 7) + 1n));
    const shift = shiftLog === 0n ? {} : { shift: await prepare([shiftLog]) };
    const now = performance.now.bind(performance);
    let reads = 0;
    // Each reading of the clock is a second after the one before.
    vi.spyOn(performance, 'now').mockImplementation(() => now() + 1000 * reads++);
    const task = { cancelled: async () => true, progress: () => undefined };
    const summing = kernel.subsetSums({ group, form, points, ...shift }, task);
    await expect(summing).rejects.toMatchObject({ code: 'ABORTED' });
  });
});
