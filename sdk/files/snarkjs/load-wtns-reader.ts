import { loadPart } from '../../base/load-part.js';

/** The code that reads .wtns files. */
export function loadWtnsReader(): Promise<typeof import('./wtns.js')> {
  return loadPart('.wtns files', () => import('./wtns.js'));
}
