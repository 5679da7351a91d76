import { describe, expect, it } from 'vitest';
import { wipe } from '../../sdk/base/free-memory.js';

describe('wipe', () => {
  it('fills arrays with zeros, and only the part of a buffer that they view', () => {
    const bytes = Uint8Array.of(1, 2, 3, 4);
    wipe(bytes.subarray(1, 3), new Uint8Array());
    expect([...bytes]).toEqual([1, 0, 0, 4]);
  });

  it('leaves those alone that were moved', () => {
    const bytes = Uint8Array.of(1, 2);
    const moved = structuredClone(bytes, { transfer: [bytes.buffer] });
    wipe(bytes, moved);
    expect([...moved]).toEqual([0, 0]);
  });
});
