import type { FflonkProof } from '../../api/index.js';
import {
  curveOfFflonkVerificationKey,
  fflonkVerificationKeyToJson,
  parseFflonkVerificationKey,
} from '../../files/snarkjs/fflonk-json.js';
import { type FflonkZkey, readFflonkZkey } from '../../files/snarkjs/fflonk-zkey.js';
import { expectSameKey } from '../key-mismatch.js';
import { blindingScalars } from '../universal/constraints.js';
import { universalProofSystem } from '../universal/index.js';
import { FFLONK_PARTS, type FflonkPart } from '../universal/parts.js';
import { FFLONK_BLINDING_SCALARS, proveFflonk } from './prove.js';
import { FflonkVerifier } from './verify.js';

/** FFLONK (Gabizon, Williamson, 2021/1167) with the files of snarkjs. */
export const fflonk = universalProofSystem<FflonkZkey, FflonkProof, FflonkPart>({
  protocol: 'fflonk',
  parts: FFLONK_PARTS,
  readZkey: readFflonkZkey,
  verificationKeyOf: fflonkVerificationKeyToJson,
  expectVerificationKey: expectFflonkVerificationKey,
  curveOfVerificationKey: curveOfFflonkVerificationKey,
  createVerifier: FflonkVerifier.create,
  prove: (context, key, wires) =>
    proveFflonk(context, key, wires, blindingScalars(key.zkey.curve, FFLONK_BLINDING_SCALARS)),
});

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
  const parse = () => parseFflonkVerificationKey(fflonkVerificationKeyToJson(zkey));
  expectSameKey(zkey.curve, parse, parseFflonkVerificationKey(pinned), MEMBERS);
}
