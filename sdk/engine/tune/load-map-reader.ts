import { loadPart } from '../../base/load-part.js';

/** What reads performance maps, which few provers have. `IO_FAILED` if the script cannot be loaded. */
export function loadMapReader(): Promise<typeof import('./read-map.js')> {
  return loadPart('performance maps', () => import('./read-map.js'));
}
