import * as snarkjs from 'snarkjs';
import { afterAll, afterEach, expect, it, vi } from 'vitest';
import type { MsmTuning } from '../../../../sdk/api/index.js';
import { bn254 } from '../../../../sdk/curves/index.js';
import { encodePoint } from '../../../../sdk/curves/point-bytes.js';
import { GpuMsm } from '../../../../sdk/executors/gpu/msm/gpu-msm.js';
import { MAKING_TIMEOUT, snarkjsWitness, testCircuit } from '../../../support/circuits.js';
import { endSnarkjs } from '../../../support/example.js';
import { encodePoints, encodeScalars, multipleOf, progression } from '../../../support/points.js';
import { Random } from '../../../support/random.js';
import { proverOnGpu } from './prover-on-gpu.js';

const COUNT = 120;
const { points, factors } = progression(bn254, COUNT, 7n, 5n);
const random = new Random(61);
const scalars = factors.map(() => random.below(2n ** 200n));
const total = factors.reduce((sum, factor, i) => sum + factor * scalars[i]!, 0n);
const expected = encodePoint('bn254', 'g1', multipleOf(bn254, total));

afterAll(endSnarkjs);
afterEach(() => vi.restoreAllMocks());

/** The plans that multiplications follow. */
function watchPlans() {
  const { results } = vi.spyOn(GpuMsm.prototype, 'plan').mock;
  return () => results.splice(0).map(({ value }) => value);
}

it('sums follow the tuning of their bases, and that of the call before it', async () => {
  const used = new Set<string>();
  const plans = watchPlans();
  const { prover } = await proverOnGpu(
    { backend: 'webgpu' },
    { onUse: (name) => used.add(name), onMethod: (name) => used.add(name) },
  );
  const bases = await prover.loadBases({
    curve: 'bn254',
    points: encodePoints(bn254, points),
    tuning: { precompute: 4, windowBits: 9, reduction: 'cross-window', chunks: 2 },
  });
  const sum = async (tuning: MsmTuning) => {
    used.clear();
    expect((await prover.msm(bases, encodeScalars(scalars), { tuning, check: 'curve' })).bytes).toEqual(expected);
    return plans().at(-1);
  };
  // Scalars of 200 bits have 23 windows: two of 8 rows, and one of 7, by three of the four multiples.
  const loaded = { windowBits: 9, multiples: 3, rows: 8, reduction: 'cross-window', chunkPoints: 60 };
  expect(await sum({})).toMatchObject(loaded);
  expect(used).toContain('join bn254 g1 limbs');
  expect(used).not.toContain('cutDigits');
  expect(await sum({ reduction: 'merged', digits: 'workers' })).toMatchObject({
    ...loaded,
    // Digits that the workers cut are those of scalars of any length.
    multiples: 4,
    reduction: 'merged',
    digitsFrom: 'digits',
  });
  expect(used).not.toContain('join bn254 g1 limbs');
  expect(used).toContain('cutDigits');
  expect(await sum({ windowBits: 7, chunks: 1 })).toMatchObject({ windowBits: 7, multiples: 1, chunkPoints: COUNT });
  await prover.dispose();
});

it(
  'proofs follow the tuning of their key',
  async () => {
    const circuit = await testCircuit('chain');
    const plans = watchPlans();
    const { prover } = await proverOnGpu({ backend: 'webgpu' });
    const key = await prover.groth16.loadKey(circuit.zkey, {
      tuning: { precompute: 2, windowBits: 6, reduction: 'cross-window', accumulation: 'limbs' },
    });
    plans();
    const { proof, publicSignals, report } = await prover.groth16.prove(key, await snarkjsWitness(circuit));
    expect(report.parts).toEqual({ A: 'webgpu', B1: 'webgpu', B2: 'webgpu', C: 'webgpu', H: 'webgpu' });
    expect(plans()).toEqual(
      Array(5).fill(expect.objectContaining({ windowBits: 6, multiples: 2, reduction: 'cross-window' })),
    );
    expect(await snarkjs.groth16.verify(circuit.verificationKey, [...publicSignals], proof)).toBe(true);
    await prover.dispose();
  },
  MAKING_TIMEOUT,
);
