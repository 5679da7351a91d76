import { newBytes } from './bytes.js';

/** The most bytes that one call of getRandomValues gives. */
const MOST_AT_ONCE = 65_536;

/** So many random bytes from the platform's generator, in a buffer of their own (see `newBytes`). */
export function randomBytes(length: number): Uint8Array<ArrayBuffer> {
  const bytes = newBytes(length);
  for (let at = 0; at < length; at += MOST_AT_ONCE) crypto.getRandomValues(bytes.subarray(at, at + MOST_AT_ONCE));
  return bytes;
}
