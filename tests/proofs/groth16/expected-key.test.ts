import { beforeAll, describe, expect, it } from 'vitest';
import type { Groth16VerificationKey } from '../../../sdk/api/index.js';
import { memorySource } from '../../../sdk/files/byte-source.js';
import { readZkey, type Zkey } from '../../../sdk/files/snarkjs/zkey.js';
import { expectFinished, expectVerificationKey } from '../../../sdk/proofs/groth16/expected-key.js';
import { chainOver, MAKING_TIMEOUT, testCircuit } from '../../support/circuits.js';
import { failureOf } from '../../support/section-bytes.js';

let zkey: Zkey;
let pinned: Groth16VerificationKey;
beforeAll(async () => {
  const circuit = await testCircuit('chain');
  pinned = circuit.verificationKey;
  zkey = await readZkey(memorySource(circuit.zkey));
}, MAKING_TIMEOUT);

describe('a pinned verification key', () => {
  it('is that of its proving key, however its points are written', () => {
    expectVerificationKey(zkey, pinned);
    expectVerificationKey(zkey, { ...pinned, vk_alpha_1: pinned.vk_alpha_1.slice(0, 2), nPublic: undefined });
  });

  it('with another point is another, which is named', async () => {
    const changed: readonly (readonly [string, object])[] = [
      ['the alpha', { vk_alpha_1: pinned.IC[0] }],
      ['the alpha', { vk_alpha_1: ['0', '1', '0'] }],
      ['the beta', { vk_beta_2: pinned.vk_gamma_2 }],
      ['the gamma', { vk_gamma_2: pinned.vk_delta_2 }],
      ['the delta', { vk_delta_2: pinned.vk_gamma_2 }],
      ['the IC', { IC: pinned.IC.toReversed() }],
      ['the IC', { IC: pinned.IC.with(1, ['0', '1', '0']) }],
    ];
    for (const [name, part] of changed) {
      expect(await failureOf(() => expectVerificationKey(zkey, { ...pinned, ...part }))).toMatchObject({
        code: 'KEY_MISMATCH',
        message: `expected ${name} of the verification key, got another in the proving key`,
        hint: expect.any(String),
      });
    }
  });

  it('of other public signals or of another curve is told as such', async () => {
    const fewer = { ...pinned, IC: pinned.IC.slice(1), nPublic: undefined };
    expect((await failureOf(() => expectVerificationKey(zkey, fewer))).message).toBe(
      `expected ${pinned.IC.length - 2} public signals, got ${pinned.IC.length - 1} in the proving key`,
    );
    const { verificationKey } = await chainOver('bls12-381');
    expect(await failureOf(() => expectVerificationKey(zkey, verificationKey))).toMatchObject({
      code: 'KEY_MISMATCH',
      message: 'expected a key over bls12-381, got one over bn254 in the proving key',
    });
  });
});

it('a key is finished unless gamma and delta are the same point', async () => {
  const gamma = Uint8Array.of(1, 2, 3);
  for (let at = 0; at < 3; at++) expectFinished(gamma, gamma.with(at, 9));
  const failure = await failureOf(() => expectFinished(gamma, gamma.slice()));
  expect(failure).toMatchObject({ code: 'KEY_UNFINISHED', hint: expect.stringContaining('contribute') });
});
