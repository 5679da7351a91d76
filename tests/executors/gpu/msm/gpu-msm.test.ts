import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bigintToBytes, joinBytes } from '../../../../sdk/base/bytes.js';
import type { PartialSums } from '../../../../sdk/bases/backend.js';
import { windowCount } from '../../../../sdk/bases/digits.js';
import { hostScalars } from '../../../../sdk/bases/scalar-vector.js';
import { CURVES, type CurveId } from '../../../../sdk/curves/index.js';
import {
  type DigitSource,
  type GpuBases,
  GpuMsm,
  type GpuMultiplyOptions,
} from '../../../../sdk/executors/gpu/msm/gpu-msm.js';
import { pointLayout } from '../../../../sdk/executors/gpu/msm/point-layout.js';
import type { GpuDevice } from '../../../../sdk/executors/gpu/runtime/device.js';
import { firstOf, isTestedInFull } from '../../../support/combinations.js';
import type { AffinePoint } from '../../../support/curve-reference.js';
import { EVERY_COMBINATION } from '../../../support/every-combination.js';
import {
  evaluateWindows,
  expectedSum,
  type KnownPoints,
  negate,
  packBases,
  randomPoints,
} from '../../../support/msm-reference.js';
import { Random } from '../../../support/random.js';
import { sharedDevice } from '../test-device.js';
import { digitsReference, scalarWords } from './sort-reference.js';
import { VARIANTS_OF_SUMS } from './stage-lab.js';

function scalarBytes(curve: CurveId, scalars: readonly bigint[]): Uint8Array {
  return new Uint8Array(scalarWords(scalars, CURVES[curve].scalarBytes / 4).buffer);
}

async function sumOf(
  msm: GpuMsm,
  curve: CurveId,
  bases: GpuBases,
  scalars: readonly bigint[],
  options?: GpuMultiplyOptions,
): Promise<AffinePoint> {
  const parts = await msm.multiply(bases, scalarBytes(curve, scalars), options);
  if (parts.kind === 'points') throw new Error('expected windows');
  const { rows, windowBits, sumBytes } = msm.plan(bases, options);
  expect(windowBits).toBe(options?.windowBits ?? windowBits);
  expect(parts.sums.length).toBe(rows * windowBits * sumBytes);
  return evaluateWindows(curve, parts.sums, parts.windowBits);
}

function pointOf(curve: CurveId, parts: PartialSums): AffinePoint {
  if (parts.kind === 'points') throw new Error('expected windows');
  return evaluateWindows(curve, parts.sums, parts.windowBits);
}

/** Bytes that hold 1000 bases, and neither all points nor all windows of a multiplication at a time. */
const tightBudget = (curve: CurveId): number => {
  const { baseBytes, sumBytes } = pointLayout(curve, 'g1');
  // Longer scalars have more digits and more bit sums.
  const length = CURVES[curve].scalarBytes / 32;
  return 1000 * baseBytes + length * (66_000 + 212 * sumBytes);
};

const IS_SOFTWARE = (await sharedDevice()).info.isSoftware;

// Of the variants by each other kind of products the first stands for the others, whose additions point-law.test.ts makes.
const TRIED = [
  ...VARIANTS_OF_SUMS.filter(({ products }) => products === 'limbs'),
  ...(['unrolled', 'words', 'bytes'] as const).flatMap((kind) =>
    firstOf(VARIANTS_OF_SUMS.filter(({ products }) => products === kind)),
  ),
];

for (const { curve, products } of TRIED) {
  describe(`GpuMsm of ${curve} with products by ${products}`, () => {
    const { modulus: r, bits: scalarBits } = CURVES[curve].fr;
    const random = new Random(11);
    const uniform = () => random.below(r);
    let gpu: GpuDevice;
    let msm: GpuMsm;
    let known: KnownPoints;

    beforeAll(async () => {
      gpu = await sharedDevice(products);
      msm = await GpuMsm.create(gpu, curve, 'g1');
      known = randomPoints(curve, 1000, random);
    });

    afterAll(() => msm.destroy());

    async function check(
      { points, logs }: KnownPoints,
      scalars: readonly bigint[],
      options?: GpuMultiplyOptions,
      on: GpuMsm = msm,
    ): Promise<void> {
      const bases = await on.load(packBases(curve, points));
      try {
        expect(await sumOf(on, curve, bases, scalars, options)).toEqual(expectedSum(curve, logs, scalars));
      } finally {
        bases.release();
      }
    }

    function first(count: number): KnownPoints {
      return { points: known.points.slice(0, count), logs: known.logs.slice(0, count) };
    }

    // Others than those by limbs are slow on a software adapter: there only what bears on additions of bases.
    const isSlow = products !== 'limbs' && IS_SOFTWARE;
    const inFull = isTestedInFull(curve, 'g1') && !isSlow;
    const ifInFull = (name: string, test: () => Promise<void>): void => {
      if (inFull) it(name, test);
    };
    /** For what is prepared on the host, which knows no curve, and what the kernels that know no field make of it. */
    const ifFirst = (name: string, test: () => Promise<void>): void => {
      if (inFull && (EVERY_COMBINATION || curve === 'bn254')) it(name, test);
    };

    for (const count of isSlow ? [3] : inFull ? [1, 2, 3, 5, 255, 256, 257, 1000] : [1, 257]) {
      it(`sums ${count} points`, () => check(first(count), Array.from({ length: count }, uniform)));
    }

    it('gives no points for no points', async () => {
      const bases = await msm.load(packBases(curve, []));
      expect(await msm.multiply(bases, new Uint8Array())).toEqual({ kind: 'points', points: [] });
    });

    for (const windowBits of IS_SOFTWARE ? [4, 5, 7, 11] : [4, 5, 7, 11, 16]) {
      ifFirst(`uses windows of ${windowBits} bits`, () =>
        check(first(70), Array.from({ length: 70 }, uniform), { windowBits }),
      );
    }

    for (const bits of [1, 8, 31, 32, 33, 64]) {
      ifFirst(`takes fewer windows for scalars of ${bits} bits`, async () => {
        const largest = (1n << BigInt(bits)) - 1n;
        const scalars = Array.from({ length: 70 }, (_, i) => [largest, 0n, 1n][i] ?? uniform() & largest);
        await check(first(70), scalars, { scalarBits: bits });
        await check(first(70), scalars, { scalarBits: bits, windowBits: 5 });
        const bases = await msm.load(packBases(curve, first(70).points));
        expect(msm.plan(bases, { scalarBits: bits, windowBits: 5 }).windows).toBe(Math.ceil((bits + 1) / 5));
        bases.release();
      });
    }

    ifFirst('takes scalars in pieces of any sizes, short ones as they are', async () => {
      const count = 300;
      const { points, logs } = first(count);
      const bases = await msm.load(packBases(curve, points));
      for (const [scalarBytes, largest, options] of [
        [12, (1n << 95n) - 1n, {}],
        [12, (1n << 73n) - 1n, { scalarBits: 73 }],
        [CURVES[curve].scalarBytes, r - 1n, {}],
      ] as const) {
        const values = Array.from({ length: count }, (_, i) => [largest, 0n, 1n][i] ?? uniform() % (largest + 1n));
        const bytes = joinBytes(values.map((value) => bigintToBytes(value, scalarBytes)));
        const cuts = [0, 1, 256, 257, count].map((scalar) => scalar * scalarBytes);
        const pieces = cuts.slice(1).map((end, i) => bytes.subarray(cuts[i], end));
        const scalars = { kind: 'pieces', pieces, scalarBytes } as const;
        const [parts] = await msm.multiplyBatch(bases, scalars, 1, options);
        expect(pointOf(curve, parts!)).toEqual(expectedSum(curve, logs, values));
        const lacking = { ...scalars, pieces: pieces.slice(1) };
        await expect(msm.multiplyBatch(bases, lacking, 1)).rejects.toMatchObject({ code: 'INVALID_LENGTH' });
      }
      bases.release();
    });

    ifFirst('waits for scalars that are not available yet, and takes none that are wrong', async () => {
      const { points, logs } = first(70);
      const bases = await msm.load(packBases(curve, points));
      const values = Array.from({ length: 70 }, uniform);
      const asked: number[] = [];
      const available = async (count: number): Promise<void> => {
        asked.push(count);
        if (asked.length === 1) throw new Error('wrong scalars');
      };
      const scalars = hostScalars(scalarBytes(curve, values), available);
      await expect(msm.multiplyBatch(bases, scalars, 1)).rejects.toThrow('wrong scalars');
      const [parts] = await msm.multiplyBatch(bases, scalars, 1);
      expect(pointOf(curve, parts!)).toEqual(expectedSum(curve, logs, values));
      expect(asked).toEqual(Array(2).fill(70 * CURVES[curve].scalarBytes));
      bases.release();
    });

    const few = Array.from({ length: 32 }, uniform);
    const adversarial: Record<string, (i: number) => bigint> = {
      'all zero': () => 0n,
      'all one': () => 1n,
      'all r - 1': () => r - 1n,
      'all equal': () => few[0]!,
      '2^k - 1': (i) => (1n << BigInt(i % scalarBits)) - 1n,
      '2^k': (i) => 1n << BigInt(i % scalarBits),
      'r - 2^k': (i) => r - (1n << BigInt(i % (scalarBits - 1))),
      sparse: (i) => (i % 20 < 12 ? 0n : i % 20 < 17 ? 1n : uniform()),
      '32 distinct values': (i) => few[i % 32]!,
      'zero but for one': (i) => (i === 100 ? uniform() : 0n),
    };
    for (const [name, scalar] of Object.entries(adversarial)) {
      ifInFull(`sums 130 points with scalars ${name}`, () =>
        check(
          first(130),
          Array.from({ length: 130 }, (_, i) => scalar(i)),
        ),
      );
    }

    ifInFull('sums one point many times, with equal scalars and with random ones', async () => {
      const same = { points: Array(300).fill(known.points[0]), logs: Array(300).fill(known.logs[0]) };
      await check(same, Array(300).fill(few[1]!));
      await check(same, Array.from({ length: 300 }, uniform));
    });

    it('sums points and their negatives', async () => {
      const points = known.points.slice(0, 100).map((p, i) => (i % 2 === 0 ? p : negate(curve, known.points[i - 1]!)));
      const logs = known.logs.slice(0, 100).map((a, i) => (i % 2 === 0 ? a : r - known.logs[i - 1]!));
      await check({ points, logs }, Array(100).fill(few[2]!));
      await check({ points, logs }, Array.from({ length: 100 }, uniform));
      await check(
        { points, logs },
        Array.from({ length: 100 }, (_, i) => (i % 4 < 2 ? few[3]! : r - few[3]!)),
      );
    });

    ifInFull('cuts the points and the rows when memory is short', async () => {
      const scalars = Array.from({ length: 1000 }, uniform);
      const tight = await GpuMsm.create(gpu, curve, 'g1', { memoryBudget: tightBudget(curve) });
      const bases = await tight.load(packBases(curve, known.points));
      const plan = tight.plan(bases, { windowBits: 6 });
      expect(plan.chunkPoints).toBeLessThan(1000);
      expect(plan.rowsPerPass).toBeLessThan(plan.rows);
      expect(await sumOf(tight, curve, bases, scalars, { windowBits: 6 })).toEqual(
        expectedSum(curve, known.logs, scalars),
      );
      expect(tight.memoryBytes).toBeLessThanOrEqual(tightBudget(curve));
      tight.destroy();
    });

    const inAnyWindows = async (): Promise<void> => {
      for (let round = 0; round < (EVERY_COMBINATION ? 5 : inFull ? 3 : 2); round++) {
        const count = 1 + random.integer(600);
        const windowBits = 4 + random.integer(8);
        const kinds = Object.values(adversarial);
        const scalars = Array.from({ length: count }, (_, i) => kinds[random.integer(kinds.length)]!(i));
        const picks = scalars.map(() => random.integer(known.points.length));
        const mixed = { points: picks.map((i) => known.points[i]!), logs: picks.map((i) => known.logs[i]!) };
        await check(mixed, scalars, { windowBits });
      }
    };
    if (!isSlow)
      it('sums any number of points in windows of any size, with all kinds of scalars at once', inAnyWindows);

    ifFirst('multiplies a batch, all at once and in parts', async () => {
      const batch = 5;
      const points = { points: known.points.slice(0, 150), logs: known.logs.slice(0, 150) };
      const rows = Array.from({ length: batch }, (_, j) => points.points.map(() => (j === 1 ? 1n : uniform())));
      const expected = rows.map((row) => expectedSum(curve, points.logs, row));
      for (const memoryBudget of [undefined, 900_000 * (CURVES[curve].scalarBytes / 32) ** 2]) {
        const own = await GpuMsm.create(gpu, curve, 'g1', { memoryBudget });
        const bases = await own.load(packBases(curve, points.points));
        const { batchPerPass } = own.plan(bases, { batch, windowBits: 6 });
        if (memoryBudget === undefined) expect(batchPerPass).toBe(batch);
        else expect(batchPerPass).toBeLessThan(batch);
        const results = await own.multiplyBatch(bases, hostScalars(scalarBytes(curve, rows.flat())), batch, {
          windowBits: 6,
        });
        const sums = results.map((parts) => {
          if (parts.kind === 'points') throw new Error('expected window sums');
          return evaluateWindows(curve, parts.sums, parts.windowBits);
        });
        expect(sums).toEqual(expected);
        own.destroy();
      }
    });

    it("works within WebGPU's default limits, which the tests' device has", () => {
      expect(gpu.limits.maxStorageBufferBindingSize).toBe(2 ** 27);
    });

    // With scalars of 96 bytes a binding that holds the bit sums holds all points, too.
    const ifShort = CURVES[curve].scalarBytes === 32 ? ifInFull : () => undefined;
    ifShort('spreads the points over several buffers when one binding holds too few', async () => {
      const limits = { maxStorageBufferBindingSize: 48 * 1024, maxBufferSize: 64 * 1024 };
      const narrow: GpuDevice = Object.create(gpu, { limits: { value: limits } });
      const limited = await GpuMsm.create(narrow, curve, 'g1', { memoryBudget: 2 ** 22 });
      const bases = await limited.load(packBases(curve, known.points));
      const sizes = bases.buffers.map(({ points }) => points);
      expect(sizes.length).toBeGreaterThan(1);
      expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThan(sizes.length);
      const scalars = known.points.map((_, i) => (i % 3 === 0 ? few[0]! : uniform()));
      expect(await sumOf(limited, curve, bases, scalars)).toEqual(expectedSum(curve, known.logs, scalars));
      // A range of them: from within the first buffer to within the last, a single point, and one buffer's last with
      // the next one's first.
      const cut = sizes[0]!;
      for (const [from, to] of [
        [3, 998],
        [0, 1],
        [999, 1000],
        [cut - 1, cut + 1],
        [cut, 2 * cut],
      ] as const) {
        const some = scalars.slice(from, to);
        const expected = expectedSum(curve, known.logs.slice(from, to), some);
        expect(await sumOf(limited, curve, bases, some, { range: { from, to }, windowBits: 4 })).toEqual(expected);
      }
      const nothing = { range: { from: 5, to: 5 } };
      expect(await limited.multiply(bases, new Uint8Array(), nothing)).toEqual({ kind: 'points', points: [] });
      const wrong = limited.multiply(bases, new Uint8Array(32), { range: { from: 5, to: 7 } });
      await expect(wrong).rejects.toMatchObject({ code: 'INVALID_LENGTH' });
      limited.destroy();
    });

    ifFirst('takes digits that are cut elsewhere, also in passes and chunks', async () => {
      const scalars = known.points.map(uniform);
      const tight = await GpuMsm.create(gpu, curve, 'g1', { memoryBudget: tightBudget(curve) });
      const bases = await tight.load(packBases(curve, known.points));
      const { bits } = CURVES[curve].fr;
      const digitSource: DigitSource = async (windowBits, from, to) =>
        digitsReference(scalars.slice(from, to), bits, windowBits, 0, windowCount(bits, windowBits));
      expect(await sumOf(tight, curve, bases, scalars, { windowBits: 6, digitSource })).toEqual(
        expectedSum(curve, known.logs, scalars),
      );
      tight.destroy();
    });

    ifFirst('takes digits that are cut elsewhere', async () => {
      const scalars = Array.from({ length: 257 }, uniform);
      const { bits } = CURVES[curve].fr;
      const asked: [number, number][] = [];
      await check(first(257), scalars, {
        windowBits: 6,
        digitSource: async (windowBits, from, to) => {
          asked.push([from, to]);
          return digitsReference(scalars.slice(from, to), bits, windowBits, 0, windowCount(bits, windowBits));
        },
      });
      expect(asked).toEqual([[0, 257]]);
    });
  });
}
