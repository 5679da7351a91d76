import type { PlonkProof } from '../../api/index.js';
import {
  curveOfPlonkVerificationKey,
  parsePlonkVerificationKey,
  plonkProofToJson,
  plonkVerificationKeyToJson,
} from '../../files/snarkjs/plonk-json.js';
import { PLONK_POLYNOMIALS, type PlonkZkey, readPlonkZkey } from '../../files/snarkjs/plonk-zkey.js';
import { expectSameKey, expectSameMembers } from '../key-mismatch.js';
import { blindingScalars } from '../universal/constraints.js';
import { universalProofSystem } from '../universal/index.js';
import { PLONK_PARTS, type PlonkPart } from '../universal/parts.js';
import { PLONK_BLINDING_SCALARS, provePlonk } from './prove.js';
import { PlonkVerifier } from './verify.js';

/** PLONK (Gabizon, Williamson, Ciobotaru, 2019/953) with the files of snarkjs. */
export const plonk = universalProofSystem<PlonkZkey, PlonkProof, PlonkPart>({
  protocol: 'plonk',
  parts: PLONK_PARTS,
  readZkey: readPlonkZkey,
  verificationKeyOf: plonkVerificationKeyToJson,
  expectVerificationKey: expectPlonkVerificationKey,
  curveOfVerificationKey: curveOfPlonkVerificationKey,
  createVerifier: PlonkVerifier.create,
  prove: async (context, key, wires) =>
    plonkProofToJson(
      key.zkey.curve,
      await provePlonk(context, key, wires, blindingScalars(key.zkey.curve, PLONK_BLINDING_SCALARS)),
    ),
});

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
  const parse = () => parsePlonkVerificationKey(plonkVerificationKeyToJson(zkey));
  const own = expectSameKey(zkey.curve, parse, expected, MEMBERS);
  expectSameMembers(own.commitments, expected.commitments, COMMITMENTS);
}
