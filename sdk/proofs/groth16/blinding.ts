import type { CurveId } from '../../curves/index.js';
import { randomScalar } from '../../field/random-scalar.js';

/** The blinding of one proof: two scalars below r. */
export interface Blinding {
  readonly r: bigint;
  readonly s: bigint;
}

/** A new blinding. It must be used for one proof only. */
export function randomBlinding(curve: CurveId): Blinding {
  return { r: randomScalar(curve), s: randomScalar(curve) };
}
