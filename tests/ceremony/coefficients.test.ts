import { describe, expect, it } from 'vitest';
import { bigintToBytes, bytesToBigint, joinBytes } from '../../sdk/base/bytes.js';
import { Coefficients } from '../../sdk/ceremony/setup/coefficients.js';
import { FACTOR } from '../../sdk/executors/workers/kernel/ceremony/linear-combinations.js';
import { viewOf } from '../../sdk/files/snarkjs/section-file.js';
import { edgeValues, Random } from '../support/random.js';
import { CURVES_WITH_PAIRING } from '../support/registry.js';

describe.each(CURVES_WITH_PAIRING)('coefficients over $id', ({ fr: { modulus } }) => {
  const viewAt = (value: bigint): [DataView, number] => [
    viewOf(joinBytes([new Uint8Array(4), bigintToBytes(value, 32)])),
    4,
  ];

  it('have a number each, in the order of their first use, and factors of 1 and -1', () => {
    const random = new Random(4);
    const coefficients = new Coefficients(modulus);
    expect(coefficients.factorOf(coefficients.numberOf(...viewAt(1n)))).toBe(FACTOR.one);
    expect(coefficients.factorOf(coefficients.numberOf(...viewAt(modulus - 1n)))).toBe(FACTOR.minusOne);
    // The small ones have equal words but for one.
    const drawn = Array.from({ length: 1500 }, (_, i) => (i % 2 === 0 ? BigInt(i) << 128n : random.below(modulus)));
    const values = [
      ...new Set([1n, modulus - 1n, ...edgeValues(modulus), ...drawn].map((value) => value % modulus)),
    ].filter((value) => value >= 0n);
    for (let round = 0; round < 2; round++) {
      for (const [number, value] of values.entries()) {
        expect(coefficients.numberOf(...viewAt(value))).toBe(number);
        expect(bytesToBigint(coefficients.bytes(number))).toBe(value);
        if (number > 1) expect(coefficients.factorOf(number)).toBe(FACTOR.scalar);
      }
    }
    const products = coefficients.times(modulus - 3n);
    expect(products.length).toBe(32 * values.length);
    for (const [number, value] of values.entries()) {
      expect(bytesToBigint(products, 32 * number, 32)).toBe((value * (modulus - 3n)) % modulus);
    }
  });

  it('are refused from the modulus on', () => {
    for (const value of [modulus, modulus + 1n, 2n ** 256n - 1n]) {
      expect(() => new Coefficients(modulus).numberOf(...viewAt(value))).toThrow(
        expect.objectContaining({ code: 'MALFORMED_FILE' }),
      );
    }
  });
});
