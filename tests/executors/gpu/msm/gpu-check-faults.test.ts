import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MsmCheck } from '../../../../sdk/api/index.js';
import { PippinError } from '../../../../sdk/base/errors.js';
import type { CompleteMsmBackend, PartialSums, PlannedBackend } from '../../../../sdk/bases/backend.js';
import { finishing } from '../../../../sdk/bases/finishing.js';
import { randomlyChecked } from '../../../../sdk/bases/random-check.js';
import { hostScalars } from '../../../../sdk/bases/scalar-vector.js';
import { CURVES } from '../../../../sdk/curves/index.js';
import { encodePoint } from '../../../../sdk/curves/point-bytes.js';
import { msmKernelKey } from '../../../../sdk/executors/gpu/msm/compose.js';
import { type GpuBases, GpuMsm } from '../../../../sdk/executors/gpu/msm/gpu-msm.js';
import { kernelsFor } from '../../../../sdk/executors/gpu/msm/msm-steps.js';
import { openDevice } from '../../../../sdk/executors/gpu/runtime/device.js';
import { EVERY_COMBINATION } from '../../../support/every-combination.js';
import { kernelArithmetic, kernelChecks } from '../../../support/kernel-checks.js';
import { expectedSum, packBases, randomPoints } from '../../../support/msm-reference.js';
import { encodeScalars } from '../../../support/points.js';
import { Random } from '../../../support/random.js';
import { loadKernel } from '../../../support/wasm.js';
import { virtualGpu } from '../virtual-gpu.js';

const CURVE = 'bn254';
const COUNT = 64;
const BATCH = 2;
/** Small windows, so that buckets have several pieces and there are several blocks of counters. */
const WINDOW_BITS = 6;

/** What a GPU does wrong, in the multiplications that `when` says: the sums, the one that checks them, or both. */
interface Fault {
  readonly name: string;
  /** The part of its threads that a kernel runs. */
  readonly partOf?: (key: string) => number;
  readonly keepsOld?: boolean;
  /** Spoils the sums of bits. */
  readonly spoil?: (sums: Uint8Array, bytesOfSum: number) => void;
  /** Writes into the buffer of the bases; `point(i)` is the packed form of point i. */
  readonly corrupt?: (point: (i: number) => Uint8Array, write: (i: number, bytes: Uint8Array) => void) => void;
}

type When = 'always' | 'in the sums' | 'in the check';

const KEYS = kernelsFor({ digitsFrom: 'scalars', reduction: 'merged' })
  .map((kernel) => msmKernelKey(CURVE, 'g1', kernel, 'limbs'))
  // It serves scalars that several sums share.
  .filter((key) => !key.startsWith('gather'));

const FAULTS: readonly Fault[] = [
  ...KEYS.flatMap((key) =>
    // Those that do nothing are in ../proofs/wrong-stages.test.ts.
    (EVERY_COMBINATION ? [0, 0.4] : [0.4]).map((part) => ({
      name: `${key} runs ${part} of its threads`,
      partOf: (other: string) => (other === key ? part : 1),
    })),
  ),
  { name: 'what is to be cleared is kept', keepsOld: true },
  { name: 'all sums are zero', spoil: (sums) => void sums.fill(0) },
  { name: 'one sum is zero', spoil: (sums, size) => void sums.fill(0, 3 * size, 4 * size) },
  { name: 'sums are doubled', spoil: (sums, size) => void sums.copyWithin(size, 0, sums.length - size) },
  { name: 'two sums are exchanged', spoil: (sums, size) => exchange(sums, 2 * size, 10 * size, size) },
  { name: 'a bit of a sum is flipped', spoil: (sums, size) => sums.set([sums[7 * size + 5]! ^ 4], 7 * size + 5) },
  { name: 'a base is another one', corrupt: (point, write) => write(11, point(12)) },
  { name: 'a base is lost', corrupt: (point, write) => write(11, new Uint8Array(point(11).length)) },
  { name: 'two bases are exchanged', corrupt: (point, write) => [write(20, point(21)), write(21, point(20))] },
  {
    name: 'a bit of a base is flipped',
    corrupt: (point, write) =>
      write(
        30,
        point(30).map((byte, i) => (i === 9 ? byte ^ 1 : byte)),
      ),
  },
];

function exchange(bytes: Uint8Array, a: number, b: number, size: number): void {
  const first = bytes.slice(a, a + size);
  bytes.copyWithin(a, b, b + size);
  bytes.set(first, b);
}

const random = new Random(91);
const { points, logs } = randomPoints(CURVE, COUNT, random);
const { modulus } = CURVES[CURVE].fr;
const rows = Array.from({ length: BATCH }, () => points.map(() => random.below(modulus)));
const scalars = hostScalars(encodeScalars(rows.flat()));
const single = hostScalars(encodeScalars(rows[0]!));
const expected = rows.map((row) => encodePoint(CURVE, 'g1', expectedSum(CURVE, logs, row)));

describe('sums of a GPU that computes wrong', () => {
  let fault: Fault | undefined;
  let when: When = 'always';
  /** Multiplications since the fault began. */
  let calls = 0;
  let msm: GpuMsm;
  let backend: CompleteMsmBackend;
  let loaded: Awaited<ReturnType<CompleteMsmBackend['load']>>;
  let resident: GpuBases;
  const prepared = packBases(CURVE, points);
  const now = (): Fault | undefined => {
    const isCheck = calls === 2;
    return when === 'always' || (when === 'in the check') === isCheck ? fault : undefined;
  };

  /** The GPU's multiplications, with faults that concern what is read back or lies ready. */
  function spoiled(gpu: GpuMsm): PlannedBackend<GpuBases> {
    return {
      capabilities: gpu.capabilities,
      rowPlan: (bases, batch, options) => gpu.rowPlan(bases, batch, options),
      async load(bases, range, options) {
        resident = await gpu.load(bases, range, options);
        return resident;
      },
      async multiplyBatch(bases, given, batch, options) {
        calls++;
        corrupt(now());
        const sums = await gpu.multiplyBatch(bases, given, batch, options);
        corrupt(undefined);
        return sums.map((parts) => spoil(parts, now()));
      },
    };
  }

  function spoil(parts: PartialSums, wrong: Fault | undefined): PartialSums {
    if (parts.kind === 'points' || wrong?.spoil === undefined) return parts;
    const sums = parts.sums.slice();
    wrong.spoil(sums, 128);
    return { ...parts, sums };
  }

  /** Writes the bases anew, and what a fault does to them. */
  let device: GPUDevice;
  function corrupt(wrong: Fault | undefined): void {
    const { buffer } = resident.buffers[0]!;
    const size = prepared.points.length / COUNT;
    const point = (i: number): Uint8Array => prepared.points.slice(i * size, (i + 1) * size);
    if (wrong?.corrupt !== undefined) {
      wrong.corrupt(point, (i, bytes) => device.queue.writeBuffer(buffer, i * size, bytes as Uint8Array<ArrayBuffer>));
    } else device.queue.writeBuffer(buffer, 0, prepared.points as Uint8Array<ArrayBuffer>);
  }

  beforeAll(async () => {
    const kernel = await loadKernel(CURVE);
    const { gpu } = await virtualGpu({
      isSoftware: true,
      partOf: (key) => now()?.partOf?.(key) ?? 1,
      keepsOld: () => now()?.keepsOld ?? false,
    });
    const opened = await openDevice(gpu);
    device = opened.device;
    msm = await GpuMsm.create(opened, CURVE, 'g1', { products: 'limbs' });
    const arithmetic = kernelArithmetic(kernel);
    backend = finishing(randomlyChecked(spoiled(msm), kernelChecks(kernel), arithmetic), arithmetic);
    loaded = await backend.load({ ...prepared, checksResults: true });
  });
  afterAll(() => msm.destroy());

  /** The results, or the code of the error. */
  async function outcome(batch: number, check: MsmCheck): Promise<readonly Uint8Array[] | string> {
    calls = 0;
    try {
      const given = batch === 1 ? single : scalars;
      const sums = await backend.multiplyBatch(loaded, given, batch, { check, windowBits: WINDOW_BITS });
      return sums.map(({ point }) => point);
    } catch (error) {
      if (error instanceof PippinError) return error.code;
      throw error;
    }
  }

  const isRight = (found: readonly Uint8Array[] | string): boolean =>
    typeof found !== 'string' && found.every((point, m) => Buffer.compare(point, expected[m]!) === 0);

  it('are right without a fault', async () => {
    for (const check of ['curve', 'random'] as const) {
      expect(isRight(await outcome(1, check))).toBe(true);
      expect(isRight(await outcome(BATCH, check))).toBe(true);
    }
  });

  let unseen = 0;
  it.each(FAULTS)('are never returned: $name', async (given) => {
    fault = given;
    when = 'always';
    const byCurve = await outcome(1, 'curve');
    if (!isRight(byCurve) && typeof byCurve !== 'string') unseen++;
    const tried = [
      ['always', BATCH],
      ['always', 1],
      ['in the sums', 1],
      ['in the check', 1],
    ] as const;
    for (const [moment, batch] of tried) {
      when = moment;
      const found = await outcome(batch, 'random');
      if (found !== 'RESULT_INVALID') expect(isRight(found)).toBe(true);
      // What changes the sums is found.
      if (when !== 'in the check' && !isRight(byCurve)) expect(found).toBe('RESULT_INVALID');
    }
    fault = undefined;
  });

  it('would often be returned if only the equation of the curve were checked', () =>
    expect(unseen).toBeGreaterThan(10));

  it('are right again afterwards', async () => {
    expect(isRight(await outcome(BATCH, 'random'))).toBe(true);
  });
});
