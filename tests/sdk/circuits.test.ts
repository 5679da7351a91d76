import * as snarkjs from 'snarkjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Prover } from '../../sdk/api/index.js';
import { CIRCUIT_NAMES, MAKING_TIMEOUT, snarkjsWitness, testCircuit } from '../support/circuits.js';
import { endSnarkjs } from '../support/example.js';
import { createProver } from '../support/prover.js';

afterAll(endSnarkjs);

/**
 * Keys and witnesses that circom and snarkjs make when the tests run: from a domain of 2 with no public signal upwards. They are proved on the GPU in
 * `executors/gpu/proofs/whole-proofs.test.ts`.
 */
describe('keys made by snarkjs', () => {
  let prover: Prover;
  beforeAll(async () => {
    prover = await createProver({ backend: 'wasm', threads: 2, cache: false });
  });
  afterAll(() => prover.dispose());

  it.each(CIRCUIT_NAMES)(
    'proves the circuit %s, which snarkjs verifies',
    async (name) => {
      const circuit = await testCircuit(name);
      const key = await prover.groth16.loadKey(circuit.zkey);
      const witness = await snarkjsWitness(circuit);
      const fromWitness = await prover.groth16.prove(key, witness);
      const fromInputs = await prover.groth16.fullProve(key, circuit.inputs, circuit.wasm);
      expect(fromInputs.publicSignals).toEqual(fromWitness.publicSignals);
      for (const { proof, publicSignals, report } of [fromWitness, fromInputs]) {
        expect(report.backend).toBe('wasm');
        expect(await snarkjs.groth16.verify(circuit.verificationKey, [...publicSignals], proof)).toBe(true);
      }
      await key.dispose();
    },
    MAKING_TIMEOUT,
  );
});
