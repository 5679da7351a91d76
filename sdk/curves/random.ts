import { bigintToBytes, newBytes } from '../base/bytes.js';
import { CURVES, type CurveId } from './index.js';

/** The most bytes that one call of getRandomValues gives. */
const MOST_AT_ONCE = 65_536;

/** So many random bytes from the platform's generator, in a fresh buffer (see `newBytes`). */
export function randomBytes(length: number): Uint8Array<ArrayBuffer> {
  const bytes = newBytes(length);
  for (let at = 0; at < length; at += MOST_AT_ONCE) crypto.getRandomValues(bytes.subarray(at, at + MOST_AT_ONCE));
  return bytes;
}

/**
 * A uniform scalar below the curve's r, in canonical bytes, from the platform's random generator: as many random bits
 * as r has, drawn until they are below r. It never becomes a bigint, which could not be overwritten.
 */
export function randomScalar(curve: CurveId): Uint8Array {
  const { scalarBytes, fr } = CURVES[curve];
  const order = bigintToBytes(fr.modulus, scalarBytes);
  const unused = 8 * scalarBytes - fr.bits;
  const scalar = newBytes(scalarBytes);
  do {
    crypto.getRandomValues(scalar);
    scalar[scalarBytes - 1]! >>= unused;
  } while (!isBelow(scalar, order));
  return scalar;
}

/** Whether a little-endian integer is below another one of as many bytes. */
function isBelow(bytes: Uint8Array, bound: Uint8Array): boolean {
  for (let i = bytes.length - 1; i >= 0; i--) if (bytes[i] !== bound[i]) return bytes[i]! < bound[i]!;
  return false;
}
