import { describe, expect, it } from 'vitest';
import { SCALAR_BYTES } from '../../sdk/curves/index.js';
import { pickScalars } from '../../sdk/msm/scalars.js';
import { Random } from '../support/random.js';

describe('pickScalars', () => {
  const random = new Random(3);
  /** Nine scalars, and some bytes around them. */
  const around = Uint8Array.from({ length: 9 * SCALAR_BYTES + 5 }, () => random.integer(256));

  it.each([0, 1, 2, 3, 4])('gives the scalars at the indices, from memory that begins at byte %i', (offset) => {
    const scalars = around.subarray(offset, offset + 9 * SCALAR_BYTES);
    for (const indices of [[], [0], [8], [0, 1, 2, 3, 4, 5, 6, 7, 8], [1, 3, 8], [5, 5, 0, 5]]) {
      const expected = indices.flatMap((i) => [...scalars.subarray(i * SCALAR_BYTES, (i + 1) * SCALAR_BYTES)]);
      const picked = pickScalars(scalars, new Uint32Array(indices));
      expect(picked).toEqual(new Uint8Array(expected));
      expect(picked.buffer).not.toBe(scalars.buffer);
    }
  });
});
