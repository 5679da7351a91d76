import { newBytes } from '../base/bytes.js';
import { PippinError } from '../base/errors.js';
import { wipe } from '../base/free-memory.js';
import { SCALAR_BYTES } from '../curves/index.js';
import { pickScalars } from './scalars.js';

/** Scalars in this thread's memory: the curve's `scalarBytes` each, canonical (below r), little-endian. */
export interface HostScalars {
  readonly kind: 'host';
  readonly bytes: Uint8Array;
  /**
   * Fulfilled when the first `count` bytes can be used, where they arrive or are checked meanwhile; rejects if they are
   * wrong. undefined if all can be used.
   */
  readonly available?: ((count: number) => Promise<void>) | undefined;
}

/** Scalars of a single MSM in this thread's memory, as the workers made them slice by slice. */
export interface ScalarPieces {
  readonly kind: 'pieces';
  /** The scalars one after another, at most `SCALAR_BYTES` each, canonical, little-endian. */
  readonly pieces: readonly Uint8Array[];
  readonly scalarBytes: number;
}

/** Scalars in the memory of a device, where the backend that works on it takes them. No other backend can. */
export interface DeviceScalars {
  readonly kind: 'device';
  readonly count: number;
  /** Wipes and frees them, after the multiplications that were asked for before. Calling it twice does no harm. */
  release(): void;
}

/** Some of the shared scalars: `count` from `first` on or, if given, the ones at `indices`, counted from `first`. */
export interface SharedSlice {
  readonly kind: 'shared';
  readonly whole: SharedScalars;
  readonly first: number;
  readonly indices: Uint32Array | undefined;
  readonly count: number;
}

/** The scalars of one MSM, or of several MSMs one after another. Shared scalars serve a single MSM. */
export type ScalarVector = HostScalars | ScalarPieces | SharedSlice | DeviceScalars;

export function hostScalars(bytes: Uint8Array, available?: HostScalars['available']): HostScalars {
  return available === undefined ? { kind: 'host', bytes } : { kind: 'host', bytes, available };
}

/**
 * Scalars of several computations, such as the witness of a proof, over a curve with transforms. A device gets one copy
 * of them, when it first needs it.
 */
export class SharedScalars {
  private readonly copies = new Map<object, Promise<DeviceScalars>>();
  private released = false;

  /** @param bytes `SCALAR_BYTES` each, canonical (below r), little-endian. Nobody writes into them before `release`. */
  constructor(readonly bytes: Uint8Array) {}

  /** The scalars from number `first` on. */
  slice(first = 0): SharedSlice {
    return { kind: 'shared', whole: this, first, indices: undefined, count: this.bytes.length / SCALAR_BYTES - first };
  }

  /** The copy on a device. `upload` makes it, the first time and after a failure. `DISPOSED` after `release`. */
  on<Copy extends DeviceScalars>(device: object, upload: () => Promise<Copy>): Promise<Copy> {
    if (this.released) throw new PippinError('DISPOSED', 'expected scalars in use, got released ones');
    const known = this.copies.get(device);
    // A device is always asked for its own kind of copy.
    if (known !== undefined) return known as Promise<Copy>;
    const copy = upload();
    copy.catch(() => this.copies.delete(device));
    this.copies.set(device, copy);
    return copy;
  }

  /**
   * Wipes and frees all copies, after the computations that were given one before; later ones get none. Calling it
   * twice does no harm.
   */
  release(): void {
    this.released = true;
    for (const copy of this.copies.values()) {
      copy.then(
        (made) => made.release(),
        () => undefined,
      );
    }
    this.copies.clear();
  }
}

/**
 * The bytes of scalars that must be in this thread's memory. Who asks for them calls `wipeCopy` when they are done
 * with.
 */
export function bytesOfScalars(scalars: ScalarVector): Uint8Array {
  if (scalars.kind === 'host') return scalars.bytes;
  if (scalars.kind === 'shared') {
    const { whole, first, indices, count } = scalars;
    const bytes = whole.bytes.subarray(first * SCALAR_BYTES);
    return indices === undefined ? bytes.subarray(0, count * SCALAR_BYTES) : pickScalars(bytes, indices, SCALAR_BYTES);
  }
  if (scalars.kind === 'pieces') return wholeScalars(scalars);
  throw new PippinError('INTERNAL', `expected scalars in the host's memory, got ${scalars.count} on a device`);
}

/** Scalars of `SCALAR_BYTES` in one array. */
function wholeScalars({ pieces, scalarBytes }: ScalarPieces): Uint8Array {
  const count = pieces.reduce((sum, piece) => sum + piece.length, 0) / scalarBytes;
  const whole = newBytes(count * SCALAR_BYTES);
  let to = 0;
  for (const piece of pieces) {
    for (let at = 0; at < piece.length; at += scalarBytes, to += SCALAR_BYTES) {
      whole.set(piece.subarray(at, at + scalarBytes), to);
    }
  }
  return whole;
}

/** Overwrites bytes that were made from scalars, unless they are a view of these. */
export function wipeCopy(bytes: Uint8Array, scalars: ScalarVector): void {
  if (scalars.kind === 'host' && bytes.buffer === scalars.bytes.buffer) return;
  if (scalars.kind === 'shared' && bytes.buffer === scalars.whole.bytes.buffer) return;
  wipe(bytes);
}
