import { loadPart } from '../../base/load-part.js';

/**
 * The code that few proofs need. `IO_FAILED` if its script cannot be loaded.
 *
 * @param what the part of it that is needed, for the message.
 */
export function loadSpareCode(what: string): Promise<typeof import('./spare-code.js')> {
  return loadPart(what, () => import('./spare-code.js'));
}
