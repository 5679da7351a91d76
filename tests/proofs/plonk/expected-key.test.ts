import { beforeAll, describe, expect, it } from 'vitest';
import type { PlonkVerificationKey } from '../../../sdk/api/index.js';
import { memorySource } from '../../../sdk/files/byte-source.js';
import { PLONK_POLYNOMIALS, type PlonkZkey, readPlonkZkey } from '../../../sdk/files/snarkjs/plonk-zkey.js';
import { expectPlonkVerificationKey } from '../../../sdk/proofs/plonk/index.js';
import { MAKING_TIMEOUT, plonkCircuit } from '../../support/circuits.js';
import { failureOf } from '../../support/section-bytes.js';

let zkey: PlonkZkey;
let pinned: PlonkVerificationKey;
beforeAll(async () => {
  const circuit = await plonkCircuit('chain');
  pinned = circuit.verificationKey;
  zkey = await readPlonkZkey(memorySource(circuit.zkey));
}, MAKING_TIMEOUT);

describe('a pinned PLONK verification key', () => {
  it('belongs to its proving key, however it is written', () => {
    expectPlonkVerificationKey(zkey, pinned);
    expectPlonkVerificationKey(zkey, { ...pinned, Qm: pinned.Qm.slice(0, 2), power: '6', w: undefined });
  });

  it('with another member is another, which is named', async () => {
    const otherPoint = (name: string) => (name === 'Qm' ? pinned.Ql : pinned.Qm);
    const changed: readonly (readonly [string, object])[] = [
      ...PLONK_POLYNOMIALS.map((name) => [name, { [name]: otherPoint(name) }] as const),
      ['Qc', { Qc: pinned.Qc[2] === '0' ? pinned.Qm : ['0', '1', '0'] }],
      ['X_2', { X_2: [pinned.X_2[0], pinned.X_2[0]] }],
      ['k1', { k1: '5' }],
      ['k2', { k2: '5' }],
      ['domain', { power: 7, w: undefined }],
    ];
    for (const [name, part] of changed) {
      expect(await failureOf(() => expectPlonkVerificationKey(zkey, { ...pinned, ...part }))).toMatchObject({
        code: 'KEY_MISMATCH',
        message: `expected the ${name} of the verification key, got another in the proving key`,
        hint: expect.any(String),
      });
    }
  });

  it('of other public signals or of another curve is named as such', async () => {
    const fewer = { ...pinned, nPublic: 1 };
    expect((await failureOf(() => expectPlonkVerificationKey(zkey, fewer))).message).toBe(
      'expected 1 public signals, got 2 in the proving key',
    );
    const { verificationKey } = await plonkCircuit('bls12381/chain');
    expect(await failureOf(() => expectPlonkVerificationKey(zkey, verificationKey))).toMatchObject({
      code: 'KEY_MISMATCH',
      message: 'expected a key over bls12-381, got one over bn254 in the proving key',
    });
    expect((await failureOf(() => expectPlonkVerificationKey(zkey, {}))).code).toBe('MALFORMED_FILE');
  });
});
