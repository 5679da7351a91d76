import { describe, expect, it } from 'vitest';
import { power } from '../../sdk/curves/modular.js';
import { cosetOf, oddCoset, rootOfDomain } from '../../sdk/polynomials/domain.js';
import { rootOfUnity } from '../support/ntt-reference.js';
import { CURVES_WITH_TRANSFORMS } from '../support/registry.js';

describe.each(CURVES_WITH_TRANSFORMS)('domains over the scalars of $id', ({ id, fr }) => {
  const p = fr.modulus;

  it('have the roots of the reference, each the square of the next', () => {
    for (const k of [0, 1, 2, 10, fr.twoAdicity]) {
      const root = rootOfDomain(id, 2 ** k);
      expect(root).toBe(rootOfUnity(fr, k));
      expect(power(root, 2n ** BigInt(k), p)).toBe(1n);
      if (k > 0) expect(power(root, 2n ** BigInt(k - 1), p)).toBe(p - 1n);
    }
  });

  it('take a shift modulo r, and refuse 0 and sizes that are none', () => {
    expect(cosetOf(id, 1)).toEqual({ size: 1, shift: 1n });
    expect(cosetOf(id, 2 ** fr.twoAdicity, p + 3n).shift).toBe(3n);
    for (const size of [0, 3, 2 ** (fr.twoAdicity + 1), 1.5, Number.NaN]) {
      expect(() => cosetOf(id, size)).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
    }
    expect(() => cosetOf(id, 2, p)).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
    expect(() => oddCoset(id, 2 ** fr.twoAdicity)).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
  });

  it('have odd cosets on which X^n is -1', () => {
    for (const n of [1, 2, 8]) {
      expect(power(oddCoset(id, n).shift, BigInt(n), p)).toBe(p - 1n);
    }
  });
});
