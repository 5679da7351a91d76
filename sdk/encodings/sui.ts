import type { Groth16ProofJson, Groth16VerificationKeyJson } from '../api/index.js';
import { PippinError } from '../base/errors.js';
import { arkworksVerificationKey, type EncodedProof, toArkworks } from './arkworks.js';

/** Sui's `public_proof_inputs_from_bytes` refuses more. */
const MOST_SIGNALS = 8;

/**
 * A proof and its public signals as the Move module `sui::groth16` takes them: `proof` for `proof_points_from_bytes`, `publicInputs` for
 * `public_proof_inputs_from_bytes`; over BN254 or BLS12-381. Errors as in `toArkworks`; `INVALID_LENGTH` for more than 8 public signals.
 */
export function toSui(proof: Groth16ProofJson, publicSignals: readonly string[]): EncodedProof {
  if (Array.isArray(publicSignals) && publicSignals.length > MOST_SIGNALS) {
    throw new PippinError(
      'INVALID_LENGTH',
      `expected at most ${MOST_SIGNALS} public signals for Sui, got ${publicSignals.length}`,
      { hint: 'let the circuit hash its public signals to one' },
    );
  }
  return toArkworks(proof, publicSignals);
}

/** A verification key as `sui::groth16::prepare_verifying_key` takes it. Errors as in `toArkworks`. */
export function suiVerificationKey(verificationKey: Groth16VerificationKeyJson): Uint8Array {
  return arkworksVerificationKey(verificationKey);
}
