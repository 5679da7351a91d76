import * as snarkjs from 'snarkjs';
import { afterAll, expect, it, vi } from 'vitest';
import type { ProveResult } from '../../../sdk/api.js';
import type { NoticeCode } from '../../../sdk/progress.js';
import { MAKING_TIMEOUT, snarkjsWitness, testCircuit } from '../../support/circuits.js';
import { endSnarkjs } from '../../support/example.js';
import { inPlaceProver } from '../../support/in-place-prover.js';
import { virtualGpu } from '../virtual-gpu.js';

afterAll(endSnarkjs);

it(
  'a GPU that proves a key slower than the workers is left again, and the caller is told',
  async () => {
    const circuit = await testCircuit('chain');
    const witness = await snarkjsWitness(circuit);
    // A software adapter that does not say so: the workers take a tenth of its time.
    const { gpu } = await virtualGpu({});
    let open = (): void => undefined;
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    const notices: NoticeCode[] = [];
    const prover = await inPlaceProver(
      { backend: 'auto', threads: 1, onNotice: ({ code }) => notices.push(code) },
      { gpu: () => opened.then(() => gpu) },
    );
    const key = await prover.groth16.loadKey(circuit.zkey);
    const prove = async (): Promise<ProveResult['report']> => {
      const { proof, publicSignals, report } = await prover.groth16.prove(key, witness);
      expect(await snarkjs.groth16.verify(circuit.verificationKey, [...publicSignals], proof)).toBe(true);
      return report;
    };
    expect((await prove()).backend).toBe('wasm');
    open();
    await vi.waitFor(() => expect(notices.filter((code) => code === 'WEBGPU_READY')).toHaveLength(2), 120_000);
    while (!notices.includes('WEBGPU_SLOWER')) expect((await prove()).backend).toBe('webgpu');
    for (let i = 0; i < 2; i++) {
      expect((await prove()).parts).toEqual({ A: 'wasm', B1: 'wasm', B2: 'wasm', C: 'wasm', H: 'wasm' });
    }
    expect(notices).toEqual(['WEBGPU_READY', 'WEBGPU_READY', 'WEBGPU_SLOWER']);
    await prover.dispose();
  },
  MAKING_TIMEOUT,
);
