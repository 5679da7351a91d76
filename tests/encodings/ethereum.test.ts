import * as snarkjs from 'snarkjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Groth16ProofJson } from '../../sdk/api/index.js';
import { G2_GENERATORS } from '../../sdk/curves/g2-generators.js';
import { bls12381, bn254 } from '../../sdk/curves/index.js';
import { ethereumAbi, ethereumWords, solidityCalldata } from '../../sdk/encodings-node.js';
import { chainOver, MAKING_TIMEOUT, snarkjsProof } from '../support/circuits.js';
import { endSnarkjs, endSnarkjsOver } from '../support/example.js';
import { failureOf } from '../support/section-bytes.js';

let proof: Groth16ProofJson;
let publicSignals: string[];
beforeAll(async () => {
  ({ proof, publicSignals } = await snarkjsProof(await chainOver('bn254')));
}, MAKING_TIMEOUT);
afterAll(endSnarkjs);

describe('solidityCalldata', () => {
  it('is the text of snarkjs', async () => {
    for (const signals of [publicSignals, [], ['0', '1', String(bn254.fr.modulus - 1n)]]) {
      expect(solidityCalldata(proof, signals)).toBe(await snarkjs.groth16.exportSolidityCallData(proof, signals));
    }
  });

  it('holds the words of a proof', () => {
    const [a, b, c, signals] = JSON.parse(`[${solidityCalldata(proof, publicSignals)}]`);
    expect([...a, ...b.flat(), ...c]).toEqual(ethereumWords(proof));
    const bytes = ethereumAbi(proof, publicSignals);
    const words = Array.from(
      { length: bytes.length / 32 },
      (_, i) => `0x${Buffer.from(bytes.subarray(32 * i, 32 * i + 32)).toString('hex')}`,
    );
    expect(words).toEqual([...ethereumWords(proof), ...signals]);
  });

  it('refuses what no verifier takes', async () => {
    const p = String(bn254.fq.modulus);
    const cases = [
      [{ ...proof, pi_a: [p, '2', '1'] }, publicSignals, 'INVALID_POINT'],
      [{ ...proof, pi_a: ['1', '1', '1'] }, publicSignals, 'INVALID_POINT'],
      [{ ...proof, pi_a: ['0', '0', '1'] }, publicSignals, 'INVALID_POINT'],
      [{ ...proof, pi_b: proof.pi_a as never }, publicSignals, 'MALFORMED_FILE'],
      [{ ...proof, curve: 'bls12377' }, publicSignals, 'CURVE_MISMATCH'],
      [{ ...proof, protocol: 'plonk' as never }, publicSignals, 'UNSUPPORTED_FORMAT'],
      [proof, [String(bn254.fr.modulus)], 'INVALID_SCALAR'],
      [proof, ['-1'], 'INVALID_SCALAR'],
      [proof, ['one'], 'MALFORMED_FILE'],
    ] as const;
    for (const [bad, signals, code] of cases) {
      expect((await failureOf(() => solidityCalldata(bad, signals))).code).toBe(code);
    }
  });

  it('refuses BLS12-381, whose coordinates fill no word', async () => {
    const other = await snarkjsProof(await chainOver('bls12-381'));
    await endSnarkjsOver('bls12-381');
    expect((await failureOf(() => solidityCalldata(other.proof, other.publicSignals))).code).toBe('CURVE_MISMATCH');
  });
});

describe('ethereumWords', () => {
  it("writes BLS12-381's generators as EIP-2537 does", () => {
    const [g1, g2] = [bls12381.g1.generator.map(String), G2_GENERATORS['bls12-381']!.map((pair) => pair.map(String))];
    const words = ethereumWords({ ...proof, pi_a: g1, pi_b: g2, pi_c: g1, curve: 'bls12381' });
    const [x, y] = [
      '17f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bb',
      '08b3f481e3aaa0f1a09e30ed741d8ae4fcf5e095d5d00af600db18cb2c04b3edd03cc744a2888ae40caa232946c5e7e1',
    ];
    const twist = [
      '024aa2b2f08f0a91260805272dc51051c6e47ad4fa403b02b4510b647ae3d1770bac0326a805bbefd48056c8c121bdb8',
      '13e02b6052719f607dacd3a088274f65596bd0d09920b61ab5da61bbdc7f5049334cf11213945d57e5ac7d055d042b7e',
      '0ce5d527727d6e118cc9cdc6da2e351aadfd9baa8cbdd3a76d429a695160d12c923ac9cc3baca289e193548608b82801',
      '0606c4a02ea734cc32acd2b02bc28b99cb3e287e85a763af267492ab572e99ab3f370d275cec1da1aaa9075ff05f79be',
    ];
    const expected = [x, y, ...twist, x, y].map((value) => value!.padStart(128, '0')).join('');
    expect(words.map((word) => word.slice(2)).join('')).toBe(expected);
    expect(words).toHaveLength(16);
  });

  it('writes infinity as zeros, on each curve', () => {
    const infinity = {
      ...proof,
      pi_a: ['0', '1', '0'],
      pi_b: [
        ['0', '0'],
        ['1', '0'],
        ['0', '0'],
      ],
      pi_c: ['0', '1', '0'],
    };
    for (const [curve, count] of [
      ['bn128', 8],
      ['bls12381', 16],
    ] as const) {
      expect(ethereumWords({ ...infinity, curve })).toEqual(Array(count).fill(`0x${'0'.repeat(64)}`));
    }
  });
});
