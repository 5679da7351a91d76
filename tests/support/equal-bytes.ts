import { expect } from 'vitest';

/**
 * This file runs before every test file: byte arrays are compared as such, and so are equal lists of integers. The
 * general comparison goes through their members by name, which takes longer than most kernels for what they compute.
 */
expect.addEqualityTesters([
  (a, b) => (isBytes(a) && isBytes(b) ? Buffer.compare(a, b) === 0 : undefined),
  (a, b) => (areSameIntegers(a, b) ? true : undefined),
]);

/** Lists that differ are left to the general comparison, which says where. */
function areSameIntegers(a: unknown, b: unknown): boolean {
  if (!Array.isArray(a) || !Array.isArray(b) || typeof a[0] !== 'bigint' || a.length !== b.length) return false;
  return a.every((value, i) => typeof value === 'bigint' && value === b[i]);
}

/** Not an object of a class made from it, which may have further members. */
function isBytes(value: unknown): value is Uint8Array {
  return value instanceof Uint8Array && value.constructor === Uint8Array;
}
