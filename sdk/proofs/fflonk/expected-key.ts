import { fflonkVerificationKeyToJson, parseFflonkVerificationKey } from '../../files/snarkjs/fflonk-json.js';
import type { FflonkZkey } from '../../files/snarkjs/fflonk-zkey.js';
import { expectSameMembers, keyMismatch } from '../key-mismatch.js';

/** How messages call a verification key's members. */
const MEMBERS = { domainSize: 'domain', k1: 'k1', k2: 'k2', roots: 'roots of unity', X_2: 'X_2', C0: 'C0' } as const;

/**
 * `KEY_MISMATCH` unless a proving key belongs to a verification key in snarkjs' form, which the caller trusts. For
 * anything else than a verification key the errors of `parseFflonkVerificationKey`.
 */
export function expectFflonkVerificationKey(
  zkey: Pick<FflonkZkey, 'curve' | 'facts' | 'k1' | 'k2' | 'roots' | 'points'>,
  pinned: unknown,
): void {
  const expected = parseFflonkVerificationKey(pinned);
  if (expected.curve !== zkey.curve) throw keyMismatch(`a key over ${expected.curve}`, `one over ${zkey.curve}`);
  const own = parseFflonkVerificationKey(fflonkVerificationKeyToJson(zkey));
  if (own.publicSignals !== expected.publicSignals) {
    throw keyMismatch(`${expected.publicSignals} public signals`, `${own.publicSignals}`);
  }
  expectSameMembers(own, expected, MEMBERS);
}
