import type { FallibleExecutor } from '../../recovery/attempt.js';
import type { RevocableBackend, SumBackend } from '../backend.js';

/** One of several backends that share a sum: each sums a range of the points. */
export interface SplitMember {
  /** How messages name it. */
  readonly name: string;
  readonly backend: RevocableBackend;
  /** Its GPU; undefined for a worker, which is trusted. */
  readonly executor?: FallibleExecutor | undefined;
  /** Points a millisecond, as far as that is known before the first sum. Only the ratios between the members count. */
  readonly rate: number;
  /** Whether scalars on a device are on the device of this member. */
  readonly takesDeviceScalars: boolean;
}

/** A backend that is always there, as the workers are. */
export function alwaysThere({ capabilities, load, multiplyBatch }: SumBackend): RevocableBackend {
  return { capabilities, load, multiplyBatch, isAvailable: true, isReady: true };
}
