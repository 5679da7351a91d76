import { loadPart } from '../base/load-part.js';

/** The code for points of the cache that gave a wrong result. */
export function loadAlteredPoints(): Promise<typeof import('./altered-points.js')> {
  return loadPart('altered points', () => import('./altered-points.js'));
}
