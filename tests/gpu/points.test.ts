import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CURVES } from '../../sdk/curves/index.js';
import { accumulateShares, accumulateStage } from '../../sdk/gpu/accumulate.js';
import { mergeSlots, mergeStage } from '../../sdk/gpu/merge.js';
import { reduceBuckets } from '../../sdk/gpu/reduce.js';
import type { Job } from '../../sdk/gpu/stage.js';
import { type AffinePoint, addAffine } from '../support/curve-reference.js';
import {
  isCanonicalSum,
  type KnownPoints,
  negate,
  packBases,
  packSum,
  randomPoints,
  sumWords,
  unpackSum,
} from '../support/msm-reference.js';
import { Random } from '../support/random.js';
import { openCurveLab, type StageLab, shape } from './stage-lab.js';

const NONE = 0xffffffff;

/** How many entries each bucket has, in lists that are hard on shares. */
const SIZES: Record<string, readonly number[]> = {
  'one bucket with everything': [0, 0, 100, 0, 0, 0, 0, 0],
  'buckets that end where shares end': [16, 16, 0, 32, 16, 0, 0, 16],
  'buckets of one entry': Array(40).fill(1),
  'few entries among many empty buckets': [0, 0, 0, 1, ...Array(30).fill(0), 2, ...Array(100).fill(0), 1, 0],
  'no entries': Array(16).fill(0),
  'sizes of all kinds': [3, 0, 17, 1, 0, 0, 64, 2, 5, 31, 0, 1, 16, 15, 33, 0],
};

for (const curve of ['bn254', 'bls12-377'] as const) {
  const parameters = CURVES[curve];
  const words = sumWords(curve);
  const random = new Random(23);
  let lab: StageLab;
  let known: KnownPoints;

  const add = (p: AffinePoint, q: AffinePoint) => addAffine(parameters, p, q);
  const randomZ = () => 1n + random.below(parameters.fq.modulus - 1n);
  const sums = (all: Uint32Array) =>
    Array.from({ length: all.length / words }, (_, i) => unpackSum(curve, all.subarray(i * words, (i + 1) * words)));
  const packed = (points: readonly AffinePoint[]) =>
    Uint32Array.from(
      points.flatMap((p) => [...(p === undefined ? new Uint32Array(words) : packSum(curve, p, randomZ()))]),
    );

  beforeAll(async () => {
    lab = await openCurveLab(curve);
    known = randomPoints(curve, 64, random);
  });

  afterAll(() => lab.destroy());

  describe(`accumulate and merge on ${curve}`, () => {
    for (const [name, sizes] of Object.entries(SIZES)) {
      for (const share of [1, 4, 16]) {
        it(`sums ${name} in shares of ${share}`, async () => {
          const entries = sizes.reduce((sum, size) => sum + size, 0);
          // Room for more entries than there are, as when digits are zero.
          const points = entries + 7;
          const plan = shape({
            windowBits: 4,
            windows: 1,
            bucketsPerWindow: sizes.length,
            chunkPoints: points,
            share,
            sumBytes: 4 * words,
          });
          const bytes = { ...accumulateStage.bytes(plan), ...mergeStage.bytes(plan) };
          const counters = new Uint32Array(sizes.length + 1);
          for (const [b, size] of sizes.entries()) counters[b + 1] = counters[b]! + size;
          const sorted = new Uint32Array(points);
          const expected: AffinePoint[] = [];
          for (const [b] of sizes.entries()) {
            let sum: AffinePoint;
            for (let e = counters[b]!; e < counters[b + 1]!; e++) {
              const index = random.integer(known.points.length);
              const negative = random.integer(2) === 1;
              sorted[e] = (index | (negative ? 0x80000000 : 0)) >>> 0;
              sum = add(sum, negative ? negate(curve, known.points[index]!) : known.points[index]);
            }
            expected.push(sum);
          }
          await lab.fill({
            counters,
            sorted,
            buckets: bytes.buckets! / 4,
            slots: bytes.slots! / 4,
            slotKeys: new Uint32Array(bytes.slotKeys! / 4).fill(5),
            mergedSlots: bytes.mergedSlots! / 4,
            mergedKeys: new Uint32Array(bytes.mergedKeys! / 4).fill(5),
          });
          const bases = lab.bases(new Uint32Array(packBases(curve, known.points).points.buffer));
          const job: Job = {
            plan,
            firstWindow: 0,
            windows: 1,
            points,
            firstPoint: 0,
            bases,
            baseIndex: 0,
            continued: false,
          };
          await lab.run([accumulateShares(job), ...mergeSlots(job)]);
          expect(sums(await lab.read('buckets'))).toEqual(expected);
          // The same entries once more, on top of what the buckets hold.
          const again = { ...job, continued: true };
          await lab.run([accumulateShares(again), ...mergeSlots(again)]);
          expect(sums(await lab.read('buckets'))).toEqual(expected.map((sum) => add(sum, sum)));
        });
      }
    }

    it('merges slots with gaps, where a bucket goes over whole shares', async () => {
      // Four rounds' worth of pairs: what began before, and what begins here and goes on.
      const pairs: [number, number][] = [
        [NONE, 2],
        [2, NONE],
        [2, NONE],
        [2, NONE],
        [2, 4],
        [4, NONE],
        [NONE, NONE],
        [NONE, 7],
        [7, 8],
        [8, 9],
        [9, NONE],
        [NONE, NONE],
        [NONE, 12],
        [12, NONE],
        [NONE, NONE],
        [NONE, 14],
        [14, NONE],
      ];
      const keys = Uint32Array.from(pairs.flat());
      const points = Array.from(keys, (key) => (key === NONE ? undefined : known.points[random.integer(64)]));
      const share = 2;
      const plan = shape({
        windowBits: 5,
        windows: 1,
        chunkPoints: pairs.length * share,
        share,
        sumBytes: 4 * words,
      });
      const bytes = mergeStage.bytes(plan);
      await lab.fill({
        slotKeys: keys,
        slots: packed(points),
        mergedKeys: bytes.mergedKeys! / 4,
        mergedSlots: bytes.mergedSlots! / 4,
        buckets: 16 * words,
      });
      const job = { plan, firstWindow: 0, windows: 1, points: plan.chunkPoints, continued: false } as unknown as Job;
      await lab.run(mergeSlots(job));
      const expected: AffinePoint[] = Array(16).fill(undefined);
      keys.forEach((key, i) => {
        if (key !== NONE) expected[key] = add(expected[key], points[i]);
      });
      expect(sums(await lab.read('buckets'))).toEqual(expected);
    });
  });

  describe(`reduce on ${curve}`, () => {
    for (const [windowBits, reduceSteps] of [
      [4, [1, 1, 1]],
      [4, [3]],
      [4, [2, 1]],
      [6, [2, 2, 1]],
      [7, [1, 3, 2]],
    ] as const) {
      for (const filled of [0, 1, 0.1, 0.7]) {
        it(`weighs ${windowBits - 1}-bit buckets, ${100 * filled}% filled, in steps of ${reduceSteps} bits`, async () => {
          const windows = 3;
          const plan = shape({ windowBits, windows: 5, windowsPerPass: windows, reduceSteps, sumBytes: 4 * words });
          const buckets: AffinePoint[] = Array.from({ length: windows * plan.bucketsPerWindow }, () =>
            random.integer(1000) < 1000 * filled ? known.points[random.integer(64)] : undefined,
          );
          await lab.fill({ buckets: packed(buckets), windowSums: 5 * words });
          const job = { plan, firstWindow: 2, windows, points: 1, continued: false } as unknown as Job;
          await lab.run(reduceBuckets(job));
          const expected = Array.from({ length: windows }, (_, w) => {
            let running: AffinePoint;
            let total: AffinePoint;
            for (let b = plan.bucketsPerWindow - 1; b >= 0; b--) {
              running = add(running, buckets[w * plan.bucketsPerWindow + b]);
              total = add(total, running);
            }
            return total;
          });
          const result = await lab.read('windowSums');
          expect(sums(result).slice(2)).toEqual(expected);
          for (let w = 2; w < 5; w++) {
            expect(isCanonicalSum(curve, result.subarray(w * words, (w + 1) * words))).toBe(true);
          }
          expect(result.subarray(0, 2 * words).every((word) => word === 0)).toBe(true);
        });
      }
    }
  });
}
