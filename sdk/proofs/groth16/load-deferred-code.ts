import { loadPart } from '../../base/load-part.js';

/**
 * The code that few proofs need. `IO_FAILED` if its script cannot be loaded.
 *
 * @param what the part of it that is needed, for the message.
 */
export function loadDeferredCode(what: string): Promise<typeof import('./deferred-code.js')> {
  return loadPart(what, () => import('./deferred-code.js'));
}
