import { loadPart } from '../../base/load-part.js';

/** The code that says why a proof does not hold. */
export function loadBlame(): Promise<typeof import('./blame.js')> {
  return loadPart('proofs that do not hold', () => import('./blame.js'));
}
