import { expect } from 'vitest';

/**
 * This file runs before every test file: byte arrays are compared as such. The general comparison goes through their
 * members by name, which takes longer than most kernels for what they compute.
 */
expect.addEqualityTesters([(a, b) => (isBytes(a) && isBytes(b) ? Buffer.compare(a, b) === 0 : undefined)]);

/** Not an object of a class made from it, which may have further members. */
function isBytes(value: unknown): value is Uint8Array {
  return value instanceof Uint8Array && value.constructor === Uint8Array;
}
