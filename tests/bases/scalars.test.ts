import { describe, expect, it } from 'vitest';
import { bigintToBytes, joinBytes } from '../../sdk/base/bytes.js';
import { ScalarCheck } from '../../sdk/bases/scalar-bits.js';
import { checkScalarsEvenly, pickScalars } from '../../sdk/bases/scalars.js';
import { edgeValues, Random } from '../support/random.js';
import { ALL_CURVES } from '../support/registry.js';

describe.each(ALL_CURVES)('ScalarCheck on $id', ({ id, fr, scalarBytes }) => {
  const checkOf = (scalars: readonly bigint[], bitSize?: number) =>
    new ScalarCheck(id, joinBytes(scalars.map((k) => bigintToBytes(k, scalarBytes))), scalars.length, bitSize);
  const check = (scalars: readonly bigint[], bitSize?: number) => {
    const all = checkOf(scalars, bitSize);
    all.upTo();
    return all.bits;
  };

  it('gives the bits of the largest scalar, at least 1', () => {
    expect([check([]), check([0n]), check([1n]), check([0n, 0n])]).toEqual([1, 1, 1, 1]);
    for (const bits of [2, 31, 32, 33, 63, 64, 65, 128, fr.bits - 2]) {
      const power = 1n << BigInt(bits - 1);
      expect([check([power]), check([power, 1n, 0n]), check([0n, 2n * power - 1n])]).toEqual([bits, bits, bits]);
      expect(check([5n, power, power + 1n, 2n])).toBe(Math.max(bits, 3));
    }
  });

  it('counts scalars above half the order as negative numbers', () => {
    const r = fr.modulus;
    expect([check([r - 1n]), check([1n, r - 1n]), check([5n, r - 5n])]).toEqual([1, 1, 3]);
    for (const bits of [2, 31, 32, 33, 64, 128, fr.bits - 2]) {
      const power = 1n << BigInt(bits - 1);
      expect([check([r - power]), check([r - 1n, r - 2n * power + 1n, 1n])]).toEqual([bits, bits]);
    }
    for (const half of [(r - 1n) / 2n, (r + 1n) / 2n]) expect(check([half, 0n])).toBe(fr.bits - 1);
    expect(() => check([r - 1n], fr.bits - 1)).toThrow('expected scalar 0 to have at most');
  });

  it('refuses scalars that are not below r, or have too many bits, by their number', () => {
    expect(() => check([1n, fr.modulus])).toThrow('expected scalar 1 to be below the order');
    expect(() => check([0n, (1n << BigInt(8 * scalarBytes)) - 1n])).toThrow('expected scalar 1');
    expect(check([255n, 128n], 8)).toBe(8);
    expect(() => check([255n, 256n, 512n], 8)).toThrow('expected scalar 1 to have at most 8 bits, got one with more');
    expect(() => check([fr.modulus - 1n], 64)).toThrow('expected scalar 0 to have at most 64 bits');
  });

  it('refuses the same without finding the bits', () => {
    const evenly = (scalars: readonly bigint[], bitSize?: number) => () =>
      checkScalarsEvenly(id, joinBytes(scalars.map((k) => bigintToBytes(k, scalarBytes))), scalars.length, bitSize);
    const r = fr.modulus;
    for (const scalars of [[], [0n], [r - 1n, 0n], edgeValues(r)]) expect(evenly(scalars)).not.toThrow();
    for (const beyond of [r, r + 1n, r + (1n << 64n), (1n << BigInt(8 * scalarBytes)) - 1n]) {
      expect(evenly([r - 1n, beyond, 0n])).toThrow('expected scalar 1 to be below the order');
    }
    for (const bits of [1, 8, 31, 32, 33, 64, fr.bits - 1]) {
      const power = 1n << BigInt(bits);
      expect(evenly([power - 1n, 0n], bits)).not.toThrow();
      expect(evenly([0n, power, power - 1n], bits)).toThrow(`expected scalar 1 to have at most ${bits} bits`);
    }
    expect(evenly([r - 1n], fr.bits)).not.toThrow();
    expect(() => checkScalarsEvenly(id, new Uint8Array(63), 2)).toThrow('expected 2 scalars');
  });

  it('refuses the wrong number of bytes', () => {
    const message = `expected 2 scalars of ${scalarBytes} bytes (${2 * scalarBytes}), got 63 bytes`;
    expect(() => new ScalarCheck(id, new Uint8Array(63), 2)).toThrow(message);
  });

  it('checks in pieces what it checks at once, each scalar when it is asked for', () => {
    const r = fr.modulus;
    const half = (r - 1n) / 2n;
    const random = new Random(11);
    for (const wrong of [r, r + 1n, (1n << BigInt(8 * scalarBytes)) - 1n]) {
      for (const first of [1n, half]) {
        for (const at of [1, 2, 5, 6]) {
          const scalars = [first, ...Array.from({ length: 5 }, () => random.below(r))];
          scalars.splice(at, 0, wrong);
          const pieces = checkOf(scalars);
          for (let end = 0; end <= at; end++) expect(() => pieces.upTo(end)).not.toThrow();
          for (let i = 0; i < 2; i++)
            expect(() => pieces.upTo()).toThrow(`expected scalar ${at} to be below the order`);
        }
      }
    }
    const some = checkOf([1n, 5n, half, 2n, r - 1n], fr.bits);
    const seen = [0, 1, 2, 3, 5, 4].map((end) => {
      some.upTo(end);
      return [some.bits, some.isFullLength];
    });
    const full = [fr.bits - 1, true];
    expect(seen).toEqual([[1, false], [1, false], [3, false], full, full, full]);
    const short = checkOf([half, 255n, 256n], 8);
    expect(() => short.upTo()).toThrow('expected scalar 0 to have at most 8 bits');
  });
});

describe.each([32, 96])('pickScalars of %i bytes', (scalarBytes) => {
  const random = new Random(3);
  /** Nine scalars, and some bytes around them. */
  const around = Uint8Array.from({ length: 9 * scalarBytes + 5 }, () => random.integer(256));

  it.each([0, 1, 2, 3, 4])('gives the scalars at the indices, from memory that begins at byte %i', (offset) => {
    const scalars = around.subarray(offset, offset + 9 * scalarBytes);
    for (const indices of [[], [0], [8], [0, 1, 2, 3, 4, 5, 6, 7, 8], [1, 3, 8], [5, 5, 0, 5]]) {
      const expected = indices.flatMap((i) => [...scalars.subarray(i * scalarBytes, (i + 1) * scalarBytes)]);
      const picked = pickScalars(scalars, new Uint32Array(indices), scalarBytes);
      expect(picked).toEqual(new Uint8Array(expected));
      expect(picked.buffer).not.toBe(scalars.buffer);
    }
  });
});
