import { PippinError } from '../../../base/errors.js';

/** How many of `each` bytes there are; `INVALID_LENGTH`, naming `what` they are, unless that is a whole number. */
export function countOf(bytes: Uint8Array, each: number, what: string): number {
  if (bytes.length % each !== 0) {
    throw new PippinError('INVALID_LENGTH', `expected ${what} of ${each} bytes each, got ${bytes.length} bytes`);
  }
  return bytes.length / each;
}
