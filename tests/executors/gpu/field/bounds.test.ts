import { describe, expect, it } from 'vitest';
import { generateWgslByteField } from '../../../../scripts/generate/wgsl/byte-field.js';
import { generateWgslExtensionByteField } from '../../../../scripts/generate/wgsl/extension-byte-field.js';
import { generateWgslExtensionField } from '../../../../scripts/generate/wgsl/extension-field.js';
import { generateWgslField } from '../../../../scripts/generate/wgsl/field.js';
import type { WgslCurve } from '../../../../scripts/generate/wgsl/wgsl-curve.js';

/** A curve over a field for which a generator's bounds do not hold; the modulus need not be a prime. */
function curveOf(modulus: bigint, changes: Partial<WgslCurve> = {}): WgslCurve {
  const bits = modulus.toString(2).length;
  return { id: 'bn254', wgslLimbsPerTurn: 1, fq: { modulus, bits }, g1: { a: 0n }, ...changes };
}

const EDWARDS = { id: 'edwards-bls12', edwards: true } as const;
const IMAGINARY = { nonResidue: -1n };

describe('the generators of WGSL fields', () => {
  it('refuse limbs without room for lazy sums', () => {
    // 413 + 3 bits are 32 limbs of 13.
    expect(() => generateWgslField(curveOf(2n ** 413n - 93n))).toThrow(
      'field_of_413: expected that R = 2^416 is more than 84 p',
    );
    expect(() => generateWgslField(curveOf(2n ** 413n - 93n, EDWARDS))).toThrow('R = 2^416 is more than 64 p');
  });

  it('refuse a number of limbs that is no whole number of turns', () => {
    expect(() => generateWgslField(curveOf(2n ** 253n - 1n, { wgslLimbsPerTurn: 3 }))).toThrow(
      'field_of_253: expected that 20 limbs are whole turns of 3',
    );
  });

  it('refuse columns that do not fit 32 bits', () => {
    // 409 bits are 32 limbs of 13 bits, 417 are 38 of 12, and 1537 are 131.
    for (const bits of [409n, 417n]) expect(() => generateWgslField(curveOf(2n ** bits - 1n))).not.toThrow();
    expect(() => generateWgslField(curveOf(2n ** 1537n - 1n))).toThrow(
      'field_of_1537: expected that a column of 131 * 2 products and a carry fits 32 bits',
    );
  });

  it('refuse an extension of a field whose limbs do not suit it', () => {
    const generate = (modulus: bigint) => generateWgslExtensionField(curveOf(modulus, { g2: IMAGINARY }));
    expect(() => generate(2n ** 413n - 93n)).toThrow('field_of_413: expected that R = 2^416 is more than 12 p');
    // 268 bits are 9 words, and so 23 limbs.
    expect(() => generate(2n ** 268n - 1n)).toThrow('23 limbs are whole pairs');
    expect(() => generate(2n ** 255n - 19n)).toThrow('an estimate errs by less than a unit of the head');
    // The highest limb begins at bit 247: the head takes a bit of the one below.
    expect(generate(2n ** 249n - 1n)[0]!.text).toContain('i32((a.v[19] << 1u) | (a.v[18] >> 12u))');
    expect(generate(2n ** 253n - 1n)[0]!.text).toContain('let highest = i32(a.v[19])');
    expect(generateWgslExtensionField(curveOf(2n ** 253n - 1n))).toEqual([]);
    // 252 bits: 20 limbs, so 2^260, and 8 words; 316 bits: 25 limbs, so 2^325, and 10 words.
    const withBoth = (modulus: bigint) => curveOf(modulus, { g2: IMAGINARY, ...EDWARDS });
    expect(generateWgslExtensionByteField(withBoth(2n ** 252n - 1n))[0]!.text).toContain('BUFFER_FACTOR_ROOT = 4i');
    expect(() => generateWgslExtensionByteField(withBoth(2n ** 316n - 1n))).toThrow(
      'expected that 32, the factor of what',
    );
    expect(generateWgslExtensionByteField(curveOf(2n ** 253n - 1n))).toEqual([]);
  });

  it('refuse words without room above p', () => {
    expect(() => generateWgslByteField(curveOf(2n ** 255n - 19n))).toThrow(
      'field_of_255: expected that R = 2^256 is more than 5.2 p',
    );
    expect(() => generateWgslByteField(curveOf(2n ** 253n - 1n, EDWARDS))).toThrow('R = 2^256 is more than 10 p');
  });

  it('refuse a factor of what lies in buffers that is too large or no square', () => {
    // 316 bits: 25 limbs, so 2^325, and 10 words, so 2^320.
    expect(() => generateWgslByteField(curveOf(2n ** 316n - 1n))).toThrow('expected that 32, the factor of what');
    // 412 bits: 32 limbs, so 2^416, and 13 words, so 2^416; with 12 bits, 753 bits are 64 limbs, so 2^768, and 24 words.
    expect(() => generateWgslByteField(curveOf(2n ** 753n - 1n))).not.toThrow();
    expect(() => generateWgslByteField(curveOf(2n ** 412n - 1n))).not.toThrow();
  });

  it('refuse sums whose multiple of p cannot be estimated by floats', () => {
    // R is 2^8 p, and 64 times that is more than floats tell apart well enough.
    expect(() => generateWgslByteField(curveOf(2n ** 376n - 1n))).toThrow(
      'a sum of 67 operands is estimated within 2^-12 p',
    );
    expect(() => generateWgslByteField(curveOf(2n ** 376n - 1n, EDWARDS))).not.toThrow();
  });

  it('refuse columns of bytes that do not fit 32 bits beside one another', () => {
    expect(() => generateWgslByteField(curveOf(2n ** 989n - 1n))).not.toThrow('a column of');
    expect(() => generateWgslByteField(curveOf(2n ** 1021n - 1n))).toThrow('a column of 2 * 4 * 32 products of bytes');
  });
});
