import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Groth16VerificationKey, Prover } from '../../sdk/api/index.js';
import { chainOver, snarkjsWitness, type TestCircuit } from '../support/circuits.js';
import { endSnarkjs } from '../support/example.js';
import { inPlaceProver } from '../support/in-place-prover.js';

describe('a proving key whose verification key is pinned', () => {
  let prover: Prover;
  let circuit: TestCircuit;
  let other: TestCircuit;

  beforeAll(async () => {
    prover = await inPlaceProver({ backend: 'wasm', threads: 1, cache: false });
    [circuit, other] = await Promise.all([chainOver('bn254'), chainOver('bls12-381')]);
  });
  afterAll(async () => {
    await prover.dispose();
    await endSnarkjs();
  });

  const load = (verificationKey: unknown) =>
    prover.groth16.loadKey(circuit.zkey, { verificationKey: verificationKey as Groth16VerificationKey });

  it('is loaded if it is that key, with or without what need not be there', async () => {
    const { vk_alphabeta_12: _, ...without } = circuit.verificationKey;
    for (const pinned of [circuit.verificationKey, without]) {
      const key = await load(pinned);
      const { proof, publicSignals } = await prover.groth16.prove(key, await snarkjsWitness(circuit));
      expect(await prover.groth16.verify(circuit.verificationKey, publicSignals, proof)).toBe(true);
      await key.dispose();
    }
  });

  it.each(['vk_alpha_1', 'vk_beta_2', 'vk_gamma_2', 'vk_delta_2', 'IC'] as const)(
    'is refused if %s differs',
    async (name) => {
      const pinned = circuit.verificationKey;
      // Another point of the same group, or the points of IC in another order.
      const others = {
        vk_alpha_1: pinned.IC[0],
        vk_beta_2: pinned.vk_delta_2,
        vk_gamma_2: pinned.vk_beta_2,
        vk_delta_2: pinned.vk_beta_2,
        IC: pinned.IC.toReversed(),
      };
      await expect(load({ ...pinned, [name]: others[name] })).rejects.toMatchObject({ code: 'KEY_MISMATCH' });
    },
  );

  it('is refused for another number of signals, and for another curve', async () => {
    const { IC, nPublic } = circuit.verificationKey;
    const longer = { ...circuit.verificationKey, IC: [...IC, IC[0]], nPublic: nPublic + 1 };
    await expect(load(longer)).rejects.toMatchObject({
      code: 'KEY_MISMATCH',
      message: `expected ${nPublic + 1} public signals, got ${nPublic} in the proving key`,
    });
    await expect(load(other.verificationKey)).rejects.toMatchObject({ code: 'KEY_MISMATCH' });
  });

  it('is refused for what is no verification key', async () => {
    for (const pinned of [{}, 'key', { ...circuit.verificationKey, vk_beta_2: undefined }]) {
      await expect(load(pinned)).rejects.toMatchObject({ code: 'MALFORMED_FILE' });
    }
    await expect(load({ ...circuit.verificationKey, protocol: 'plonk' })).rejects.toMatchObject({
      code: 'UNSUPPORTED_FORMAT',
    });
    // The next call works.
    await (await load(circuit.verificationKey)).dispose();
  });
});
