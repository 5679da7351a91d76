import { groth16 } from './groth16/index.js';
import type { Protocol } from './parts.js';
import type { ProofSystem } from './proof-system.js';

/** The proof systems by their protocols. */
export const PROOF_SYSTEMS = { groth16 } satisfies Readonly<Record<Protocol, ProofSystem>>;
