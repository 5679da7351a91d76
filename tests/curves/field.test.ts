import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bigintToBytes, bytesToBigint, writeBigint } from '../../sdk/base/bytes.js';
import { G2_GENERATORS } from '../../sdk/curves/g2-generators.js';
import { bls12377, bn254 } from '../../sdk/curves/index.js';
import {
  fromLimbs,
  packedMontgomeryBits,
  packedWords,
  toLimbs,
  WASM_LIMB_BITS,
  wasmLimbs,
  wgslLimbBits,
  wgslLimbs,
} from '../../sdk/curves/limbs.js';
import { inverse, mod, power } from '../../sdk/curves/modular.js';
import { decodePoint, encodePoint } from '../../sdk/curves/point-bytes.js';
import { edgeValues } from '../support/random.js';

const moduli = [bn254.fq.modulus, bn254.fr.modulus, bls12377.fq.modulus, bls12377.fr.modulus];

describe('bytes', () => {
  it('writes little-endian and reads back', () => {
    expect([...bigintToBytes(0x0102030405n, 6)]).toEqual([5, 4, 3, 2, 1, 0]);
    expect(bytesToBigint(Uint8Array.of(9, 5, 4, 3, 2, 1, 0), 1)).toBe(0x0102030405n);
    fc.assert(
      fc.property(fc.bigInt(0n, (1n << 384n) - 1n), (value) => {
        expect(bytesToBigint(bigintToBytes(value, 48))).toBe(value);
      }),
    );
  });

  it('writes within its stretch alone', () => {
    const bytes = new Uint8Array(5).fill(7);
    writeBigint(bytes, 1, 3, 0xffffffn);
    expect([...bytes]).toEqual([7, 255, 255, 255, 7]);
  });
});

describe('limbs', () => {
  it('cuts the fields as the kernels expect', () => {
    expect([254, 253, 377].map(wasmLimbs)).toEqual([9, 9, 14]);
    expect([254, 253, 377, 753].map(wgslLimbs)).toEqual([20, 20, 30, 64]);
    expect([254, 253, 377, 753].map(wgslLimbBits)).toEqual([13, 13, 13, 12]);
    expect([254, 253, 377, 753].map(packedMontgomeryBits)).toEqual([260, 260, 390, 768]);
    expect([254, 253, 377, 753].map(packedWords)).toEqual([8, 8, 12, 24]);
  });

  it('joins what it cut, at any width', () => {
    for (const modulus of moduli) {
      for (const value of edgeValues(modulus)) {
        for (const bits of [12, 13, WASM_LIMB_BITS, 32]) {
          const limbs = toLimbs(value, Math.ceil(384 / bits), bits);
          expect(limbs.every((limb) => limb >= 0 && limb < 2 ** bits)).toBe(true);
          expect(fromLimbs(limbs, bits)).toBe(value);
        }
      }
    }
  });

  it('joins limbs that exceed their width', () => {
    expect(fromLimbs([2 ** 31, 3], 13)).toBe((1n << 31n) + (3n << 13n));
  });
});

describe('modular arithmetic', () => {
  it('brings any integer to 0..m-1', () => {
    expect([-7n, -5n, -1n, 0n, 4n, 5n, 13n].map((a) => mod(a, 5n))).toEqual([3n, 0n, 4n, 0n, 4n, 0n, 3n]);
  });

  it('inverts by Euclid as Fermat does, and gives 0 for 0', () => {
    for (const modulus of moduli) {
      for (const value of edgeValues(modulus).slice(0, 20)) {
        expect(inverse(value, modulus)).toBe(power(value, modulus - 2n, modulus));
        expect(inverse(-value, modulus)).toBe(mod(-inverse(value, modulus), modulus));
      }
      expect(inverse(modulus, modulus)).toBe(0n);
    }
  });

  it('raises to powers', () => {
    expect(power(0n, 0n, 7n)).toBe(1n);
    expect(power(-2n, 3n, 7n)).toBe(6n);
    expect(power(3n, 6n, 7n)).toBe(1n);
  });
});

describe('affine points as bytes', () => {
  it('reads back what it wrote, for each curve and group', () => {
    const [x, y] = bls12377.g1.generator;
    const bytes = encodePoint('bls12-377', 'g1', [x, y]);
    expect(bytes.length).toBe(96);
    expect(decodePoint('bls12-377', 'g1', bytes)).toEqual({ x, y, infinity: false });
    const [x2, y2] = G2_GENERATORS.bn254!;
    const wide = encodePoint('bn254', 'g2', [x2, y2]);
    expect(wide.length).toBe(128);
    expect(bytesToBigint(wide, 32, 32)).toBe(x2[1]);
    expect(decodePoint('bn254', 'g2', wide)).toEqual({ x: x2, y: y2, infinity: false });
  });

  it('writes infinity as zeros', () => {
    expect(encodePoint('bn254', 'g1', undefined)).toEqual(new Uint8Array(64));
    expect(decodePoint('bn254', 'g1', new Uint8Array(64))).toEqual({ x: 0n, y: 0n, infinity: true });
  });
});

describe('points in bytes', () => {
  const bytes = (x: bigint, y: bigint): Uint8Array => encodePoint('edwards-bls12', 'g1', [x, y]);

  it('of an Edwards form are read as they are, and the neutral element in two ways', () => {
    expect(decodePoint('edwards-bls12', 'g1', bytes(3n, 5n))).toEqual({ x: 3n, y: 5n, infinity: false });
    for (const neutral of [bytes(0n, 0n), bytes(0n, 1n)]) {
      expect(decodePoint('edwards-bls12', 'g1', neutral)).toEqual({ x: 0n, y: 1n, infinity: true });
    }
    // Points with x = 0 or y = 1 alone are none of these.
    expect(decodePoint('edwards-bls12', 'g1', bytes(0n, 7n))).toEqual({ x: 0n, y: 7n, infinity: false });
    expect(decodePoint('edwards-bls12', 'g1', bytes(7n, 1n))).toEqual({ x: 7n, y: 1n, infinity: false });
  });
});
