import { Verifier } from '../../sdk/proofs/groth16/verify.js';
import type { PairingArithmetic } from '../../sdk/proofs/pairings.js';

/** Verifies a Groth16 proof with a key that is used once. */
export async function verifyProof(
  arithmetic: PairingArithmetic,
  verificationKey: unknown,
  publicSignals: unknown,
  proof: unknown,
  allowUnfinished = false,
): Promise<boolean> {
  const verifier = await Verifier.create(arithmetic, verificationKey, allowUnfinished);
  return verifier.verify(arithmetic, publicSignals, proof);
}
