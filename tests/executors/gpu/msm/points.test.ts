import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CURVES } from '../../../../sdk/curves/index.js';
import { elementsOf } from '../../../../sdk/executors/gpu/msm/product-forms.js';
import { accumulateStage, foldStage } from '../../../../sdk/executors/gpu/msm/stages/accumulate.js';
import { collectStage, joinStage, reduceStage } from '../../../../sdk/executors/gpu/msm/stages/bucket-reduction.js';
import { dealStage, tallyStage } from '../../../../sdk/executors/gpu/msm/stages/pieces.js';
import { isTestedInFull } from '../../../support/combinations.js';
import { type AffinePoint, addAffine } from '../../../support/curve-reference.js';
import {
  evaluateWindows,
  type KnownPoints,
  negate,
  packBases,
  packSum,
  randomPoints,
  sumWords,
  unpackSum,
} from '../../../support/msm-reference.js';
import { Random } from '../../../support/random.js';
import { openLab, type StageLab, shape, VARIANTS_OF_SUMS, wholeChunk } from './stage-lab.js';

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

/** The largest length of a piece, and that of the pieces of a bucket that has several. */
const LENGTHS = [
  [1, 1],
  [4, 4],
  [16, 5],
  [16, 16],
  [64, 24],
] as const;

// point-law.test.ts tries the others.
for (const { curve, products } of VARIANTS_OF_SUMS.filter((each) => each.products === elementsOf(each.products))) {
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
    lab = await openLab(curve, products);
    known = randomPoints(curve, 64, random);
  });

  afterAll(() => lab.destroy());

  describe(`accumulate and merge on ${curve} by ${products}`, () => {
    for (const [name, sizes] of Object.entries(SIZES)) {
      // Only the additions of bases differ by products: the lengths are all tried by limbs.
      for (const [pieceLength, fullLength] of products === 'limbs' ? LENGTHS : ([[4, 3]] as const)) {
        it(`sums ${name} in pieces of ${pieceLength}, and of ${fullLength} where there are several`, async () => {
          const entries = sizes.reduce((sum, size) => sum + size, 0);
          // Room for more entries than there are, as when digits are zero.
          const points = entries + 7;
          const plan = shape({
            windowBits: 4,
            windows: 1,
            bucketsPerRow: sizes.length,
            chunkPoints: points,
            pieceLength,
            fullLength,
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
            slots: new Uint32Array(Math.max(1, bytes.slots! / 4)).fill(5),
            bins: bytes.bins! / 4,
            pieces: bytes.pieces! / 4,
            firstPieces: new Uint32Array(bytes.firstPieces! / 4).fill(5),
          });
          const bases = lab.bases(new Uint32Array(packBases(curve, known.points).points.buffer));
          const chunk = wholeChunk(plan, { bases });
          const cut = [...tallyStage.dispatches(chunk), ...dealStage.dispatches(chunk)];
          const fold = foldStage.dispatches(chunk);
          await lab.run([...cut, ...accumulateStage.dispatches(chunk), ...fold]);
          expect(sums(await lab.read('buckets'))).toEqual(expected);
          // The same entries once more, on top of what the buckets hold.
          await lab.run([...accumulateStage.dispatches({ ...chunk, continued: true }), ...fold]);
          expect(sums(await lab.read('buckets'))).toEqual(expected.map((sum) => add(sum, sum)));
        });
      }
    }
  });

  // Joining and reducing add sums, which is not done by bytes. What joins compiles for seconds, and only calls what is
  // tested above: one curve of each shape has it.
  if (products === 'limbs' && isTestedInFull(curve, 'g1'))
    describe(`join on ${curve}`, () => {
      it.each([2, 3, 5])('adds %i sets of buckets up in the first one', async (sets) => {
        const windowBits = 4;
        const [rows, batch] = [2, 3];
        const plan = shape({
          windowBits,
          windows: rows * sets - 1,
          multiples: sets,
          rows,
          reduction: 'cross-window',
          batchPerPass: batch,
          sumBytes: 4 * words,
        });
        const perSet = rows * batch * plan.bucketsPerRow;
        // Empty ones, equal ones and opposite ones stand for the same number, too.
        const some = [undefined, known.points[0]!, known.points[1]!, negate(curve, known.points[1]!)];
        const buckets: AffinePoint[] = Array.from({ length: sets * perSet }, () => some[random.integer(some.length)]);
        await lab.fill({ buckets: packed(buckets) });
        await lab.run(joinStage.dispatches(wholeChunk(plan)));
        const joined = buckets
          .slice(0, perSet)
          .map((_, b) =>
            Array.from({ length: sets }, (__, set) => buckets[set * perSet + b]).reduce(
              (sum, bucket) => add(sum, bucket),
              undefined,
            ),
          );
        expect(sums(await lab.read('buckets'))).toEqual([...joined, ...buckets.slice(perSet)]);
      });
    });

  if (products === 'limbs')
    describe(`reduce on ${curve}`, () => {
      for (const windowBits of [4, 6, 7]) {
        for (const filled of [0, 1, 0.1, 0.7]) {
          it(`weighs ${windowBits - 1}-bit buckets, ${100 * filled}% filled`, async () => {
            const rows = 3;
            const plan = shape({ windowBits, windows: 5, rowsPerPass: rows, sumBytes: 4 * words });
            const buckets: AffinePoint[] = Array.from({ length: rows * plan.bucketsPerRow }, () =>
              random.integer(1000) < 1000 * filled ? known.points[random.integer(64)] : undefined,
            );
            await lab.fill({ buckets: packed(buckets), bitSums: 5 * windowBits * words });
            const chunk = wholeChunk(plan, { firstRow: 2 });
            await lab.run([...reduceStage.dispatches(chunk), ...collectStage.dispatches(chunk)]);
            const expected = Array.from({ length: rows }, (_, g) => {
              let running: AffinePoint;
              let total: AffinePoint;
              for (let b = plan.bucketsPerRow - 1; b >= 0; b--) {
                running = add(running, buckets[g * plan.bucketsPerRow + b]);
                total = add(total, running);
              }
              return total;
            });
            const result = await lab.read('bitSums');
            const size = windowBits * words;
            for (const [g, row] of expected.entries()) {
              const bits = new Uint8Array(result.slice((2 + g) * size, (3 + g) * size).buffer);
              expect(evaluateWindows(curve, bits, 1)).toEqual(row);
            }
            expect(result.subarray(0, 2 * size).every((word) => word === 0)).toBe(true);
          });
        }
      }
    });
}
