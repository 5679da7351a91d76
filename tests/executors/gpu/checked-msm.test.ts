import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { MsmCheck, Prover } from '../../../sdk/api/index.js';
import { CURVES } from '../../../sdk/curves/index.js';
import { encodePoint } from '../../../sdk/curves/point-bytes.js';
import { inPlaceProver } from '../../support/in-place-prover.js';
import { expectedSum, randomPoints } from '../../support/msm-reference.js';
import { encodePoints, encodeScalars } from '../../support/points.js';
import { Random } from '../../support/random.js';
import { virtualGpu } from './virtual-gpu.js';

const CURVE = 'bn254';
const COUNT = 100;
/** Tells how often the GPU began to add bases up. */
const KERNEL = 'accumulate bn254 g1 limbs';

const random = new Random(101);
const { points, logs } = randomPoints(CURVE, COUNT, random);
const values = points.map(() => random.below(CURVES[CURVE].fr.modulus));
const request = { curve: CURVE, points: encodePoints(CURVES[CURVE], points) } as const;
const scalars = encodeScalars(values);
let expected: Uint8Array;
beforeAll(() => {
  expected = encodePoint(CURVE, 'g1', expectedSum(CURVE, logs, values));
});

/** The capabilities of a prover that uses no GPU any more. */
const NONE = {
  backend: 'wasm',
  webgpu: { available: false, reason: expect.stringMatching(/right MSMs|the sums that/) },
};

let prover: Prover | undefined;
afterEach(() => prover?.dispose());

/** A prover with a GPU that is ready and adds up a part of what it should, as soon as `part` is below 1. */
async function start(backend: 'auto' | 'webgpu') {
  const gpu = { part: 1, sums: 0 };
  const { gpu: virtual } = await virtualGpu({
    isSoftware: backend === 'webgpu',
    partOf: (key) => (key === KERNEL ? gpu.part : 1),
    onUse: (name) => {
      if (name === 'collect bn254 g1 limbs') gpu.sums++;
    },
  });
  const notices: string[] = [];
  const onNotice = ({ code }: { readonly code: string }) => notices.push(code);
  prover = await inPlaceProver({ backend, threads: 2, onNotice }, { gpu: async () => virtual });
  const opened = prover;
  const bases = await opened.loadBases(request);
  if (backend === 'auto') {
    await expect.poll(() => notices).toContain('WEBGPU_READY');
  }
  const sum = (check?: MsmCheck) => opened.msm(bases, scalars, check && { check });
  return { prover: opened, bases, gpu, sum };
}

describe('sums of a prover', () => {
  it('are checked by another sum unless the caller wants less', async () => {
    const { gpu, sum, prover, bases } = await start('auto');
    for (const [check, sums] of [
      [undefined, 2],
      ['random', 2],
      ['curve', 1],
      ['recompute', 1],
    ] as const) {
      gpu.sums = 0;
      const { bytes, report } = await sum(check);
      expect(bytes).toEqual(expected);
      expect(report.backend).toBe('webgpu');
      expect(gpu.sums).toBe(sums);
    }
    gpu.sums = 0;
    const { points } = await prover.msmBatch(bases, encodeScalars([...values, ...values]), { batchSize: 2 });
    expect(points.map(({ bytes }) => bytes)).toEqual([expected, expected]);
    // Both in one pass, and the sum that checks them.
    expect(gpu.sums).toBe(2);
  });

  it('are checked over bases with multiples', async () => {
    const { gpu, prover } = await start('webgpu');
    const bases = await prover.loadBases({ ...request, precompute: 3 });
    gpu.sums = 0;
    const { bytes, report } = await prover.msm(bases, scalars);
    expect(bytes).toEqual(expected);
    expect(report.notices).toEqual([]);
    expect(gpu.sums).toBe(2);
    // Half of the threads are more than there are pieces.
    gpu.part = 0.1;
    await expect(prover.msm(bases, scalars)).rejects.toMatchObject({ code: 'RESULT_INVALID' });
  });

  it.each(['random', 'recompute'] as const)(
    'are right by %s on a wrong GPU, which is not used again',
    async (check) => {
      const { gpu, sum, prover } = await start('auto');
      gpu.part = 0.1;
      const { bytes, report } = await sum(check);
      expect(bytes).toEqual(expected);
      expect(report.backend).toBe('wasm');
      expect(report.notices.map(({ code }) => code)).toEqual(['WEBGPU_DISTRUSTED']);
      await expect.poll(() => prover.capabilities).toMatchObject(NONE);
      gpu.sums = 0;
      expect((await sum('curve')).bytes).toEqual(expected);
      expect(gpu.sums).toBe(0);
    },
  );

  it('reject on a wrong GPU where the caller requires it, and then say that the workers compute', async () => {
    const { gpu, sum, prover } = await start('webgpu');
    gpu.part = 0.1;
    expect((await sum('curve')).bytes).not.toEqual(expected);
    await expect(sum()).rejects.toMatchObject({ code: 'RESULT_INVALID' });
    gpu.sums = 0;
    const { bytes, report } = await sum('curve');
    expect(bytes).toEqual(expected);
    expect(report.backend).toBe('wasm');
    expect(report.notices.map(({ code }) => code)).toEqual(['WEBGPU_UNAVAILABLE']);
    expect(gpu.sums).toBe(0);
    await expect.poll(() => prover.capabilities).toMatchObject(NONE);
  });

  it('take no other check', async () => {
    const { prover, bases } = await start('webgpu');
    for (const check of ['none', '', 1, {}]) {
      const options = { check } as unknown as { check: MsmCheck };
      await expect(prover.msm(bases, scalars, options)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    }
  });
});
