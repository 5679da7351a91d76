import { CURVES, type CurveId } from '../curves/index.js';
import { bytesToBigint } from './bytes.js';

/** A uniform scalar below the curve's r, from the platform's random generator: as many random bits as r has, drawn until they are below r. */
export function randomScalar(curve: CurveId): bigint {
  const { scalarBytes, fr } = CURVES[curve];
  const { modulus, bits } = fr;
  const unused = BigInt(8 * scalarBytes - bits);
  for (;;) {
    const value = bytesToBigint(crypto.getRandomValues(new Uint8Array(scalarBytes))) >> unused;
    if (value < modulus) return value;
  }
}
