import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type MultiplyOptions, wholeRange } from '../../../../sdk/bases/backend.js';
import { keptScalars } from '../../../../sdk/bases/finishing.js';
import type { PreparedBases } from '../../../../sdk/bases/prepared.js';
import { bytesOfScalars, hostScalars, type ScalarVector, SharedScalars } from '../../../../sdk/bases/scalar-vector.js';
import { CURVES, SCALAR_BYTES } from '../../../../sdk/curves/index.js';
import { type GpuBases, GpuMsm, type GpuMsmOptions } from '../../../../sdk/executors/gpu/msm/gpu-msm.js';
import { pointLayout } from '../../../../sdk/executors/gpu/msm/point-layout.js';
import { GpuQuotient } from '../../../../sdk/executors/gpu/polynomials/gpu-quotient.js';
import { type GpuDevice, openDevice } from '../../../../sdk/executors/gpu/runtime/device.js';
import { GpuPolynomials } from '../../../../sdk/executors/gpu/vectors/gpu-polynomials.js';
import {
  evaluateWindows,
  expectedSum,
  type KnownPoints,
  packBases,
  randomPoints,
} from '../../../support/msm-reference.js';
import { encodeScalars } from '../../../support/points.js';
import { Random } from '../../../support/random.js';
import { loadKernel } from '../../../support/wasm.js';
import { quotientOnWorkers } from '../../../support/workers-quotient.js';
import { readBuffer } from '../polynomials/quotient-lab.js';
import { mixedEntries, sectionOf } from '../polynomials/section.js';
import { virtualGpu } from '../virtual-gpu.js';

const CURVE = 'bn254';
const COUNT = 300;
/** More points than one of the small buffers below holds. */
const MANY = 900;
const WHOLE = { first: 0, count: 1, batch: 1 } as const;

const random = new Random(31);
const values = Array.from({ length: MANY }, (_, i) =>
  i % 5 === 0 ? 0n : i % 5 === 1 ? 1n : random.below(CURVES[CURVE].fr.modulus),
);
let known: KnownPoints;
beforeAll(() => {
  known = randomPoints(CURVE, MANY, random);
});

/** A device of this test's own, and the names of what was used on it. */
async function open(limits?: Pick<GPUSupportedLimits, 'maxStorageBufferBindingSize' | 'maxBufferSize'>) {
  const uses: string[] = [];
  const { gpu, devices } = await virtualGpu({ onUse: (name) => uses.push(name), isSoftware: true });
  const opened = await openDevice(gpu);
  const own: GpuDevice = limits === undefined ? opened : Object.create(opened, { limits: { value: limits } });
  const uploads = (): number => uses.filter((name) => name === 'buffer scalars').length;
  return { gpu: own, device: devices[0]!, uses, uploads };
}

/** Fulfilled when the scalars that were released before are freed. */
async function released(gpu: GpuDevice): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 0));
  await gpu.turns.run(async () => undefined);
}

const created: { destroy(): void }[] = [];
afterEach(() => {
  for (const each of created.splice(0)) each.destroy();
});

async function msmOn(gpu: GpuDevice, options?: GpuMsmOptions): Promise<GpuMsm> {
  const msm = await GpuMsm.create(gpu, CURVE, 'g1', options);
  created.push(msm);
  return msm;
}

/** The points for the scalars from number `first` on, without those at infinity, and their sum. */
function given(
  first: number,
  isKept: (i: number) => boolean,
  all = COUNT,
): { bases: PreparedBases; sum: readonly bigint[] | undefined } {
  const count = all - first;
  const places = Array.from({ length: count }, (_, i) => i).filter(isKept);
  const bases = packBases(
    CURVE,
    places.map((i) => known.points[i]!),
  );
  const indices = places.length === count ? undefined : new Uint32Array(places);
  const sum = expectedSum(
    CURVE,
    places.map((i) => known.logs[i]!),
    places.map((i) => values[first + i]!),
  );
  return { bases: { ...bases, count, indices }, sum };
}

async function sumOf(msm: GpuMsm, resident: GpuBases, scalars: ScalarVector, options?: MultiplyOptions) {
  const [parts] = await msm.multiplyBatch(resident, scalars, 1, options);
  if (parts!.kind === 'points') return undefined;
  return evaluateWindows(CURVE, parts!.sums, parts!.windowBits);
}

const CASES: Record<string, { first: number; isKept: (i: number) => boolean }> = {
  'all points': { first: 0, isKept: () => true },
  'the points from one on': { first: 7, isKept: () => true },
  'all but some points at infinity': { first: 0, isKept: (i) => i % 7 !== 3 },
  'all from one on but some at infinity': { first: 30, isKept: (i) => i % 4 !== 0 },
  'one point': { first: 2, isKept: (i) => i === COUNT - 3 },
};

describe('sums from shared scalars', () => {
  it('may be over a range of the points', async () => {
    const { gpu, uploads } = await open();
    const msm = await msmOn(gpu);
    const shared = new SharedScalars(encodeScalars(values.slice(0, COUNT)));
    for (const isKept of [() => true, (i: number) => i % 7 !== 3]) {
      const { bases } = given(0, isKept);
      const resident = await msm.load(bases);
      for (const range of [
        { from: 50, to: 51 },
        { from: 9, to: 200 },
      ]) {
        const kept = keptScalars(bases, shared.slice(), WHOLE, range);
        const onHost = hostScalars(bytesOfScalars(kept));
        expect(await sumOf(msm, resident, kept, { range })).toEqual(await sumOf(msm, resident, onHost, { range }));
      }
      resident.release();
    }
    expect(uploads()).toBe(1);
    shared.release();
  });

  it.each(Object.keys(CASES))('are those with the same scalars on the host, of %s', async (name) => {
    const { gpu, uploads } = await open();
    const { first, isKept } = CASES[name]!;
    const { bases, sum } = given(first, isKept);
    const msm = await msmOn(gpu);
    const resident = await msm.load(bases);
    const shared = new SharedScalars(encodeScalars(values.slice(0, COUNT)));
    const slice = keptScalars(bases, shared.slice(first), WHOLE, wholeRange(bases, undefined));
    expect(await sumOf(msm, resident, slice)).toEqual(sum);
    expect(await sumOf(msm, resident, slice)).toEqual(sum);
    expect(uploads()).toBe(1);
    expect(await sumOf(msm, resident, hostScalars(bytesOfScalars(slice)))).toEqual(sum);
    shared.release();
  });

  it.each(Object.keys(CASES).slice(1, 4))(
    'are right from several buffers, in chunks and passes, of %s',
    async (name) => {
      const { baseBytes, sumBytes } = pointLayout(CURVE, 'g1');
      const { gpu, uploads } = await open({ maxStorageBufferBindingSize: 48 * 1024, maxBufferSize: 64 * 1024 });
      const { first, isKept } = CASES[name]!;
      const { bases, sum } = given(first, isKept, MANY);
      const msm = await msmOn(gpu, { memoryBudget: MANY * baseBytes + 66_000 + 470 * sumBytes });
      const resident = await msm.load(bases);
      const { rowsPerPass, rows, chunkPoints } = msm.plan(resident, { windowBits: 6, isOnDevice: true });
      expect(rowsPerPass).toBeLessThan(rows);
      // The scalars of a single chunk stay from one pass to the next.
      const isLarge = bases.kept > 768;
      expect([resident.buffers.length > 1, chunkPoints < bases.kept]).toEqual([isLarge, isLarge]);
      const shared = new SharedScalars(encodeScalars(values));
      const slice = keptScalars(bases, shared.slice(first), WHOLE, wholeRange(bases, undefined));
      expect(await sumOf(msm, resident, slice, { windowBits: 6 })).toEqual(sum);
      expect(uploads()).toBe(1);
      shared.release();
    },
  );

  it('are right from a vector in several buffers', async () => {
    const { gpu, uploads } = await open();
    const bytes = 400 * SCALAR_BYTES;
    const narrow: GpuDevice = Object.create(gpu, {
      limits: { value: { maxStorageBufferBindingSize: bytes, maxBufferSize: bytes } },
    });
    const on = GpuPolynomials.create(narrow, CURVE);
    const vector = on.create(encodeScalars(values));
    const scalars = on.scalars(vector);
    await on.settled(vector);
    const { bases, sum } = given(0, () => true, MANY);
    const msm = await msmOn(gpu);
    const resident = await msm.load(bases);
    expect(await sumOf(msm, resident, scalars)).toEqual(sum);
    expect(uploads()).toBe(0);
    vector.release();
    on.free();
    await released(gpu);
  });

  it('are right of a part of the bases', async () => {
    const { gpu } = await open();
    const { bases } = given(5, (i) => i % 3 !== 0);
    const msm = await msmOn(gpu);
    const range = { from: 20, to: 120 };
    const resident = await msm.load(bases, range);
    const shared = new SharedScalars(encodeScalars(values.slice(0, COUNT)));
    const places = [...bases.indices!.subarray(range.from, range.to)];
    const expected = expectedSum(
      CURVE,
      places.map((i) => known.logs[i]!),
      places.map((i) => values[5 + i]!),
    );
    expect(await sumOf(msm, resident, keptScalars(bases, shared.slice(5), WHOLE, range))).toEqual(expected);
    shared.release();
  });

  it('come from the host where a copy would leave too little memory, or exceed a binding', async () => {
    const { bases, sum } = given(0, (i) => i % 7 !== 3);
    const { baseBytes } = pointLayout(CURVE, 'g1');
    const wide = await open();
    const narrow = await open({ maxStorageBufferBindingSize: 48 * 1024, maxBufferSize: 64 * 1024 });
    const shared = new SharedScalars(encodeScalars([...values, ...values]));
    const slice = keptScalars(bases, { ...shared.slice(MANY), count: COUNT }, WHOLE, wholeRange(bases, undefined));
    for (const [{ gpu, uploads }, memoryBudget] of [
      [wide, COUNT * baseBytes + 150_000],
      [narrow, 2 ** 20],
    ] as const) {
      const msm = await msmOn(gpu, { memoryBudget });
      expect(await sumOf(msm, await msm.load(bases), slice, { windowBits: 5 })).toEqual(sum);
      expect(uploads()).toBe(0);
    }
    shared.release();
  });

  it('are no points where none was kept, and bring nothing to the device', async () => {
    const { gpu, uses } = await open();
    const { bases } = given(0, () => false);
    const msm = await msmOn(gpu);
    const resident = await msm.load(bases);
    const shared = new SharedScalars(encodeScalars(values.slice(0, COUNT)));
    const slice = keptScalars(bases, shared.slice(), WHOLE, wholeRange(bases, undefined));
    expect(await msm.multiplyBatch(resident, slice, 1)).toEqual([{ kind: 'points', points: [] }]);
    expect(uses.filter((name) => name.startsWith('buffer'))).toEqual([]);
    shared.release();
  });

  it('are right in a batch of all points, and refused in one of some points', async () => {
    const { gpu } = await open();
    const half = COUNT / 2;
    const msm = await msmOn(gpu);
    const points = { points: known.points.slice(0, half), logs: known.logs.slice(0, half) };
    const resident = await msm.load(packBases(CURVE, points.points));
    const shared = new SharedScalars(encodeScalars(values.slice(0, COUNT)));
    const sums = await msm.multiplyBatch(resident, shared.slice(), 2);
    const expected = [values.slice(0, half), values.slice(half)].map((row) => expectedSum(CURVE, points.logs, row));
    expect(
      sums.map((parts) =>
        parts.kind === 'windows' ? evaluateWindows(CURVE, parts.sums, parts.windowBits) : undefined,
      ),
    ).toEqual(expected);
    const { bases } = given(0, (i) => i % 2 === 0);
    const some = await msm.load(bases);
    const slice = keptScalars(bases, shared.slice(), WHOLE, wholeRange(bases, undefined));
    await expect(msm.multiplyBatch(some, slice, 2)).rejects.toMatchObject({ code: 'INVALID_LENGTH' });
    await expect(msm.multiplyBatch(some, shared.slice(), 1)).rejects.toMatchObject({ code: 'INVALID_LENGTH' });
    shared.release();
  });

  it('take the copy that the quotient takes, at the same time', async () => {
    const { gpu, device, uploads } = await open();
    const facts = { domainSize: 64, variables: COUNT };
    const section = sectionOf(CURVE, mixedEntries(CURVE, facts, random));
    const quotient = await GpuQuotient.create(gpu, CURVE);
    created.push(quotient);
    const constraints = await quotient.loadConstraints(section, facts);
    const msm = await msmOn(gpu);
    const [all, some] = [given(0, () => true), given(7, (i) => i % 3 !== 1)];
    const residents = [await msm.load(all.bases), await msm.load(some.bases)];
    const shared = new SharedScalars(encodeScalars(values.slice(0, COUNT)));
    const slice = keptScalars(some.bases, shared.slice(7), WHOLE, wholeRange(some.bases, undefined));
    const [a, scalars, b] = await Promise.all([
      sumOf(msm, residents[0]!, shared.slice()),
      quotient.compute(constraints, shared),
      sumOf(msm, residents[1]!, slice),
    ]);
    expect([a, b]).toEqual([all.sum, some.sum]);
    const expected = await quotientOnWorkers(await loadKernel(CURVE), section, facts, shared.bytes);
    expect(await readBuffer({ device: device.view }, scalars.buffer)).toEqual(expected);
    // The witness, and the result of the quotient.
    expect(uploads()).toBe(2);
    shared.release();
    scalars.release();
    await released(gpu);
    expect([...device.alive].filter(({ label }) => label === 'scalars')).toEqual([]);
  });

  it('are finished before the scalars are freed, and refused to who comes later', async () => {
    const { gpu, device } = await open();
    const { bases, sum } = given(0, (i) => i % 7 !== 3);
    const msm = await msmOn(gpu);
    const resident = await msm.load(bases);
    const shared = new SharedScalars(encodeScalars(values.slice(0, COUNT)));
    const slice = keptScalars(bases, shared.slice(), WHOLE, wholeRange(bases, undefined));
    await sumOf(msm, resident, slice);
    const running = sumOf(msm, resident, slice);
    // The turn of this one is over, since its steps are submitted.
    await gpu.turns.run(async () => undefined);
    const late = sumOf(msm, resident, slice);
    shared.release();
    expect(await Promise.allSettled([running, late])).toMatchObject([
      { status: 'fulfilled', value: sum },
      { status: 'rejected', reason: { code: 'DISPOSED' } },
    ]);
    await released(gpu);
    expect([...device.alive].filter(({ label }) => label === 'scalars')).toEqual([]);
    // Nobody else is hurt.
    expect(await sumOf(msm, resident, hostScalars(bytesOfScalars(slice)))).toEqual(sum);
  });

  it('bring the scalars to a device that takes the place of a lost one', async () => {
    const { bases, sum } = given(0, (i) => i % 7 !== 3);
    const shared = new SharedScalars(encodeScalars(values.slice(0, COUNT)));
    const slice = keptScalars(bases, shared.slice(), WHOLE, wholeRange(bases, undefined));
    for (const isToBeLost of [true, false]) {
      const { gpu, device, uploads } = await open();
      const msm = await msmOn(gpu);
      const resident = await msm.load(bases);
      const result = sumOf(msm, resident, slice, { onProgress: () => isToBeLost && device.lose() });
      if (isToBeLost) await expect(result).rejects.toMatchObject({ code: 'DEVICE_LOST' });
      else expect(await result).toEqual(sum);
      expect(uploads()).toBe(1);
    }
    shared.release();
  });
});
