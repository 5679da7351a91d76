import { wipe } from '../../base/free-memory.js';
import type { CurveId } from '../../curves/index.js';
import { randomScalar } from '../../curves/random.js';

/** The blinding of one proof: two scalars below r, in canonical bytes. */
export interface Blinding {
  readonly r: Uint8Array;
  readonly s: Uint8Array;
}

/** A new blinding. It must be used for one proof only, and be overwritten then. */
export function randomBlinding(curve: CurveId): Blinding {
  return { r: randomScalar(curve), s: randomScalar(curve) };
}

export function wipeBlinding({ r, s }: Blinding): void {
  wipe(r, s);
}
