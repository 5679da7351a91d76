import { expect, it } from 'vitest';
import { bigintToBytes, joinBytes } from '../../sdk/base/bytes.js';
import { bn254 } from '../../sdk/curves/index.js';
import { checkWitness } from '../../sdk/server/queue/check-witness.js';
import type { CircuitInfo } from '../../sdk/server/queue/types.js';
import { failureOf, sectionFile, u32 } from '../support/section-bytes.js';

const circuit = (curve: string, variables: number) => ({ id: 'note', curve, variables }) as CircuitInfo;

/** A .wtns of three values, of which none is below r. */
const wtns = sectionFile('wtns', 2, [
  [1, joinBytes([u32(32), bigintToBytes(bn254.fr.modulus, 32), u32(3)])],
  [2, new Uint8Array(3 * 32).fill(0xff)],
]);

it('takes a witness over the field of the circuit, of its length, whatever its values', async () => {
  await checkWitness(wtns, circuit('bn254', 3));
});

it.each([
  [circuit('bls12381', 3), wtns, 'CURVE_MISMATCH'],
  [circuit('bn254', 4), wtns, 'INVALID_LENGTH'],
  [circuit('bn254', 3), wtns.subarray(1), 'MALFORMED_FILE'],
  [circuit('bn254', 3), wtns.with(4, 9), 'UNSUPPORTED_FORMAT'],
])('refuses one of another circuit, or none: %j', async (info, witness, code) => {
  expect((await failureOf(() => checkWitness(witness, info))).code).toBe(code);
});

it('leaves that of a curve that only workers know to them', async () => {
  await checkWitness(new Uint8Array(1), circuit('of a later version', 3));
});
