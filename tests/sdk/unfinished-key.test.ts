import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Groth16Proof, Groth16VerificationKey, Prover } from '../../sdk/api.js';
import { CURVES, type CurveId, pointBytes, SCALAR_BYTES } from '../../sdk/curves/index.js';
import { GROTH16_CURVES } from '../../sdk/snarkjs/known-curves.js';
import { chainOver, MAKING_TIMEOUT, snarkjsWitness, type TestCircuit } from '../support/circuits.js';
import { addAffine, multiplyAffine } from '../support/curve-reference.js';
import { endSnarkjsOver } from '../support/example.js';
import { inPlaceProver } from '../support/in-place-prover.js';
import { patched, sectionsOf, withSection } from '../support/section-bytes.js';

/** A proof for a key whose gamma and delta are equal, of any signals: A = alpha, B = beta, C = -(IC_0 + sum x_i IC_i). */
function forged(id: CurveId, key: Groth16VerificationKey, signals: readonly string[]): Groth16Proof {
  const curve = CURVES[id];
  const points = key.IC.map(([x, y]) => [BigInt(x!), BigInt(y!)] as const);
  const terms = points.map((point, i) => (i === 0 ? point : multiplyAffine(curve, point, BigInt(signals[i - 1]!))));
  const sum = terms.reduce((total, term) => addAffine(curve, total, term));
  const [x, y] = sum!;
  const pi_c = [String(x), String(curve.fq.modulus - y), '1'];
  return { pi_a: key.vk_alpha_1, pi_b: key.vk_beta_2, pi_c, protocol: 'groth16', curve: key.curve };
}

describe.each(GROTH16_CURVES)('a key over $id without a contribution in phase 2', ({ id, coordinateBytes }) => {
  let prover: Prover;
  let circuit: TestCircuit;
  let zkey: Uint8Array;
  let verificationKey: Groth16VerificationKey;
  beforeAll(async () => {
    circuit = await chainOver(id);
    prover = await inPlaceProver({ backend: 'wasm', threads: 1 });
    verificationKey = { ...circuit.verificationKey, vk_delta_2: circuit.verificationKey.vk_gamma_2 };
    const [g1, g2] = [pointBytes(id, 'g1'), pointBytes(id, 'g2')];
    // The points of the header: alpha1, beta1, beta2, gamma2, delta1, delta2.
    const points = 4 + coordinateBytes + 4 + SCALAR_BYTES + 12;
    const gamma2 = points + 2 * g1 + g2;
    const header = sectionsOf(circuit.zkey).find(([number]) => number === 2)![1];
    zkey = withSection(circuit.zkey, 2, (body) => patched(body, gamma2 + g2 + g1, header.slice(gamma2, gamma2 + g2)));
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
