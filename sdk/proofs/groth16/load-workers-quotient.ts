import { loadPart } from '../../base/load-part.js';

/** The code by which the workers compute the quotient of a proof. */
export function loadWorkersQuotient(): Promise<typeof import('./quotient.js')> {
  return loadPart("the workers' quotient", () => import('./quotient.js'));
}
