import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CURVES } from '../../../sdk/curves/index.js';
import { accumulatePieces, accumulateStage } from '../../../sdk/gpu/msm/accumulate.js';
import { collectBits } from '../../../sdk/gpu/msm/collect.js';
import { foldSlots } from '../../../sdk/gpu/msm/fold.js';
import { mergeSlots } from '../../../sdk/gpu/msm/merge.js';
import { cutPieces, dealStage, tallyStage } from '../../../sdk/gpu/msm/pieces.js';
import { reduceBuckets } from '../../../sdk/gpu/msm/reduce.js';
import type { Job } from '../../../sdk/gpu/runtime/stage.js';
import { type AffinePoint, addAffine } from '../../support/curve-reference.js';
import {
  evaluateWindows,
  type KnownPoints,
  negate,
  packBases,
  packSum,
  randomPoints,
  sumWords,
  unpackSum,
} from '../../support/msm-reference.js';
import { Random } from '../../support/random.js';
import { openCurveLab, type StageLab, shape, VARIANTS } from './stage-lab.js';

/** How many entries each bucket has, in lists that are hard on pieces. */
const SIZES: Record<string, readonly number[]> = {
  'one bucket with everything': [0, 0, 100, 0, 0, 0, 0, 0],
  'long runs side by side': [1, 90, 0, 75, 3, 140, 2],
  'buckets that end where pieces end': [16, 16, 0, 32, 16, 0, 0, 16],
  'buckets of one entry': Array(40).fill(1),
  'few entries among many empty buckets': [0, 0, 0, 1, ...Array(30).fill(0), 2, ...Array(100).fill(0), 1, 0],
  'no entries': Array(16).fill(0),
  'sizes of all kinds': [3, 0, 17, 1, 0, 0, 64, 2, 5, 31, 0, 1, 16, 15, 33, 0],
};

for (const { curve, products } of VARIANTS) {
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
    lab = await openCurveLab(curve, products);
    known = randomPoints(curve, 64, random);
  });

  afterAll(() => lab.destroy());

  describe(`accumulate and merge on ${curve} by ${products}`, () => {
    for (const [name, sizes] of Object.entries(SIZES)) {
      for (const pieceLength of [1, 4, 16, 64]) {
        it(`sums ${name} in pieces of ${pieceLength}`, async () => {
          const entries = sizes.reduce((sum, size) => sum + size, 0);
          // Room for more entries than there are, as when digits are zero.
          const points = entries + 7;
          const plan = shape({
            windowBits: 4,
            windows: 1,
            bucketsPerWindow: sizes.length,
            chunkPoints: points,
            pieceLength,
            sumBytes: 4 * words,
          });
          const bytes = { ...accumulateStage.bytes(plan), ...dealStage.bytes(plan), ...tallyStage.bytes(plan) };
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
            ranksThenSlots: new Uint32Array(Math.max(1, bytes.ranksThenSlots! / 4)).fill(5),
            bins: bytes.bins! / 4,
            pieces: bytes.pieces! / 4,
            firstPieces: new Uint32Array(bytes.firstPieces! / 4).fill(5),
          });
          const bases = lab.bases(new Uint32Array(packBases(curve, known.points).points.buffer));
          const job: Job = {
            plan,
            firstWindow: 0,
            windows: 1,
            points,
            firstPoint: 0,
            batch: 1,
            firstOfBatch: 0,
            bases,
            baseIndex: 0,
            continued: false,
          };
          await lab.run([...cutPieces(job), accumulatePieces(job), ...foldSlots(job), mergeSlots(job)]);
          expect(sums(await lab.read('buckets'))).toEqual(expected);
          // The same entries once more, on top of what the buckets hold.
          const again = { ...job, continued: true };
          await lab.run([accumulatePieces(again), ...foldSlots(again), mergeSlots(again)]);
          expect(sums(await lab.read('buckets'))).toEqual(expected.map((sum) => add(sum, sum)));
        });
      }
    }
  });

  // Reducing adds sums, which is not done by bytes.
  if (products === 'limbs')
    describe(`reduce on ${curve}`, () => {
      for (const windowBits of [4, 6, 7]) {
        for (const filled of [0, 1, 0.1, 0.7]) {
          it(`weighs ${windowBits - 1}-bit buckets, ${100 * filled}% filled`, async () => {
            const windows = 3;
            const plan = shape({ windowBits, windows: 5, windowsPerPass: windows, sumBytes: 4 * words });
            const buckets: AffinePoint[] = Array.from({ length: windows * plan.bucketsPerWindow }, () =>
              random.integer(1000) < 1000 * filled ? known.points[random.integer(64)] : undefined,
            );
            await lab.fill({ buckets: packed(buckets), bitSums: 5 * windowBits * words });
            const job = { plan, firstWindow: 2, windows, firstOfBatch: 0, batch: 1, points: 1 } as unknown as Job;
            await lab.run([...reduceBuckets(job), collectBits(job)]);
            const expected = Array.from({ length: windows }, (_, w) => {
              let running: AffinePoint;
              let total: AffinePoint;
              for (let b = plan.bucketsPerWindow - 1; b >= 0; b--) {
                running = add(running, buckets[w * plan.bucketsPerWindow + b]);
                total = add(total, running);
              }
              return total;
            });
            const result = await lab.read('bitSums');
            const size = windowBits * words;
            for (const [w, window] of expected.entries()) {
              const bits = new Uint8Array(result.slice((2 + w) * size, (3 + w) * size).buffer);
              expect(evaluateWindows(curve, bits, 1)).toEqual(window);
            }
            expect(result.subarray(0, 2 * size).every((word) => word === 0)).toBe(true);
          });
        }
      }
    });
}
