import { describe, expect, it } from 'vitest';
import { joinBytes } from '../../sdk/field/bytes.js';

describe('joinBytes', () => {
  it('puts arrays one after the other, in a buffer of their own', () => {
    expect(joinBytes([])).toEqual(new Uint8Array(0));
    const all = new Uint8Array([9, 1, 2, 9]);
    const joined = joinBytes([all.subarray(1, 3), new Uint8Array(0), new Uint8Array([3])]);
    expect(joined).toEqual(new Uint8Array([1, 2, 3]));
    expect(joined.buffer.byteLength).toBe(3);
  });
});
