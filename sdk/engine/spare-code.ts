import type { CurveId } from '../curves/index.js';
import { loadWorkersMsm } from '../executors/workers/pool/workers-msm.js';
import type { Backends } from './backends.js';

/**
 * Fetches in the background what calls use only when something fails or is asked for: `parts` of them, and what the workers need to compute. From
 * then on they need no network, and pages wait for none of it before their first result. What cannot be fetched now is fetched when it is needed.
 */
export function fetchSpareCode(backends: Backends, curve: CurveId, parts: readonly (() => Promise<unknown>)[]): void {
  // A browser may keep an import that has failed as such.
  if (globalThis.navigator?.onLine === false) return;
  const all = [loadWorkersMsm, ...parts, () => backends.openScalars(curve)];
  for (const load of all) load().catch(() => undefined);
}
