import { loadPart } from '../../base/load-part.js';

/** What proofs of constant work take besides, which few callers ask for. `IO_FAILED` if the script cannot be loaded. */
export function loadConstantWork(): Promise<typeof import('./masked-key.js')> {
  return loadPart('constant work', () => import('./masked-key.js'));
}
