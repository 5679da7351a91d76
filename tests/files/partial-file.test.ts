import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memorySource } from '../../sdk/files/byte-source.js';
import {
  bytesOfExtents,
  checkedParts,
  type Extent,
  mergeExtents,
  PartialFile,
  withoutExtents,
} from '../../sdk/files/partial-file.js';

const SIZE = 40;
const extents = fc.array(
  fc.tuple(fc.nat(SIZE), fc.nat(8)).map(([start, length]) => ({ start, end: Math.min(SIZE, start + length) })),
  { maxLength: 8 },
);
const bytesIn = (parts: readonly Extent[]): number[] =>
  Array.from({ length: SIZE }, (_, i) => i).filter((i) => parts.some(({ start, end }) => start <= i && i < end));

describe('extents', () => {
  it('are merged to the same bytes in order, apart from each other by more than the gap', () => {
    fc.assert(
      fc.property(extents, fc.nat(4), (parts, gap) => {
        const merged = mergeExtents(parts, gap);
        for (const [i, { start, end }] of merged.entries()) {
          expect(end).toBeGreaterThan(start);
          if (i > 0) expect(start).toBeGreaterThan(merged[i - 1]!.end + gap);
        }
        expect(bytesIn(merged)).toEqual(expect.arrayContaining(bytesIn(parts)));
        if (gap === 0) expect(bytesIn(merged)).toEqual(bytesIn(parts));
        expect(bytesIn(merged)).toHaveLength(bytesOfExtents(merged));
      }),
    );
  });

  it('without others are the rest', () => {
    fc.assert(
      fc.property(extents, extents, (parts, others) => {
        const rest = mergeExtents(parts).flatMap((part) => withoutExtents(part, mergeExtents(others)));
        const expected = bytesIn(parts).filter((i) => !bytesIn(others).includes(i));
        expect(bytesIn(rest)).toEqual(expected);
        expect(bytesOfExtents(rest)).toBe(expected.length);
      }),
    );
  });
});

describe('a file of which parts are there', () => {
  const whole = Uint8Array.from({ length: SIZE }, (_, i) => i);
  const parts = {
    size: SIZE,
    extents: [
      { start: 0, end: 3 },
      { start: 10, end: 20 },
      { start: 39, end: 40 },
    ],
  };
  const file = new PartialFile(parts, memorySource(Uint8Array.from(bytesIn(parts.extents))));

  it.each([
    [0, 3],
    [1, 1],
    [10, 10],
    [12, 3],
    [39, 1],
    [3, 0],
  ])('has %i + %i', async (offset, length) => {
    expect(await file.read(offset, length)).toEqual(whole.slice(offset, offset + length));
  });

  it.each([
    [0, 4],
    [3, 1],
    [9, 2],
    [19, 2],
    [0, 40],
    [39, 2],
    [-1, 1],
  ])('does not have %i + %i', async (offset, length) => {
    await expect(file.read(offset, length)).rejects.toMatchObject({ code: 'MALFORMED_FILE' });
  });

  it('is taken from a storage if its parts can be', () => {
    expect(checkedParts(JSON.parse(JSON.stringify(parts)), 14)).toEqual(parts);
    const last = { start: 39, end: 40 };
    for (const [wrong, bytes] of [
      [parts, 13],
      [undefined, 0],
      [[], 0],
      [{ size: SIZE }, 0],
      [{ size: 'x', extents: [last] }, 1],
      [{ size: 39, extents: [last] }, 1],
      [{ size: SIZE, extents: [last, last] }, 1],
      [{ size: SIZE, extents: [last, { start: 0, end: 1 }] }, 2],
      [{ size: SIZE, extents: [{ start: -1, end: 1 }] }, 2],
      [{ size: SIZE, extents: [{ start: 0.5, end: 1.5 }] }, 1],
      [{ size: SIZE, extents: [{ start: 2, end: 1 }] }, -1],
      [{ size: SIZE, extents: [null] }, 0],
    ] as const) {
      expect(checkedParts(wrong, bytes)).toBeUndefined();
    }
  });
});
