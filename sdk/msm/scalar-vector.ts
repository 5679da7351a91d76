import { PippinError } from '../errors.js';

/** Scalars in this thread's memory: 32 bytes each, canonical (below r), little-endian. */
export interface HostScalars {
  readonly kind: 'host';
  readonly bytes: Uint8Array;
}

/** Scalars in the memory of a device, where the backend that works on it takes them. No other backend can. */
export interface DeviceScalars {
  readonly kind: 'device';
  readonly count: number;
  /** Wipes and frees them, after the multiplications that were asked for before. Calling it twice does no harm. */
  release(): void;
}

/** The scalars of a multiplication, or of several one after another. */
export type ScalarVector = HostScalars | DeviceScalars;

export function hostScalars(bytes: Uint8Array): HostScalars {
  return { kind: 'host', bytes };
}

/** The bytes of scalars that must be in this thread's memory. */
export function bytesOfScalars(scalars: ScalarVector): Uint8Array {
  if (scalars.kind === 'host') return scalars.bytes;
  throw new PippinError('INTERNAL', `expected scalars in the host's memory, got ${scalars.count} on a device`);
}
