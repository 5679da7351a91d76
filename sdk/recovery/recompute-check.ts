import { equalBytes } from '../base/bytes.js';
import { PippinError } from '../base/errors.js';
import type { MsmSum, ResidentBases, RevocableBackend, SumBackend } from '../bases/backend.js';
import { ResidentCopy } from '../bases/resident-copy.js';

/** Bases on the backend whose sums are compared, and, from the first comparison on, on the one that is trusted. */
interface ComparedBases extends ResidentBases {
  readonly resident: ResidentBases;
  onTrusted(): Promise<ResidentBases>;
}

/**
 * Compares sums with those of a trusted backend, which computes them at the same time, with the option `check: 'recompute'`. `RESULT_INVALID`
 * when they differ. Other calls go to the backend as they are.
 */
export function recomputed(backend: RevocableBackend, trusted: SumBackend): RevocableBackend {
  return {
    capabilities: backend.capabilities,
    get isAvailable() {
      return backend.isAvailable;
    },
    get isReady() {
      return backend.isReady;
    },

    async load(bases, range, options): Promise<ComparedBases> {
      const resident = await backend.load(bases, range, options);
      const copy = new ResidentCopy<ResidentBases>();
      return {
        count: resident.count,
        resident,
        onTrusted: () => copy.get(() => trusted.load(bases, range)),
        release: () => {
          resident.release();
          copy.release();
        },
      };
    },

    async multiplyBatch(bases, scalars, batch, options = {}) {
      const { resident, onTrusted } = bases as ComparedBases;
      const computing = backend.multiplyBatch(resident, scalars, batch, options);
      if (options.check !== 'recompute') return computing;
      const { signal, windowBits, scalarBits, range, sharedBases } = options;
      const recomputing = onTrusted().then((copy) =>
        trusted.multiplyBatch(copy, scalars, batch, { signal, windowBits, scalarBits, range, sharedBases }),
      );
      const [sums, expected] = await Promise.all([computing, recomputing]);
      if (!areSameSums(sums, expected)) {
        const { executor } = backend.capabilities;
        throw new PippinError(
          'RESULT_INVALID',
          `expected the sums that the workers compute, got others from ${executor}`,
        );
      }
      return sums;
    },
  };
}

/** Whether two lists of sums have the same points. */
function areSameSums(sums: readonly MsmSum[], others: readonly MsmSum[]): boolean {
  return sums.length === others.length && sums.every(({ point }, i) => equalBytes(point, others[i]!.point));
}
