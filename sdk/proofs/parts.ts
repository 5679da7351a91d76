import type { GROTH16_PARTS } from './groth16/parts.js';
import type { FFLONK_PARTS, PLONK_PARTS } from './universal/parts.js';

/**
 * The names of the parts of each proof system's proofs, by protocol. These are types, so that code which reports parts
 * does not import the proof systems themselves (see `registry.ts`).
 */
export interface ProofParts {
  readonly groth16: typeof GROTH16_PARTS;
  readonly plonk: typeof PLONK_PARTS;
  readonly fflonk: typeof FFLONK_PARTS;
}

/** The proof systems, by the names that snarkjs gives their protocols. JSON that names none is of the first. */
export const PROTOCOLS = ['groth16', 'plonk', 'fflonk'] as const satisfies readonly (keyof ProofParts)[];

export type Protocol = keyof ProofParts;

/** Whether the set-up of a proof system has a second phase, with contributions to each key. */
export function hasSecondPhase(protocol: Protocol): boolean {
  return protocol === 'groth16';
}

/** An MSM of a proof, by the name that its proof system gives it. */
export type ProofPart = ProofParts[Protocol][number];
