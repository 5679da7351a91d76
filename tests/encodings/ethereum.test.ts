import * as snarkjs from 'snarkjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FflonkProof, Groth16ProofJson, PlonkProof } from '../../sdk/api/index.js';
import { G2_GENERATORS } from '../../sdk/curves/g2-generators.js';
import { bls12381, bn254 } from '../../sdk/curves/index.js';
import { ethereumAbi, ethereumWords, solidityArguments, solidityCalldata } from '../../sdk/encodings-node.js';
import {
  chainOver,
  fflonkCircuit,
  MAKING_TIMEOUT,
  plonkCircuit,
  snarkjsFflonkProof,
  snarkjsPlonkProof,
  snarkjsProof,
} from '../support/circuits.js';
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
    expect(solidityArguments(proof, publicSignals)).toEqual([a, b, c, signals]);
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
      [{ ...proof, protocol: 'plonk' as never }, publicSignals, 'MALFORMED_FILE'],
      [{ ...proof, protocol: 'stark' as never }, publicSignals, 'UNSUPPORTED_FORMAT'],
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

describe('PLONK and FFLONK', () => {
  let plonk: { proof: PlonkProof; publicSignals: string[] };
  let fflonk: { proof: FflonkProof; publicSignals: string[] };
  beforeAll(async () => {
    plonk = await snarkjsPlonkProof(await plonkCircuit('chain'));
    fflonk = await snarkjsFflonkProof(await fflonkCircuit('chain'));
  }, MAKING_TIMEOUT);
  const word = (value: string): string => `0x${BigInt(value).toString(16).padStart(64, '0')}`;

  it('have the text of snarkjs', async () => {
    for (const signals of [[], ['0'], ['0', '1', String(bn254.fr.modulus - 1n)], plonk.publicSignals]) {
      const { exportSolidityCallData: exportPlonk } = snarkjs.plonk;
      expect(solidityCalldata(plonk.proof, signals)).toBe(await exportPlonk(plonk.proof, signals));
      // FFLONK's takes the public signals first.
      const exportFflonk = snarkjs.fflonk.exportSolidityCallData as (
        signals: string[],
        proof: object,
      ) => Promise<string>;
      expect(solidityCalldata(fflonk.proof, signals)).toBe(await exportFflonk(signals, fflonk.proof));
    }
  });

  it('have 24 words and the public signals as arguments, and as ABI bytes', () => {
    const { protocol: _, curve: __, ...members } = plonk.proof;
    const plonkWords = Object.values(members).flatMap((member) =>
      typeof member === 'string' ? [word(member)] : member.slice(0, 2).map(word),
    );
    const { polynomials, evaluations } = fflonk.proof;
    const fflonkWords = [
      ...Object.values(polynomials).flatMap((point) => point.slice(0, 2).map(word)),
      ...Object.values(evaluations).map(word),
    ];
    for (const [made, words] of [
      [plonk, plonkWords],
      [fflonk, fflonkWords],
    ] as const) {
      expect(words).toHaveLength(24);
      expect(ethereumWords(made.proof)).toEqual(words);
      const signals = made.publicSignals.map(word);
      expect(solidityArguments(made.proof, made.publicSignals)).toEqual([words, signals]);
      const bytes = Buffer.from(ethereumAbi(made.proof, made.publicSignals)).toString('hex');
      expect(bytes).toBe([...words, ...signals].map((value) => value.slice(2)).join(''));
    }
  });

  it("without public signals have a 0 for FFLONK's verifier, whose array is never empty", () => {
    expect(solidityArguments(plonk.proof, [])[1]).toEqual([]);
    expect(solidityArguments(fflonk.proof, [])[1]).toEqual([word('0')]);
    expect(ethereumAbi(fflonk.proof, [])).toHaveLength(25 * 32);
    expect(ethereumAbi(plonk.proof, [])).toHaveLength(24 * 32);
  });

  it('are refused where no verifier takes them', async () => {
    const p = String(bn254.fq.modulus);
    const r = String(bn254.fr.modulus);
    const point = (value: string[]) => ({ ...fflonk.proof, polynomials: { ...fflonk.proof.polynomials, W2: value } });
    const scalar = (name: string, value: unknown) => ({
      ...fflonk.proof,
      evaluations: { ...fflonk.proof.evaluations, [name]: value as string },
    });
    const cases = [
      [{ ...plonk.proof, A: [p, '2', '1'] }, 'INVALID_POINT'],
      [{ ...plonk.proof, T3: ['1', '1', '1'] }, 'INVALID_POINT'],
      [{ ...plonk.proof, Wxiw: ['0', '0', '1'] }, 'INVALID_POINT'],
      [{ ...plonk.proof, eval_zw: r }, 'INVALID_SCALAR'],
      [{ ...plonk.proof, eval_a: 'x' }, 'MALFORMED_FILE'],
      [{ ...plonk.proof, curve: 'bls12381' }, 'CURVE_MISMATCH'],
      [{ ...fflonk.proof, curve: 'bls12381' }, 'CURVE_MISMATCH'],
      [point(['1', '1', '1']), 'INVALID_POINT'],
      [scalar('ql', r), 'INVALID_SCALAR'],
      [scalar('inv', r), 'INVALID_SCALAR'],
      [scalar('inv', undefined), 'MALFORMED_FILE'],
    ] as const;
    for (const [bad, code] of cases) {
      for (const encode of [solidityCalldata, solidityArguments, ethereumAbi]) {
        expect((await failureOf(() => encode(bad, []))).code).toBe(code);
      }
      expect((await failureOf(() => ethereumWords(bad))).code).toBe(code);
    }
    for (const { proof: made } of [plonk, fflonk]) {
      expect((await failureOf(() => solidityCalldata(made, [r]))).code).toBe('INVALID_SCALAR');
    }
  });

  it('have infinity as (0, 0)', () => {
    expect(ethereumWords({ ...plonk.proof, A: ['0', '1', '0'] }).slice(0, 2)).toEqual([word('0'), word('0')]);
  });
});
