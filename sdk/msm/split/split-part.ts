import type { RevocableBackend, SumBackend } from '../backend.js';

/** One of several backends that share a sum: each sums a range of the points. */
export interface SplitPart {
  /** How messages name it. */
  readonly name: string;
  readonly backend: RevocableBackend;
  /** Points a millisecond, as far as that is known before the first sum. Only the ratios between the parts count. */
  readonly rate: number;
  /** Whether scalars on a device are on the device of this part. */
  readonly takesDeviceScalars: boolean;
}

/** A backend that is always there, such as the workers. */
export function steady(backend: SumBackend): RevocableBackend {
  return { ...backend, isAvailable: true, isReady: true };
}
