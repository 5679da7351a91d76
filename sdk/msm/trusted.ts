import type { RevocableBackend } from './backend.js';
import { isBackendFault } from './fault.js';

/** Calls `distrust` when a multiplication of the backend fails or gives a wrong result, but not when memory runs out. */
export function trusted(backend: RevocableBackend, distrust: (reason: string) => void): RevocableBackend {
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
        if (isBackendFault(error) && error.code !== 'OUT_OF_MEMORY') distrust(error.message);
        throw error;
      }
    },
  };
}
