import { randomBytes } from '../curves/random.js';

/** Bytes of the key of SipHash. */
const KEY_BYTES = 16;

/** A new secret key, from which masks of points or scalars follow by their numbers (SipHash-2-4). */
export function newMaskKey(): Uint8Array<ArrayBuffer> {
  return randomBytes(KEY_BYTES);
}
