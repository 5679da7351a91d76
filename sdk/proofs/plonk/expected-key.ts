import { parsePlonkVerificationKey, plonkVerificationKeyToJson } from '../../files/snarkjs/plonk-json.js';
import { PLONK_POLYNOMIALS, type PlonkZkey } from '../../files/snarkjs/plonk-zkey.js';
import { expectSameMembers, keyMismatch } from '../key-mismatch.js';

/** How messages call a verification key's members. */
const MEMBERS = { domainSize: 'domain', k1: 'k1', k2: 'k2', X_2: 'X_2' } as const;
const COMMITMENTS = Object.fromEntries(PLONK_POLYNOMIALS.map((name) => [name, name]));

/**
 * `KEY_MISMATCH` unless a proving key belongs to a verification key in snarkjs' form, which the caller trusts. For
 * anything else than a verification key the errors of `parsePlonkVerificationKey`.
 */
export function expectPlonkVerificationKey(
  zkey: Pick<PlonkZkey, 'curve' | 'facts' | 'k1' | 'k2' | 'points'>,
  pinned: unknown,
): void {
  const expected = parsePlonkVerificationKey(pinned);
  if (expected.curve !== zkey.curve) throw keyMismatch(`a key over ${expected.curve}`, `one over ${zkey.curve}`);
  const own = parsePlonkVerificationKey(plonkVerificationKeyToJson(zkey));
  if (own.publicSignals !== expected.publicSignals) {
    throw keyMismatch(`${expected.publicSignals} public signals`, `${own.publicSignals}`);
  }
  expectSameMembers(own, expected, MEMBERS);
  expectSameMembers(own.commitments, expected.commitments, COMMITMENTS);
}
