import type { GROTH16_PARTS } from './groth16/parts.js';

/**
 * The names of the parts of each proof system's proofs, by protocol. Types alone, so that whoever tells of parts does not depend on the
 * proof systems themselves; `registry.ts` has these.
 */
export interface ProofParts {
  readonly groth16: typeof GROTH16_PARTS;
}

/** The proof systems, by the names that snarkjs gives their protocols. */
export type Protocol = keyof ProofParts;

/** A multi-scalar multiplication of a proof, by the name that its proof system gives it. */
export type ProofPart = ProofParts[Protocol][number];
