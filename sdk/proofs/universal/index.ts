import { KEY_CURVES } from '../../files/snarkjs/known-curves.js';
import type { ProofPart } from '../parts.js';
import type { ProofSystem } from '../proof-system.js';
import { loadUniversalKey, UNIVERSAL_GROUPS, type UniversalKeyExpectations } from './load-key.js';
import type { UniversalSystem, UniversalZkey } from './system.js';

/** A proof system with a universal set-up, as the engine calls it. */
export function universalProofSystem<Zkey extends UniversalZkey, Proof, Part extends ProofPart>(
  particular: UniversalSystem<Zkey, Proof, Part>,
): ProofSystem<unknown, object, UniversalKeyExpectations> {
  // Its keys come from its own `readZkey`, and its parts are its own.
  const system = particular as unknown as UniversalSystem;
  return {
    protocol: system.protocol,
    parts: system.parts,
    usualCurve: KEY_CURVES[0]!.id,
    groups: UNIVERSAL_GROUPS,
    usesWholeFile: false,
    deferredCode: [],
    loadKey: (context, call, source, tuning, expected) =>
      loadUniversalKey(system, context, { call, source }, tuning, expected),
    curveOfVerificationKey: system.curveOfVerificationKey,
    createVerifier: system.createVerifier,
  };
}
