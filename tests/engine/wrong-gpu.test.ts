import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Prover } from '../../sdk/api.js';
import { openDevice } from '../../sdk/gpu/runtime/device.js';
import { MAKING_TIMEOUT, snarkjsWitness, type TestCircuit, testCircuit } from '../support/circuits.js';
import { endSnarkjs } from '../support/example.js';
import { fakeDevice, wrongGpu } from '../support/fake-gpu.js';
import { inPlaceProver } from '../support/in-place-prover.js';

vi.mock('../../sdk/gpu/runtime/device.js', async (original) => ({
  ...(await original<typeof import('../../sdk/gpu/runtime/device.js')>()),
  openDevice: vi.fn(),
}));

let circuit: TestCircuit;
let witness: Uint8Array;
beforeAll(async () => {
  circuit = await testCircuit('chain');
  witness = await snarkjsWitness(circuit);
}, MAKING_TIMEOUT);
afterAll(endSnarkjs);

let prover: Prover | undefined;
afterEach(async () => {
  await prover?.dispose();
  vi.restoreAllMocks();
});

function start(backend: 'auto' | 'webgpu'): Promise<Prover> {
  vi.mocked(openDevice).mockImplementation(async () => fakeDevice());
  return inPlaceProver({ backend, threads: 2 }, { gpu: async () => ({}) as GPU });
}

describe('proofs with a GPU that computes wrong', () => {
  it('all hold, also those that end after another call has found it out', async () => {
    let foundOut = (): void => undefined;
    const afterThat = new Promise<void>((resolve) => {
      foundOut = resolve;
    });
    let calls = 0;
    // A proof has five sums on the GPU; those of the first proof come at once.
    wrongGpu(async () => (calls++ < 5 ? undefined : afterThat));
    prover = await start('auto');
    const key = await prover.groth16.loadKey(circuit.zkey);
    const prove = () => prover!.groth16.prove(key, witness);
    const first = prove();
    while (calls < 5) await new Promise((resolve) => setTimeout(resolve, 5));
    const others = [prove(), prove(), prove()];
    first.then(foundOut, foundOut);
    for (const { proof, publicSignals, report } of await Promise.all([first, ...others])) {
      expect(await prover.groth16.verify(circuit.verificationKey, publicSignals, proof)).toBe(true);
      expect(report).toMatchObject({ backend: 'wasm', executors: { A: ['wasm'], B2: ['wasm'], H: ['wasm'] } });
      expect(report.notices.map(({ code }) => code)).toContain('WEBGPU_DISTRUSTED');
    }
    expect(prover.capabilities).toMatchObject({ backend: 'wasm', webgpu: { available: false } });
  });

  it('hold where the caller asked for WebGPU, too', async () => {
    wrongGpu();
    prover = await start('webgpu');
    const key = await prover.groth16.loadKey(circuit.zkey);
    const { proof, publicSignals } = await prover.groth16.prove(key, witness);
    expect(await prover.groth16.verify(circuit.verificationKey, publicSignals, proof)).toBe(true);
  });

  it('are refused for a wrong witness, which is no reason to distrust the GPU', async () => {
    wrongGpu();
    prover = await start('auto');
    const key = await prover.groth16.loadKey(circuit.zkey);
    const wrong = witness.slice();
    wrong[wrong.length - 32]! ^= 1;
    await expect(prover.groth16.prove(key, wrong)).rejects.toMatchObject({ code: 'PROOF_INVALID' });
    expect(prover.capabilities.backend).toBe('webgpu');
  });

  it('are given as they are to a caller who does not want them verified', async () => {
    wrongGpu();
    prover = await start('auto');
    const key = await prover.groth16.loadKey(circuit.zkey);
    const { proof, publicSignals, report } = await prover.groth16.prove(key, witness, { verify: false });
    expect(report.parts).toEqual({ A: 'webgpu', B1: 'webgpu', B2: 'webgpu', C: 'webgpu', H: 'webgpu' });
    expect(await prover.groth16.verify(circuit.verificationKey, publicSignals, proof)).toBe(false);
  });
});
