import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Groth16Proof, Groth16VerificationKey, Prover } from '../../sdk/api/index.js';
import { PippinError } from '../../sdk/base/errors.js';
import { Verifier } from '../../sdk/proofs/groth16/verify.js';
import { MAKING_TIMEOUT, snarkjsProof, snarkjsWitness, testCircuit } from '../support/circuits.js';
import { endSnarkjs } from '../support/example.js';
import { inPlaceProver } from '../support/in-place-prover.js';

let verificationKey: Groth16VerificationKey;
let publicSignals: readonly string[];
let proof: Groth16Proof;
let prover: Prover;
beforeAll(async () => {
  const circuit = await testCircuit('chain');
  verificationKey = circuit.verificationKey;
  ({ publicSignals, proof } = await snarkjsProof(circuit));
  prover = await inPlaceProver({ backend: 'wasm', threads: 2 });
}, MAKING_TIMEOUT);
afterAll(async () => {
  await prover.dispose();
  await endSnarkjs();
});

it('verifies before any key was loaded, and many proofs at once', async () => {
  const wrong = publicSignals.with(0, '7');
  const all = [publicSignals, wrong, publicSignals, wrong].map((signals) =>
    prover.groth16.verify(verificationKey, signals, proof),
  );
  expect(await Promise.all(all)).toEqual([true, false, true, false]);
});

it('names the point of a foreign key that is in no group, and what is no proof', async () => {
  const key = { ...verificationKey, vk_alpha_1: ['1', '3', '1'] };
  await expect(prover.groth16.verify(key, publicSignals, proof)).rejects.toMatchObject({
    code: 'INVALID_POINT',
    message: expect.stringContaining('vk_alpha_1'),
  });
  const none = {} as Groth16Proof;
  await expect(prover.groth16.verify(verificationKey, publicSignals, none)).rejects.toMatchObject({
    code: 'MALFORMED_FILE',
  });
  expect(await prover.groth16.verify(verificationKey, publicSignals, proof)).toBe(true);
});

it('ends a verification that nobody wants any more', async () => {
  const controller = new AbortController();
  const call = prover.groth16.verify(verificationKey, publicSignals, proof, { signal: controller.signal });
  controller.abort();
  await expect(call).rejects.toMatchObject({ code: 'ABORTED' });
  expect(await prover.groth16.verify(verificationKey, publicSignals, proof)).toBe(true);
});

it('checks the points of a loaded key once, and again after a failure', async () => {
  const circuit = await testCircuit('chain');
  const key = await prover.groth16.loadKey(circuit.zkey);
  const witness = await snarkjsWitness(circuit);
  const create = vi.spyOn(Verifier, 'create');
  create.mockRejectedValueOnce(new PippinError('WORKER_FAILED', 'the worker died'));
  await expect(prover.groth16.prove(key, witness)).rejects.toMatchObject({ code: 'WORKER_FAILED' });
  await Promise.all([prover.groth16.prove(key, witness), prover.groth16.prove(key, witness)]);
  const made = await prover.groth16.prove(key, witness);
  expect(create).toHaveBeenCalledTimes(2);
  create.mockRestore();
  expect(await prover.groth16.verify(verificationKey, made.publicSignals, made.proof)).toBe(true);
});
