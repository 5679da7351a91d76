import * as snarkjs from 'snarkjs';
import { afterAll, expect, it } from 'vitest';
import { MAKING_TIMEOUT, testCircuit } from '../../../support/circuits.js';
import { endSnarkjs } from '../../../support/example.js';
import { packed } from '../../../support/packed-keys.js';
import { proverOnGpu } from './prover-on-gpu.js';

afterAll(endSnarkjs);

it(
  'a prover on a GPU loads a packed key, whose points the GPU computes with it, and proves',
  async () => {
    const circuit = await testCircuit('flags');
    const pzkey = await packed(circuit.zkey);
    const roots: string[] = [];
    const onUse = (name: string): void => {
      if (name.startsWith('root ')) roots.push(name);
    };
    const { prover } = await proverOnGpu({ backend: 'webgpu' }, { onUse });
    const load = async () => prover.groth16.loadKey(pzkey, { verificationKey: circuit.verificationKey });
    // The workers do without the kernels until they are compiled.
    const groups = async (): Promise<number> => {
      await (await load()).dispose();
      return new Set(roots).size;
    };
    await expect.poll(groups, { timeout: 120_000 }).toBe(2);
    const key = await load();
    const { proof, publicSignals, report } = await prover.groth16.fullProve(key, circuit.inputs, circuit.wasm);
    expect(await snarkjs.groth16.verify(circuit.verificationKey, publicSignals, proof)).toBe(true);
    expect(report.notices).toEqual([]);
    await prover.dispose();
  },
  MAKING_TIMEOUT,
);
