import * as snarkjs from 'snarkjs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Groth16Key, ProveResult, ProverOptions } from '../../../../sdk/api/index.js';
import { MAKING_TIMEOUT, snarkjsWitness, type TestCircuit, testCircuit } from '../../../support/circuits.js';
import { endSnarkjs } from '../../../support/example.js';
import type { VirtualDevice } from '../virtual-gpu.js';
import { proverOnGpu } from './prover-on-gpu.js';

let circuit: TestCircuit;
let witness: Uint8Array;
/** Without a budget. */
let usual: Awaited<ReturnType<typeof proofs>>;

beforeAll(async () => {
  circuit = await testCircuit('hash');
  witness = await snarkjsWitness(circuit);
  usual = await proofs({});
  expect(onGpu(usual)).toHaveLength(5);
}, MAKING_TIMEOUT);
afterAll(() => endSnarkjs());

/**
 * The second of two proofs of a key, which holds, and the most bytes that buffers took on the GPU at any moment, with
 * staging buffers and without.
 */
async function proofs(options: ProverOptions): Promise<{ last: ProveResult; peak: number; unstaged: number }> {
  const { prover, devices } = await proverOnGpu({ backend: 'webgpu', ...options });
  try {
    const key = await prover.groth16.loadKey(circuit.zkey);
    await prover.groth16.prove(key, witness);
    const last = await prover.groth16.prove(key, witness);
    expect(await snarkjs.groth16.verify(circuit.verificationKey, [...last.publicSignals], last.proof)).toBe(true);
    const { peakBytes, peakWithoutStaging } = devices[0]!;
    return { last, peak: peakBytes, unstaged: peakWithoutStaging };
  } finally {
    await prover.dispose();
  }
}

function onGpu({ last }: { last: ProveResult }): string[] {
  return Object.entries(last.report.parts).flatMap(([part, by]) => (by === 'webgpu' ? [part] : []));
}

it(
  'a quarter of the memory that a proof takes by default is enough for the same key',
  async () => {
    const memoryBudget = Math.floor(usual.peak / 4);
    const bounded = await proofs({ memoryBudget });
    expect(bounded.peak).toBeLessThanOrEqual(memoryBudget);
    expect(onGpu(bounded)).toHaveLength(5);
  },
  MAKING_TIMEOUT,
);

it(
  'with a quarter of what bases and computations take, the workers do what does not fit, for a caller who requires WebGPU, too',
  async () => {
    const memoryBudget = Math.floor(usual.unstaged / 4);
    const bounded = await proofs({ memoryBudget });
    expect(bounded.peak).toBeLessThanOrEqual(memoryBudget);
    expect(onGpu(bounded).length).toBeLessThan(5);
    expect(bounded.last.report.notices).toEqual([]);
  },
  MAKING_TIMEOUT,
);

it(
  'the error below the floor names the floor, and a budget of exactly that works',
  async () => {
    const error = await proofs({ memoryBudget: 1 }).then(
      () => undefined,
      (caught: unknown) => caught as Error,
    );
    expect(error).toMatchObject({ code: 'OUT_OF_MEMORY' });
    const [, floor] = /^expected a memoryBudget of at least (\d+) bytes for this key, got 1$/.exec(error!.message)!;
    const below = proofs({ memoryBudget: Number(floor) - 1 });
    await expect(below).rejects.toMatchObject({ code: 'OUT_OF_MEMORY' });
    const bounded = await proofs({ memoryBudget: Number(floor) });
    expect(bounded.peak).toBeLessThanOrEqual(Number(floor));
  },
  MAKING_TIMEOUT,
);

it(
  'multiples are given back for the bases of another key',
  async () => {
    const basesOf = (device: VirtualDevice): number[] =>
      [...device.alive].filter(({ label }) => label === 'bases').map(({ size }) => size);
    const sumOf = (sizes: number[]): number => sizes.reduce((sum, size) => sum + size, 0);
    const kinds = ['bases', 'indices', 'constraints', 'twiddles'];
    const plain = await proverOnGpu({ backend: 'webgpu' });
    await plain.prover.groth16.loadKey(circuit.zkey);
    const alone = sumOf(basesOf(plain.devices[0]!));
    const resident = sumOf(
      [...plain.devices[0]!.alive].filter(({ label }) => kinds.includes(label)).map(({ size }) => size),
    );
    await plain.prover.dispose();
    const stays = Math.max(resident + 4 * alone, 3 * resident) + 2000;
    // Half of it is for what stays: a key and four times its bases, or three keys, but not three with the multiples of
    // one.
    const { prover, devices } = await proverOnGpu({
      backend: 'webgpu',
      memoryBudget: 2 * stays,
    });
    const proved = async (key: Groth16Key): Promise<void> => {
      const { proof, publicSignals, report } = await prover.groth16.prove(key, witness);
      expect(await snarkjs.groth16.verify(circuit.verificationKey, [...publicSignals], proof)).toBe(true);
      expect(Object.values(report.parts)).toContain('webgpu');
    };
    const first = await prover.groth16.loadKey(circuit.zkey, { precompute: 4 });
    expect(sumOf(basesOf(devices[0]!))).toBeGreaterThan(3 * alone);
    await proved(first);
    const others = [await prover.groth16.loadKey(circuit.zkey), await prover.groth16.loadKey(circuit.zkey)];
    expect(sumOf(basesOf(devices[0]!))).toBeLessThan(5 * alone);
    for (const key of [first, ...others]) await proved(key);
    expect(devices[0]!.peakBytes).toBeLessThanOrEqual(2 * stays);
    await prover.dispose();
  },
  MAKING_TIMEOUT,
);
