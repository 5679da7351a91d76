import { loadWorkersMsm } from '../cpu/pool/workers-msm.js';
import type { CurveId } from '../curves/index.js';
import type { ProofSystem } from '../proofs/proof-system.js';
import { loadWtnsReader } from '../snarkjs/load-wtns-reader.js';
import type { Backends } from './backends.js';

/**
 * Fetches in the background what proofs with a key use only when something fails or is asked for. From then on they need no network, and pages wait for
 * none of it before their first proof. What cannot be fetched now is fetched when it is needed.
 */
export function fetchSpareCode(backends: Backends, system: ProofSystem, curve: CurveId): void {
  const parts = [loadWorkersMsm, loadWtnsReader, ...system.spareCode, () => backends.openScalars(curve)];
  for (const load of parts) load().catch(() => undefined);
}
