import * as snarkjs from 'snarkjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Groth16Proof } from '../../sdk/api.js';
import { bn254 } from '../../sdk/curves/index.js';
import { ethereumAbi, ethereumWords, solidityCalldata } from '../../sdk/encodings-node.js';
import { chainOver, MAKING_TIMEOUT, snarkjsProof } from '../support/circuits.js';
import { endSnarkjs, endSnarkjsOver } from '../support/example.js';
import { failureOf } from '../support/section-bytes.js';

let proof: Groth16Proof;
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
