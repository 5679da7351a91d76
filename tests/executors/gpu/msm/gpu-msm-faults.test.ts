import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PartialSums } from '../../../../sdk/bases/backend.js';
import { CURVES } from '../../../../sdk/curves/index.js';
import { type GpuBases, GpuMsm } from '../../../../sdk/executors/gpu/msm/gpu-msm.js';
import type { GpuDevice } from '../../../../sdk/executors/gpu/runtime/device.js';
import { StageTimer } from '../../../../sdk/executors/gpu/runtime/stage-timer.js';
import type { AffinePoint } from '../../../support/curve-reference.js';
import {
  evaluateWindows,
  expectedSum,
  type KnownPoints,
  packBases,
  randomPoints,
} from '../../../support/msm-reference.js';
import { quickest } from '../../../support/quickest.js';
import { Random } from '../../../support/random.js';
import { emptyKernels } from '../../../support/watched-gpu.js';
import { openTestDevice, sharedDevice } from '../test-device.js';
import { scalarWords } from './sort-reference.js';

const CURVE = 'bn254';
const COUNT = 400;
/** With the smallest windows a multiplication of this size takes several submits on a software adapter. */
const SLOW = { windowBits: 4 } as const;

const random = new Random(5);
let known: KnownPoints;
let scalars: bigint[];
let bytes: Uint8Array;
let expected: AffinePoint;

beforeAll(() => {
  known = randomPoints(CURVE, COUNT, random);
  scalars = known.points.map(() => random.below(CURVES[CURVE].fr.modulus));
  bytes = new Uint8Array(scalarWords(scalars).buffer);
  expected = expectedSum(CURVE, known.logs, scalars);
});

function point(parts: PartialSums): AffinePoint {
  if (parts.kind === 'points') throw new Error('expected windows');
  return evaluateWindows(CURVE, parts.sums, parts.windowBits);
}

describe('GpuMsm', () => {
  let gpu: GpuDevice;
  let msm: GpuMsm;
  let bases: GpuBases;

  beforeAll(async () => {
    gpu = await sharedDevice();
    msm = await GpuMsm.create(gpu, CURVE, 'g1');
    bases = await msm.load(packBases(CURVE, known.points));
  });

  afterAll(() => msm.destroy());

  it('finishes two multiplications that were asked for together', async () => {
    const other = scalars.toReversed();
    const results = await Promise.all([
      msm.multiply(bases, bytes),
      msm.multiply(bases, new Uint8Array(scalarWords(other).buffer), { windowBits: 7 }),
    ]);
    expect(results.map(point)).toEqual([expected, expectedSum(CURVE, known.logs, other)]);
  });

  it('tells its progress, which never falls and ends at 1', async () => {
    const fractions: number[] = [];
    // One that has not learnt yet how much the device can do in a submit.
    const fresh = await GpuMsm.create(gpu, CURVE, 'g1');
    const own = await fresh.load(packBases(CURVE, known.points));
    const onProgress = (fraction: number) => fractions.push(fraction);
    expect(point(await fresh.multiply(own, bytes, { ...SLOW, onProgress }))).toEqual(expected);
    fresh.destroy();
    expect(fractions.length).toBeGreaterThan(gpu.info.isSoftware ? 3 : 0);
    expect(fractions).toEqual(fractions.toSorted((a, b) => a - b));
    expect(fractions.at(-1)).toBeCloseTo(1);
  });

  it('rejects with ABORTED within 200 ms in the middle of a multiplication, and the next one is right', async () => {
    const abort = async (): Promise<number> => {
      const controller = new AbortController();
      let abortedAt = 0;
      const onProgress = (fraction: number) => {
        if (fraction < 0.2 || abortedAt > 0) return;
        abortedAt = performance.now();
        controller.abort();
      };
      // One that has not learnt yet how much the device can do in a submit.
      const fresh = await GpuMsm.create(gpu, CURVE, 'g1');
      const own = await fresh.load(packBases(CURVE, known.points));
      const call = fresh.multiply(own, bytes, { ...SLOW, signal: controller.signal, onProgress });
      await expect(call).rejects.toMatchObject({ code: 'ABORTED' });
      const abortMs = performance.now() - abortedAt;
      expect(point(await fresh.multiply(own, bytes))).toEqual(expected);
      fresh.destroy();
      return abortMs;
    };
    expect(await quickest(200, abort)).toBeLessThan(200);
  });

  it('rejects with ABORTED at once while it waits for its turn', async () => {
    const controller = new AbortController();
    const running = msm.multiply(bases, bytes);
    const waiting = msm.multiply(bases, bytes, { signal: controller.signal });
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'ABORTED' });
    expect(point(await running)).toEqual(expected);
    const before = msm.multiply(bases, bytes, { signal: AbortSignal.abort() });
    await expect(before).rejects.toMatchObject({ code: 'ABORTED' });
    const upload = msm.load(packBases(CURVE, known.points), undefined, { signal: AbortSignal.abort() });
    await expect(upload).rejects.toMatchObject({ code: 'ABORTED' });
  });

  it('goes on after a source of digits that fails', async () => {
    const digitSource = async () => {
      throw new Error('no digits');
    };
    await expect(msm.multiply(bases, bytes, { digitSource })).rejects.toThrow('no digits');
    const short = msm.multiply(bases, bytes, { digitSource: async () => new Uint32Array(3) });
    await expect(short).rejects.toMatchObject({ code: 'INVALID_LENGTH' });
    expect(point(await msm.multiply(bases, bytes))).toEqual(expected);
  });

  it('takes no more memory after 30 multiplications than after the first', async () => {
    const few = await msm.load(packBases(CURVE, known.points.slice(0, 20)));
    const own = bytes.subarray(0, 20 * 32);
    await msm.multiply(few, own);
    const before = msm.memoryBytes + msm.stagingBytes;
    for (let i = 0; i < 30; i++) await msm.multiply(few, own);
    expect(msm.memoryBytes + msm.stagingBytes).toBe(before);
    few.release();
  });

  it('rejects what does not fit together', async () => {
    await expect(msm.multiply(bases, bytes.subarray(32))).rejects.toMatchObject({ code: 'INVALID_LENGTH' });
    await expect(msm.multiply(bases, bytes, { windowBits: 3 })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    const foreign = packBases('bls12-377', randomPoints('bls12-377', 1, random).points);
    await expect(msm.load(foreign)).rejects.toMatchObject({ code: 'CURVE_MISMATCH' });
    const short = { ...packBases(CURVE, known.points), kept: COUNT + 1 };
    await expect(msm.load(short)).rejects.toMatchObject({ code: 'INVALID_LENGTH' });
  });

  it('rejects bases and plans beyond the memory budget', async () => {
    const tiny = await GpuMsm.create(gpu, CURVE, 'g1', { memoryBudget: 28_000 });
    const some = await tiny.load(packBases(CURVE, known.points));
    await expect(tiny.load(packBases(CURVE, known.points))).rejects.toMatchObject({ code: 'OUT_OF_MEMORY' });
    await expect(tiny.multiply(some, bytes)).rejects.toMatchObject({ code: 'OUT_OF_MEMORY' });
    tiny.destroy();
  });

  it('gives memory back, and rejects what was released or destroyed', async () => {
    const own = await GpuMsm.create(gpu, CURVE, 'g1');
    const some = await own.load(packBases(CURVE, known.points));
    expect(own.memoryBytes).toBe(COUNT * 64);
    const running = own.multiply(some, bytes);
    some.release();
    some.release();
    expect(point(await running)).toEqual(expected);
    await expect(own.multiply(some, bytes)).rejects.toMatchObject({ code: 'DISPOSED' });
    expect(own.memoryBytes).toBeGreaterThan(0);
    own.destroy();
    await gpu.turns.run(async () => undefined);
    expect(own.memoryBytes).toBe(0);
    await expect(own.load(packBases(CURVE, known.points))).rejects.toMatchObject({ code: 'DISPOSED' });
  });

  it('measures its stages when it is asked to, where the device can', async () => {
    const measuring = await GpuMsm.create(gpu, CURVE, 'g1', { stageTimer: StageTimer });
    const some = await measuring.load(packBases(CURVE, known.points));
    expect(point(await measuring.multiply(some, bytes, SLOW))).toEqual(expected);
    expect(Object.keys(measuring.stageTimes ?? {})).toEqual(
      gpu.has('timestamp-query')
        ? ['centre', 'count', 'scan', 'scatter', 'tally', 'deal', 'accumulate', 'fold', 'reduce', 'collect']
        : [],
    );
    expect(msm.stageTimes).toBeUndefined();
    measuring.destroy();
  });

  it('rejects with DEVICE_LOST within a second when the device goes in the middle of it', async () => {
    const some = packBases(CURVE, known.points);
    const lose = async (): Promise<number> => {
      const own = await openTestDevice();
      // No result is looked at.
      emptyKernels(own.device);
      const onOwn = await GpuMsm.create(own, CURVE, 'g1');
      const ready = await onOwn.load(some);
      let lostAt = 0;
      const onProgress = () => {
        if (lostAt > 0) return;
        lostAt = performance.now();
        own.device.destroy();
      };
      const calls = [onOwn.multiply(ready, bytes, { ...SLOW, onProgress }), onOwn.multiply(ready, bytes)];
      const lost = { status: 'rejected', reason: { code: 'DEVICE_LOST' } };
      expect(await Promise.allSettled(calls)).toMatchObject([lost, lost]);
      const lostMs = performance.now() - lostAt;
      await expect(onOwn.multiply(ready, bytes)).rejects.toMatchObject({ code: 'DEVICE_LOST' });
      await expect(onOwn.load(some)).rejects.toMatchObject({ code: 'DEVICE_LOST' });
      await expect(GpuMsm.create(own, CURVE, 'g1')).rejects.toMatchObject({ code: 'DEVICE_LOST' });
      return lostMs;
    };
    expect(await quickest(1000, lose)).toBeLessThan(1000);
  });
});
