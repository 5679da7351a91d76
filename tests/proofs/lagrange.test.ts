import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CURVES } from '../../sdk/curves/index.js';
import { inverse, mod, power } from '../../sdk/curves/modular.js';
import { KEY_CURVES } from '../../sdk/files/snarkjs/known-curves.js';
import { rootOfDomain } from '../../sdk/polynomials/domain.js';
import { evaluateDomain, inverses } from '../../sdk/proofs/lagrange.js';

describe.each(KEY_CURVES.map(({ id }) => id))('the domain over %s at xi', (id) => {
  const r = CURVES[id].fr.modulus;
  const scalar = fc.bigInt(0n, r - 1n);

  it('has the value of the polynomial that is minus a signal at each of the first elements, and 0 elsewhere', () => {
    fc.assert(
      fc.property(fc.constantFrom(2, 8, 64), fc.array(scalar, { maxLength: 8 }), scalar, (n, given, xi) => {
        fc.pre(power(xi, BigInt(n), r) !== 1n);
        const signals = given.slice(0, n);
        const at = evaluateDomain(id, n, xi, signals)!;
        // Lagrange's interpolation, as the definition has it.
        const w = rootOfDomain(id, n);
        const points = Array.from({ length: n }, (_, i) => power(w, BigInt(i), r));
        const lagrange = (i: number): bigint =>
          points.reduce((product, point, j) => {
            if (j === i) return product;
            return mod(product * (xi - point) * inverse(points[i]! - point, r), r);
          }, 1n);
        expect(at.lagrange1).toBe(lagrange(0));
        expect(at.xiN).toBe(power(xi, BigInt(n), r));
        expect(at.zh).toBe(mod(at.xiN - 1n, r));
        expect(at.publicInput).toBe(
          mod(
            signals.reduce((sum, signal, i) => sum - signal * lagrange(i), 0n),
            r,
          ),
        );
      }),
      { numRuns: 30 },
    );
  });

  it('is undefined at its own elements, where the constraints say nothing', () => {
    const w = rootOfDomain(id, 8);
    for (let i = 0n; i < 8n; i++) expect(evaluateDomain(id, 8, power(w, i, r), [1n, 2n])).toBeUndefined();
    expect(evaluateDomain(id, 8, rootOfDomain(id, 16), [1n, 2n])).toBeDefined();
    expect(evaluateDomain(id, 8, 0n, [])).toMatchObject({ xiN: 0n, zh: r - 1n, publicInput: 0n });
  });

  it('inverts many numbers at once', () => {
    fc.assert(
      fc.property(fc.array(fc.bigInt(1n, r - 1n)), (values) => {
        expect(inverses(values, r)).toEqual(values.map((value) => inverse(value, r)));
      }),
      { numRuns: 20 },
    );
  });
});
