import { PippinError } from '../base/errors.js';
import type { CurveId } from '../curves/index.js';
import { curveOfFflonkVerificationKey } from '../files/snarkjs/fflonk-json.js';
import { curveOfVerificationKey } from '../files/snarkjs/parse-proof.js';
import { curveOfPlonkVerificationKey } from '../files/snarkjs/plonk-json.js';
import { protocolOf } from '../hosts/session/proof-system-of.js';
import { FflonkVerifier } from '../proofs/fflonk/verify.js';
import { Verifier } from '../proofs/groth16/verify.js';
import type { PairingArithmetic } from '../proofs/pairings.js';
import type { Protocol } from '../proofs/parts.js';
import { PlonkVerifier } from '../proofs/plonk/verify.js';

/** How the proofs of a proof system are verified. */
interface VerifierOf {
  curveOf(verificationKey: unknown): CurveId;
  /** `allowUnfinished` is for proof systems with a second phase of the set-up. */
  create(arithmetic: PairingArithmetic, verificationKey: unknown, allowUnfinished: boolean): Promise<CheckedKey>;
}

/** A verification key whose points have been checked. */
interface CheckedKey {
  verify(arithmetic: PairingArithmetic, publicSignals: unknown, proof: unknown): Promise<boolean>;
}

const VERIFIERS: Readonly<Record<Protocol, VerifierOf>> = {
  groth16: { curveOf: curveOfVerificationKey, create: Verifier.create },
  plonk: { curveOf: curveOfPlonkVerificationKey, create: PlonkVerifier.create },
  fflonk: { curveOf: curveOfFflonkVerificationKey, create: FflonkVerifier.create },
};

/** How a verification key's proofs are verified. Groth16's way reports what is wrong with other JSON. */
export function verifierOf(verificationKey: unknown): VerifierOf {
  return VERIFIERS[protocolOf(verificationKey) ?? 'groth16'];
}

/** No proof holds with a point that cannot be one; the SDK has an error for coordinates that are not below p. */
export function falseForPoint(error: unknown): false {
  if (error instanceof PippinError && error.code === 'INVALID_POINT') return false;
  throw error;
}
