import { describe, expect, it } from 'vitest';
import { bigintToBytes, bytesToBigint, equalBytes, joinBytes, writeBigint } from '../../sdk/base/bytes.js';

describe('bytes of an integer', () => {
  it.each([0, 1, 3, 4, 5, 8, 31, 32, 33, 96])('are %i bytes, the lowest first', (length) => {
    for (const byte of [0, 1, 0x80, 0xff]) {
      const bytes = Uint8Array.from({ length }, (_, i) => (byte === 1 ? 7 * i + 1 : byte));
      const value = BigInt(`0x0${Buffer.from(bytes).reverse().toString('hex')}`);
      expect(bytesToBigint(bytes)).toBe(value);
      expect(bigintToBytes(value, length)).toEqual(bytes);
    }
  });

  it('may lie within others', () => {
    const bytes = new Uint8Array(10).fill(9);
    writeBigint(bytes, 2, 6, 0x060504030201n);
    expect(bytes).toEqual(Uint8Array.of(9, 9, 1, 2, 3, 4, 5, 6, 9, 9));
    expect(bytesToBigint(bytes, 2, 6)).toBe(0x060504030201n);
    expect(bytesToBigint(bytes, 7)).toBe(0x090906n);
  });
});

describe('joinBytes', () => {
  it('puts arrays one after the other, in a buffer of their own', () => {
    expect(joinBytes([])).toEqual(new Uint8Array(0));
    const all = new Uint8Array([9, 1, 2, 9]);
    const joined = joinBytes([all.subarray(1, 3), new Uint8Array(0), new Uint8Array([3])]);
    expect(joined).toEqual(new Uint8Array([1, 2, 3]));
    expect(joined.buffer.byteLength).toBe(3);
  });
});

describe('equalBytes', () => {
  /** Bytes that begin at any offset of their buffer. */
  const placed = (bytes: Uint8Array, offset: number): Uint8Array => {
    const buffer = new Uint8Array(offset + bytes.length + 3).fill(0xee);
    buffer.set(bytes, offset);
    return buffer.subarray(offset, offset + bytes.length);
  };
  const offsets = [0, 1, 3, 4].flatMap((one) => [0, 2, 4].map((other) => [one, other] as const));

  it.each(offsets)('tells a change of any byte, from offsets %i and %i on', (one, other) => {
    for (const length of [0, 1, 3, 4, 5, 8, 11]) {
      const bytes = Uint8Array.from({ length }, (_, i) => 17 * i);
      expect(equalBytes(placed(bytes, one), placed(bytes, other))).toBe(true);
      for (let i = 0; i < length; i++) {
        expect(equalBytes(placed(bytes, one), placed(bytes.with(i, bytes[i]! ^ 0x80), other))).toBe(false);
      }
      expect(equalBytes(placed(bytes, one), placed(new Uint8Array([...bytes, 0]), other))).toBe(false);
    }
  });
});
