import { loadPart } from '../base/load-part.js';
import { groth16 } from './groth16/index.js';
import type { Protocol } from './parts.js';
import type { ProofSystem } from './proof-system.js';

/** The proof systems by their protocols. All but Groth16 are downloaded with their first key or verification. */
const PROOF_SYSTEMS: Readonly<Record<Protocol, () => Promise<ProofSystem>>> = {
  groth16: async () => groth16,
  plonk: async () => (await loadPart('PLONK', () => import('./plonk/index.js'))).plonk,
  fflonk: async () => (await loadPart('FFLONK', () => import('./fflonk/index.js'))).fflonk,
};

/** The proof system of most keys, which needs no download. */
export const USUAL_SYSTEM: ProofSystem = groth16;

/** The proof system of a protocol. `IO_FAILED` if its script cannot be loaded. */
export function proofSystem(protocol: Protocol): Promise<ProofSystem> {
  return PROOF_SYSTEMS[protocol]();
}
