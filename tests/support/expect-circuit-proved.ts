import * as snarkjs from 'snarkjs';
import { expect } from 'vitest';
import type { Prover } from '../../sdk/api/index.js';
import { type CircuitName, snarkjsWitness, testCircuit } from './circuits.js';

/** Proves a circuit from its witness and from its inputs, both on the backend, and has snarkjs verify the proofs. */
export async function expectCircuitProved(
  prover: Prover,
  name: CircuitName,
  backend: 'wasm' | 'webgpu',
): Promise<void> {
  const circuit = await testCircuit(name);
  const key = await prover.groth16.loadKey(circuit.zkey);
  const fromWitness = await prover.groth16.prove(key, await snarkjsWitness(circuit));
  const fromInputs = await prover.groth16.fullProve(key, circuit.inputs, circuit.wasm);
  expect(fromInputs.publicSignals).toEqual(fromWitness.publicSignals);
  for (const { proof, publicSignals, report } of [fromWitness, fromInputs]) {
    expect(report.backend).toBe(backend);
    expect(await snarkjs.groth16.verify(circuit.verificationKey, [...publicSignals], proof)).toBe(true);
  }
  await key.dispose();
}
