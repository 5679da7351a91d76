export type { KeyState, UseKeyOptions } from './hosts/react/use-key.js';
export { useKey } from './hosts/react/use-key.js';
export type { ProofState, ProofWork } from './hosts/react/use-proof.js';
export { useProof } from './hosts/react/use-proof.js';
export type { ProverState } from './hosts/react/use-prover.js';
export { useProver } from './hosts/react/use-prover.js';
