import type { Groth16Proof } from '../../api/index.js';
import { curveOfVerificationKey } from '../../files/snarkjs/groth16-json.js';
import { KEY_CURVES } from '../../files/snarkjs/known-curves.js';
import type { ProofSystem } from '../proof-system.js';
import type { KeyExpectations } from './expected-key.js';
import type { Groth16KeyDescription } from './key.js';
import { loadDeferredCode } from './load-deferred-code.js';
import { GROTH16_GROUPS, loadKey } from './load-key.js';
import { GROTH16_PARTS } from './parts.js';
import { Verifier } from './verify.js';

/** Groth16 ("On the Size of Pairing-based Non-interactive Arguments", 2016/260) with the files of snarkjs. */
export const groth16: ProofSystem<Groth16Proof, Groth16KeyDescription, KeyExpectations> = {
  protocol: 'groth16',
  parts: GROTH16_PARTS,
  usualCurve: KEY_CURVES[0]!.id,
  groups: GROTH16_GROUPS,
  usesWholeFile: true,
  deferredCode: [() => loadDeferredCode('proofs')],
  loadKey,
  curveOfVerificationKey,
  createVerifier: (arithmetic, verificationKey, expected) =>
    Verifier.create(arithmetic, verificationKey, expected?.allowUnfinished),
};
