import type { RevocableBackend } from '../bases/backend.js';
import { isBackendFault } from './fault.js';

export interface TrustOptions {
  /** Told why the backend is not to be used any more. */
  readonly distrust: (reason: string) => void;
  /** Whether only a wrong result is such a reason, and no other failure. */
  readonly onlyWrongResults: boolean;
}

/**
 * Calls `distrust` when a multiplication of the backend fails or gives a wrong result, but not when memory runs out, nor for a wrong result that
 * may come of the bases.
 */
export function trusted(backend: RevocableBackend, { distrust, onlyWrongResults }: TrustOptions): RevocableBackend {
  const isReason = (error: unknown, suspectsBases: boolean): error is Error => {
    if (!isBackendFault(error) || (suspectsBases && error.code === 'RESULT_INVALID')) return false;
    return error.code === 'RESULT_INVALID' || (!onlyWrongResults && error.code !== 'OUT_OF_MEMORY');
  };
  return {
    capabilities: backend.capabilities,
    get isAvailable() {
      return backend.isAvailable;
    },
    get isReady() {
      return backend.isReady;
    },
    load: (bases, range, options) => backend.load(bases, range, options),
    async multiplyBatch(bases, scalars, batch, options) {
      try {
        return await backend.multiplyBatch(bases, scalars, batch, options);
      } catch (error) {
        if (isReason(error, options?.suspectsBases === true)) distrust(error.message);
        throw error;
      }
    },
  };
}
