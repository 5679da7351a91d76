/**
 * Hooks for React 18 and later. All components of a page share one prover.
 *
 * ```tsx
 * const { prover } = useProver();
 * const { key } = useKey(prover, '/keys/note.zkey');
 * const { status, progress, result, error, fullProve, abort } = useProof(prover, key);
 * ```
 *
 * @module
 */
export type { KeyState, UseKeyOptions } from './hosts/react/use-key.js';
export { useKey } from './hosts/react/use-key.js';
export type { ProofOptions, ProofState, ProofWork } from './hosts/react/use-proof.js';
export { useProof } from './hosts/react/use-proof.js';
export type { ProverState } from './hosts/react/use-prover.js';
export { useProver } from './hosts/react/use-prover.js';
