import { beforeAll, describe, expect, it } from 'vitest';
import type { FflonkVerificationKey } from '../../../sdk/api/index.js';
import { bn254 } from '../../../sdk/curves/index.js';
import { memorySource } from '../../../sdk/files/byte-source.js';
import { type FflonkZkey, readFflonkZkey } from '../../../sdk/files/snarkjs/fflonk-zkey.js';
import { expectFflonkVerificationKey } from '../../../sdk/proofs/fflonk/index.js';
import { fflonkCircuit, MAKING_TIMEOUT } from '../../support/circuits.js';
import { failureOf } from '../../support/section-bytes.js';

let zkey: FflonkZkey;
let pinned: FflonkVerificationKey;
beforeAll(async () => {
  const circuit = await fflonkCircuit('chain');
  pinned = circuit.verificationKey;
  zkey = await readFflonkZkey(memorySource(circuit.zkey));
}, MAKING_TIMEOUT);

describe('a pinned FFLONK verification key', () => {
  it('belongs to its proving key, however it is written', () => {
    expectFflonkVerificationKey(zkey, pinned);
    expectFflonkVerificationKey(zkey, { ...pinned, C0: pinned.C0.slice(0, 2), power: '6', w: undefined });
  });

  it('with another member is another, which is named', async () => {
    const smaller = (await fflonkCircuit('smallest')).verificationKey;
    const r = bn254.fr.modulus;
    const changed: readonly (readonly [string, object])[] = [
      ['C0', { C0: ['0', '1', '0'] }],
      ['roots of unity', { w4: String(r - BigInt(pinned.w4)) }],
      ['X_2', { X_2: [pinned.X_2[0], pinned.X_2[0]] }],
      ['k1', { k1: '5' }],
      ['k2', { k2: '5' }],
      ['domain', { power: smaller.power, wr: smaller.wr, w: undefined }],
    ];
    for (const [name, part] of changed) {
      expect(await failureOf(() => expectFflonkVerificationKey(zkey, { ...pinned, ...part }))).toMatchObject({
        code: 'KEY_MISMATCH',
        message: `expected the ${name} of the verification key, got another in the proving key`,
        hint: expect.any(String),
      });
    }
  });

  it('of other public signals or of another curve is named as such', async () => {
    const fewer = { ...pinned, nPublic: 1 };
    expect((await failureOf(() => expectFflonkVerificationKey(zkey, fewer))).message).toBe(
      'expected 1 public signals, got 2 in the proving key',
    );
    const elsewhere = { ...zkey, curve: 'bls12-381' } as const;
    expect(await failureOf(() => expectFflonkVerificationKey(elsewhere, pinned))).toMatchObject({
      code: 'KEY_MISMATCH',
      message: 'expected a key over bn254, got one over bls12-381 in the proving key',
    });
    expect((await failureOf(() => expectFflonkVerificationKey(zkey, {}))).code).toBe('MALFORMED_FILE');
  });
});
