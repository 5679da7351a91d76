import type { FflonkProof } from '../../api/index.js';
import { curveOfFflonkVerificationKey, fflonkVerificationKeyToJson } from '../../files/snarkjs/fflonk-json.js';
import { type FflonkZkey, readFflonkZkey } from '../../files/snarkjs/fflonk-zkey.js';
import { blindingScalars } from '../universal/constraints.js';
import { universalProofSystem } from '../universal/index.js';
import { expectFflonkVerificationKey } from './expected-key.js';
import { FFLONK_PARTS, type FflonkPart } from './parts.js';
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
