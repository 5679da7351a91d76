import type { RevocableBackend, SumBackend } from '../backend.js';

/** One of several backends that share a sum: each sums a range of the points. */
export interface SplitMember {
  /** How messages name it. */
  readonly name: string;
  readonly backend: RevocableBackend;
  /** Points a millisecond, as far as that is known before the first sum. Only the ratios between the members count. */
  readonly rate: number;
  /** Whether scalars on a device are on the device of this member. */
  readonly takesDeviceScalars: boolean;
}

/** A backend with the answers of these functions; by default it is always there, as the workers are. */
export function revocable(
  backend: SumBackend,
  isAvailable = (): boolean => true,
  isReady: () => boolean = isAvailable,
): RevocableBackend {
  return {
    get capabilities() {
      return backend.capabilities;
    },
    get isAvailable() {
      return isAvailable();
    },
    get isReady() {
      return isReady();
    },
    load: (bases, range, options) => backend.load(bases, range, options),
    multiplyBatch: (bases, scalars, batch, options) => backend.multiplyBatch(bases, scalars, batch, options),
  };
}
