import { describe, expect, it } from 'vitest';
import { sortByLevel } from '../../../../sdk/executors/gpu/vectors/additions.js';
import { ADDITION_BYTES } from '../../../../sdk/polynomials/polynomials.js';

/** Additions of elements, with the number of the addition in each byte of its factors. */
function additions(...elements: readonly (readonly [number, number])[]): Uint8Array {
  const bytes = new Uint8Array(elements.length * ADDITION_BYTES);
  for (const [i, pair] of elements.entries()) {
    new Uint32Array(bytes.buffer, i * ADDITION_BYTES, 2).set(pair);
    bytes.fill(i, i * ADDITION_BYTES + 8, (i + 1) * ADDITION_BYTES);
  }
  return bytes;
}

describe('sortByLevel', () => {
  it('puts an addition one level above the higher one of its elements, with its factors', () => {
    const { rows, factors, levels } = sortByLevel(additions([2, 0], [2, 3], [4, 0], [0, 1], [6, 1]), 3);
    expect(levels).toEqual([
      { first: 0, end: 2 },
      { first: 2, end: 4 },
      { first: 4, end: 5 },
    ]);
    expect([...new Uint32Array(rows.buffer)]).toEqual([2, 0, 3, 0, 1, 6, 2, 3, 4, 6, 1, 7, 4, 0, 5]);
    expect(factors.filter((_, i) => i % 64 === 0)).toEqual(Uint8Array.from([0, 3, 1, 4, 2]));
  });

  it('takes none, and refuses more levels than a GPU is given', () => {
    expect(sortByLevel(additions(), 1)).toMatchObject({ levels: [] });
    const chain = Array.from({ length: 4097 }, (_, i) => [i, 0] as const);
    expect(sortByLevel(additions(...chain.slice(1)), 2).levels.length).toBe(4096);
    expect(() => sortByLevel(additions(...chain), 1)).toThrow(expect.objectContaining({ code: 'OUT_OF_MEMORY' }));
  });
});
