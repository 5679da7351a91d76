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
  it.each([0, 1, 3, 8])('tells a change of any of %i bytes, and one byte more', (length) => {
    const bytes = Uint8Array.from({ length }, (_, i) => 17 * i);
    expect(equalBytes(bytes, bytes.slice())).toBe(true);
    for (let i = 0; i < length; i++) expect(equalBytes(bytes, bytes.with(i, bytes[i]! ^ 0x80))).toBe(false);
    expect(equalBytes(bytes, new Uint8Array([...bytes, 0]))).toBe(false);
  });
});
