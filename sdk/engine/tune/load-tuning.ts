import { loadPart } from '../../base/load-part.js';

/** What measures a device and reads what was measured; few provers do either. `IO_FAILED` if the script cannot be loaded. */
export function loadTuning(): Promise<typeof import('./tune.js')> {
  return loadPart('performance maps', () => import('./tune.js'));
}
