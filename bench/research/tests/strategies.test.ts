import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compilePackedDigits } from '../../../scripts/lib/packed-digits.mjs';
import { CURVES, type CurveId } from '../../../sdk/curves/index.js';
import type { Products } from '../../../sdk/executors/gpu/runtime/device.js';
import { totalBytes } from '../../../sdk/executors/gpu/runtime/scratch-layout.js';
import { scalarWords } from '../../../tests/executors/gpu/msm/sort-reference.js';
import { sharedDevice } from '../../../tests/executors/gpu/test-device.js';
import {
  evaluateWindows,
  expectedSum,
  type KnownPoints,
  negate,
  packBases,
  randomPoints,
} from '../../../tests/support/msm-reference.js';
import { Random } from '../../../tests/support/random.js';
import { affineLevels } from '../strategies/affine-levels/index.js';
import { affinePairs } from '../strategies/affine-pairs/index.js';
import { bigTriangle } from '../strategies/big-triangle/index.js';
import { layered } from '../strategies/layered/index.js';
import { negatedScalarsAlone, negatedScalarsWithMultiples } from '../strategies/negated-scalars/index.js';
import { nonAdjacentForm } from '../strategies/non-adjacent-form/index.js';
import { oddDigits } from '../strategies/odd-digits/index.js';
import { rangesToBucketEnds } from '../strategies/ranges-to-bucket-ends/index.js';
import { runningSums } from '../strategies/running-sums/index.js';
import { staticBuffer } from '../strategies/static-buffer/index.js';
import type { Strategy } from '../strategies/strategy.js';
import { StrategyMsm } from '../strategies/strategy-msm.js';
import { suffixSums } from '../strategies/suffix-sums/index.js';
import { threadABucket } from '../strategies/thread-a-bucket/index.js';
import { windowSplitting } from '../strategies/window-splitting/index.js';
import { workerDigits } from '../strategies/worker-digits/index.js';

const COUNT = 300;

/** A curve, and how bases are added. */
interface Variant {
  readonly curve: CurveId;
  readonly products?: Products;
}

/**
 * Holds sums by a strategy against the reference: all cases for the first variant, a few for the others, since kernels
 * take seconds to compile on a software adapter. The benchmark checks every result, on every curve.
 */
function testStrategy(strategy: Strategy, variants: readonly Variant[] = [{ curve: 'bn254' }]): void {
  describe.each(variants)(`${strategy.name} on $curve $products`, (variant) => {
    const { curve, products } = variant;
    const { modulus: r, bits } = CURVES[curve].fr;
    const random = new Random(17);
    const uniform = (): bigint => random.below(r);
    let msm: StrategyMsm;
    let known: KnownPoints;

    beforeAll(async () => {
      msm = await StrategyMsm.create(await sharedDevice(products), curve, strategy);
      known = randomPoints(curve, COUNT, random);
      return () => msm.destroy();
    });

    async function check(scalar: (i: number) => bigint, count = COUNT, windowBits = 7, points = known): Promise<void> {
      const bases = await msm.load(packBases(curve, points.points.slice(0, count)), windowBits);
      try {
        const scalars = Array.from({ length: count }, (_, i) => scalar(i));
        const result = await msm.multiply(bases, new Uint8Array(scalarWords(scalars).buffer));
        const expected = expectedSum(curve, points.logs.slice(0, count), scalars);
        expect(evaluateWindows(curve, result.sums, result.windowBits)).toEqual(expected);
      } finally {
        bases.buffer.destroy();
      }
    }

    const few = Array.from({ length: 32 }, uniform);
    const sparse = (i: number): bigint => (i % 20 < 12 ? 0n : i % 20 < 17 ? 1n : uniform());

    it('sums points with uniform scalars', () => check(uniform));
    it('sums points with few distinct scalars', () => check((i) => few[i % 32]!));
    if (variant !== variants[0]) return;

    it('sums points with sparse scalars', () => check(sparse));
    it('sums points with equal scalars', () => check(() => few[0]!));
    it.each([0n, 1n, r - 1n, (r - 1n) / 2n, (r + 1n) / 2n])('sums points with all scalars %i', (k) => check(() => k));
    it('sums points with powers of 2 and their neighbours', () =>
      check((i) => (1n << BigInt(i % (bits - 1))) + BigInt(Math.floor(i / 100) - 1)));
    it.each([1, 2, 3, 65])('sums %i points', (count) => check(uniform, count));
    it.each([4, 5, 9])('takes windows of %i bits', (windowBits) => check(uniform, COUNT, windowBits));

    it('fills some rows of buckets at a time where memory is short', async () => {
      const prepared = packBases(curve, known.points);
      const whole = await msm.load(prepared, 7);
      whole.buffer.destroy();
      const budget = Math.ceil(0.75 * totalBytes(whole.layout));
      const tight = await StrategyMsm.create(await sharedDevice(products), curve, strategy, budget);
      const bases = await tight.load(prepared, 7);
      expect(bases.plan.rowsPerPass).toBeLessThan(bases.plan.rows);
      const scalars = known.points.map(uniform);
      const result = await tight.multiply(bases, new Uint8Array(scalarWords(scalars).buffer));
      expect(evaluateWindows(curve, result.sums, result.windowBits)).toEqual(expectedSum(curve, known.logs, scalars));
      expect(tight.scratchBytes).toBeLessThanOrEqual(budget);
      bases.buffer.destroy();
      tight.destroy();
    });

    it('sums equal and opposite points', async () => {
      const points = known.points.map((_, i) => (i % 3 === 2 ? negate(curve, known.points[0]!) : known.points[0]!));
      const logs = known.logs.map((_, i) => (i % 3 === 2 ? r - known.logs[0]! : known.logs[0]!));
      await check((i) => few[i % 2]!, COUNT, 7, { points, logs });
      await check(uniform, COUNT, 7, { points, logs });
    });
  });
}

const BYTES: readonly Variant[] = [
  { curve: 'bn254', products: 'bytes' },
  { curve: 'bls12-381', products: 'bytes' },
];
testStrategy(affineLevels({ levels: 2, threads: 2 ** 10, parts: 4 }), BYTES);
testStrategy(affineLevels({ levels: 9, threads: 2 ** 6, parts: 1 }), BYTES.slice(0, 1));
testStrategy(affinePairs, [{ curve: 'bn254' }, { curve: 'bls12-381' }]);
testStrategy(bigTriangle);
testStrategy(layered);
testStrategy(negatedScalarsAlone);
testStrategy(negatedScalarsWithMultiples, [{ curve: 'bn254' }, { curve: 'bls12-377' }]);
testStrategy(nonAdjacentForm);
testStrategy(oddDigits);
testStrategy(rangesToBucketEnds, [{ curve: 'bn254' }, { curve: 'bn254', products: 'bytes' }]);
testStrategy(runningSums, [{ curve: 'bn254' }, { curve: 'bls12-377' }]);
testStrategy(staticBuffer, [{ curve: 'bn254' }, { curve: 'bn254', products: 'bytes' }, { curve: 'bls12-377' }]);
testStrategy(suffixSums, [{ curve: 'bn254' }, { curve: 'bls12-377' }]);
testStrategy(threadABucket, [{ curve: 'bn254' }, { curve: 'bn254', products: 'bytes' }]);
testStrategy(windowSplitting);

const strategy = workerDigits(async () => WebAssembly.compile(await compilePackedDigits()));
testStrategy(strategy);
afterAll(() => strategy.close?.());
