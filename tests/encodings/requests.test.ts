import { expect, it } from 'vitest';
import { bigintToBytes, joinBytes } from '../../sdk/base/bytes.js';
import { bn254 } from '../../sdk/curves/index.js';
import { checkInputs, checkWitness } from '../../sdk/encodings/requests.js';
import { failureOf, sectionFile, u32 } from '../support/section-bytes.js';

/** A .wtns of three values, of which none is below r. */
const wtns = sectionFile('wtns', 2, [
  [1, joinBytes([u32(32), bigintToBytes(bn254.fr.modulus, 32), u32(3)])],
  [2, new Uint8Array(3 * 32).fill(0xff)],
]);

it('takes a witness over the field of the circuit, of its length, whatever its values', async () => {
  await checkWitness(wtns, 'bn254', 3);
  await checkWitness(wtns, 'bn128');
});

it.each([
  ['bls12381', 3, wtns, 'CURVE_MISMATCH'],
  ['bn254', 4, wtns, 'INVALID_LENGTH'],
  ['bn254', 3, wtns.subarray(1), 'MALFORMED_FILE'],
  ['bn254', 3, wtns.with(4, 9), 'UNSUPPORTED_FORMAT'],
])('refuses one of another circuit, or none: %s, %i values', async (curve, variables, witness, code) => {
  expect((await failureOf(() => checkWitness(witness, curve, variables))).code).toBe(code);
});

it('takes inputs from 0 to r - 1, as integers that no JSON has rounded', async () => {
  checkInputs({ a: '1', b: ['0x2', 3n, 4], c: [[`${bn254.fr.modulus - 1n}`]] }, 'bn128');
  for (const a of [-1, 1.5, 2 ** 53, 'one', bn254.fr.modulus, [[bn254.fr.modulus]]]) {
    const error = await failureOf(() => checkInputs({ a }, 'bn128'));
    expect(error.code).toBe('INVALID_INPUT');
    expect(error.message).not.toContain(String(bn254.fr.modulus));
  }
});

it('leaves those of a curve that is not known to the prover', async () => {
  await checkWitness(new Uint8Array(1), 'of a later version', 3);
  checkInputs({ a: 'one' }, 'of a later version');
});
