import { describe, expect, it } from 'vitest';
import type { Groth16ProofJson, Groth16VerificationKey } from '../../../sdk/api/index.js';
import { G2_GENERATORS } from '../../../sdk/curves/g2-generators.js';
import { bn254 } from '../../../sdk/curves/index.js';
import { ethereumAbi, solanaVerificationKey, toSolana } from '../../../sdk/encodings-node.js';
import { failureOf } from '../../support/section-bytes.js';
import { verifyProof } from '../../support/verify-proof.js';
import { loadKernel } from '../../support/wasm.js';
import { hexOf } from '../decode-points.js';
import { GROTH16_SOLANA as vector } from '../vectors.js';

const words = (hex: string): string[] => (hex.match(/.{64}/g) ?? []).map((word) => String(BigInt(`0x${word}`)));
const g1 = (hex: string): string[] => [...words(hex), '1'];
const g2 = (hex: string): string[][] => {
  const [x1, x0, y1, y0] = words(hex) as [string, string, string, string];
  return [
    [x0, x1],
    [y0, y1],
    ['1', '0'],
  ];
};

const proof: Groth16ProofJson = {
  pi_a: g1(vector.proof.slice(0, 128)),
  pi_b: g2(vector.proof.slice(128, 384)),
  pi_c: g1(vector.proof.slice(384)),
  protocol: 'groth16',
  curve: 'bn128',
};
const publicSignals = vector.publicInputs.flatMap(words);
const verificationKey: Groth16VerificationKey = {
  protocol: 'groth16',
  curve: 'bn128',
  nPublic: publicSignals.length,
  vk_alpha_1: g1(vector.alpha),
  vk_beta_2: g2(vector.beta),
  vk_gamma_2: g2(vector.gamma),
  vk_delta_2: g2(vector.delta),
  IC: vector.ic.map(g1),
};

describe('the vector of groth16-solana', () => {
  it('is a proof that holds', async () => {
    const kernel = await loadKernel('bn254');
    expect(await verifyProof(kernel, verificationKey, publicSignals, proof, true)).toBe(true);
  });

  it('is what toSolana gives, with A negated', () => {
    const { proofA, proofB, proofC, publicInputs } = toSolana(proof, publicSignals);
    const [x, y] = words(hexOf(proofA)) as [string, string];
    expect([x, String(bn254.fq.modulus - BigInt(y))]).toEqual(proof.pi_a.slice(0, 2));
    expect(hexOf(proofB)).toBe(vector.proof.slice(128, 384));
    expect(hexOf(proofC)).toBe(vector.proof.slice(384));
    expect(publicInputs.map(hexOf)).toEqual(vector.publicInputs);
    // The words of EIP-197 are the same, but for A.
    expect(hexOf(ethereumAbi(proof, publicSignals))).toBe(vector.proof + vector.publicInputs.join(''));
  });

  it('has the verification key that solanaVerificationKey gives', () => {
    const key = solanaVerificationKey(verificationKey);
    expect(hexOf(key.vkAlphaG1)).toBe(vector.alpha);
    expect(hexOf(key.vkBetaG2)).toBe(vector.beta);
    expect(hexOf(key.vkGammaG2)).toBe(vector.gamma);
    expect(hexOf(key.vkDeltaG2)).toBe(vector.delta);
    expect(key.vkIc.map(hexOf)).toEqual(vector.ic);
  });
});

describe('toSolana', () => {
  it('refuses other curves, and signals out of range', async () => {
    const { generator } = (await import('../../../sdk/curves/index.js')).bls12381.g1;
    const [a, b] = [generator.map(String), G2_GENERATORS['bls12-381']!.map((pair) => pair.map(String))];
    const other: Groth16ProofJson = { ...proof, pi_a: a, pi_b: b, pi_c: a, curve: 'bls12381' };
    expect((await failureOf(() => toSolana(other, publicSignals))).code).toBe('CURVE_MISMATCH');
    expect((await failureOf(() => toSolana(proof, [String(bn254.fr.modulus)]))).code).toBe('INVALID_SCALAR');
  });
});
