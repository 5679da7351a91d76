import type {
  FflonkKey,
  FflonkProof,
  FflonkProofJson,
  FflonkProveResult,
  FflonkVerificationKey,
  FflonkVerificationKeyJson,
} from './fflonk.js';
import type { Groth16Key, KeyLoadOptions } from './keys.js';
import type {
  PlonkKey,
  PlonkProof,
  PlonkProofJson,
  PlonkProveResult,
  PlonkVerificationKey,
  PlonkVerificationKeyJson,
} from './plonk.js';
import type { ProveResult } from './proofs.js';
import type {
  Groth16Proof,
  Groth16ProofJson,
  Groth16VerificationKey,
  Groth16VerificationKeyJson,
} from './snarkjs-json.js';

/** A proof of any proof system; its `protocol` tells which. */
export type Proof = Groth16Proof | PlonkProof | FflonkProof;

/** A proof of any proof system as it is read from JSON; a `Proof` is one. */
export type ProofJson = Groth16ProofJson | PlonkProofJson | FflonkProofJson;

/** A verification key of any proof system; its `protocol` tells which. */
export type VerificationKey = Groth16VerificationKey | PlonkVerificationKey | FflonkVerificationKey;

/** A verification key of any proof system as it is read from JSON; a `VerificationKey` is one. */
export type VerificationKeyJson = Groth16VerificationKeyJson | PlonkVerificationKeyJson | FflonkVerificationKeyJson;

/** What `prove` and `fullProve` of any proof system give; the proof's `protocol` tells which. */
export type AnyProveResult = ProveResult | PlonkProveResult | FflonkProveResult;

/** What `prove` and `fullProve` give for a type of key: for a `ProvingKey`, what any proof system gives. */
export type ProveResultOf<Key extends ProvingKey> = Extract<
  AnyProveResult,
  { readonly proof: { readonly protocol: Key['protocol'] } }
>;

/** A loaded proving key of any proof system; its `protocol` tells which. */
export type ProvingKey = Groth16Key | PlonkKey | FflonkKey;

/** Options of loading a proving key whose proof system its file names. */
export interface ProvingKeyLoadOptions extends Omit<KeyLoadOptions, 'verificationKey'> {
  /**
   * The verification key that the caller trusts, in snarkjs' form. The proving key must belong to it (`KEY_MISMATCH`).
   *
   * @defaultValue the proving key's own
   */
  readonly verificationKey?: VerificationKeyJson;
}
