import { expect } from 'vitest';

type Nested = bigint | number | boolean | readonly Nested[];

/**
 * The same as `expect(got, message).toEqual(expected)`, for loops over many values: making an assertion takes longer
 * than a kernel's product, so it is made only where it fails.
 */
export function expectSame<Value extends Nested>(got: Value, expected: NoInfer<Value>, message?: string): void {
  if (!isSame(got, expected)) expect(got, message).toEqual(expected);
}

function isSame(a: Nested, b: Nested): boolean {
  if (typeof a !== 'object' || typeof b !== 'object') return Object.is(a, b);
  return a.length === b.length && a.every((value, i) => isSame(value, b[i]!));
}

/** Likewise `expect(got).toBeLessThanOrEqual(most)`. */
export function expectAtMost(got: number, most: number): void {
  if (!(got <= most)) expect(got).toBeLessThanOrEqual(most);
}
