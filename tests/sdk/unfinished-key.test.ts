import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Groth16VerificationKey, Prover } from '../../sdk/api/index.js';
import { KEY_CURVES } from '../../sdk/files/snarkjs/known-curves.js';
import { chainOver, MAKING_TIMEOUT, snarkjsWitness, type TestCircuit } from '../support/circuits.js';
import { endSnarkjsOver } from '../support/example.js';
import { inPlaceProver } from '../support/in-place-prover.js';
import { forged, unfinished } from '../support/unfinished-key.js';

describe.each(KEY_CURVES)('a key over $id without a contribution in phase 2', ({ id }) => {
  let prover: Prover;
  let circuit: TestCircuit;
  let zkey: Uint8Array;
  let verificationKey: Groth16VerificationKey;
  beforeAll(async () => {
    circuit = await chainOver(id);
    prover = await inPlaceProver({ backend: 'wasm', threads: 1 });
    ({ zkey, verificationKey } = unfinished(id, circuit));
  }, MAKING_TIMEOUT);
  afterAll(async () => {
    await prover.dispose();
    await endSnarkjsOver(id);
  });

  it('is refused by loadKey', async () => {
    await expect(prover.groth16.loadKey(zkey)).rejects.toMatchObject({
      code: 'KEY_UNFINISHED',
      message: expect.stringContaining('anyone can forge'),
      hint: expect.stringContaining('allowUnfinished'),
    });
    await expect(prover.groth16.loadKey(zkey, { verificationKey })).rejects.toMatchObject({ code: 'KEY_UNFINISHED' });
    const pinned = prover.groth16.loadKey(circuit.zkey, { verificationKey });
    await expect(pinned).rejects.toMatchObject({ code: 'KEY_MISMATCH' });
  });

  it('is refused by verify, where forged proofs would hold', async () => {
    for (const signals of [circuit.verificationKey.IC.slice(1).map((_, i) => String(i + 5))]) {
      const proof = forged(id, verificationKey, signals);
      const { groth16 } = prover;
      await expect(groth16.verify(verificationKey, signals, proof)).rejects.toMatchObject({ code: 'KEY_UNFINISHED' });
      expect(await groth16.verify(verificationKey, signals, proof, { allowUnfinished: true })).toBe(true);
      expect(await groth16.verify(circuit.verificationKey, signals, proof)).toBe(false);
    }
  });

  it('is taken with allowUnfinished', async () => {
    const key = await prover.groth16.loadKey(zkey, { allowUnfinished: true });
    expect(key.verificationKey.vk_delta_2).toEqual(key.verificationKey.vk_gamma_2);
    // Its points C and H are those of another delta, so that no proof holds.
    const proving = prover.groth16.prove(key, await snarkjsWitness(circuit));
    await expect(proving).rejects.toMatchObject({ code: 'PROOF_INVALID' });
    await key.dispose();
    for (const wrong of [1, 'true', null]) {
      const loading = prover.groth16.loadKey(circuit.zkey, { allowUnfinished: wrong as never });
      await expect(loading).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    }
  });
});
