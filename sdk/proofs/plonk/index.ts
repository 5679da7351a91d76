import type { PlonkProof } from '../../api/index.js';
import {
  curveOfPlonkVerificationKey,
  plonkProofToJson,
  plonkVerificationKeyToJson,
} from '../../files/snarkjs/plonk-json.js';
import { type PlonkZkey, readPlonkZkey } from '../../files/snarkjs/plonk-zkey.js';
import { blindingScalars } from '../universal/constraints.js';
import { universalProofSystem } from '../universal/index.js';
import { expectPlonkVerificationKey } from './expected-key.js';
import { PLONK_PARTS, type PlonkPart } from './parts.js';
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
