import { describe, expect, it } from 'vitest';
import type { BasesRange } from '../../sdk/bases/backend.js';
import { gatherScalars, keptScalars } from '../../sdk/bases/finishing.js';
import type { BasesOutline } from '../../sdk/bases/prepared.js';
import { bytesOfScalars, hostScalars, SharedScalars, type SharedSlice } from '../../sdk/bases/scalar-vector.js';
import { encodeScalars } from '../support/points.js';

/** Bases of five points; the kept ones are at `indices`, or all. */
function outline(indices?: number[]): BasesOutline {
  return {
    curve: 'bn254',
    group: 'g1',
    form: 'weierstrass',
    count: 5,
    kept: indices?.length ?? 5,
    indices: indices && new Uint32Array(indices),
    exceptional: [],
  };
}

const BASES: Record<string, BasesOutline> = {
  'all points': outline(),
  'some points': outline([0, 2, 3]),
  'one point': outline([4]),
  'no point': outline([]),
};

/** Two more scalars than the points of the slices. */
const VALUES = [90n, 91n, 1n, 2n, 3n, 4n, 5n];
const shared = new SharedScalars(encodeScalars(VALUES));
const WHOLE = { first: 0, count: 1, batch: 1 } as const;

function rangesOf({ kept }: BasesOutline): BasesRange[] {
  const ranges: BasesRange[] = [];
  for (let from = 0; from <= kept; from++) for (let to = from; to <= kept; to++) ranges.push({ from, to });
  return ranges;
}

describe('keptScalars', () => {
  it.each(Object.keys(BASES))('leaves shared scalars where they are, for every range of bases with %s', (name) => {
    const bases = BASES[name]!;
    const slice = shared.slice(2);
    for (const range of rangesOf(bases)) {
      const kept = keptScalars(bases, slice, WHOLE, range) as SharedSlice;
      expect(kept).toMatchObject({ kind: 'shared', whole: shared, count: range.to - range.from });
      const expected = gatherScalars(bases, shared.bytes.subarray(64), 1, range);
      expect(bytesOfScalars(kept)).toEqual(expected);
      const onHost = keptScalars(bases, hostScalars(shared.bytes.subarray(64)), WHOLE, range);
      expect(bytesOfScalars(onHost)).toEqual(expected);
    }
  });

  it('gives the scalars of the asked multiplications of a batch', () => {
    const scalars = hostScalars(encodeScalars(Array.from({ length: 15 }, (_, i) => BigInt(i))));
    const kept = keptScalars(BASES['some points']!, scalars, { first: 1, count: 2, batch: 3 }, { from: 1, to: 3 });
    expect(bytesOfScalars(kept)).toEqual(encodeScalars([7n, 8n, 12n, 13n]));
  });

  it('refuses shared scalars of a batch, too few or too many, and ones that were picked already', () => {
    const bases = BASES['some points']!;
    const internal = expect.objectContaining({ code: 'INTERNAL' });
    const range = { from: 0, to: 3 };
    expect(() => keptScalars(bases, shared.slice(2), { first: 0, count: 1, batch: 2 }, range)).toThrow(internal);
    for (const first of [1, 3]) expect(() => keptScalars(bases, shared.slice(first), WHOLE, range)).toThrow(internal);
    const picked: SharedSlice = { ...shared.slice(2), indices: new Uint32Array(5) };
    expect(() => keptScalars(bases, picked, WHOLE, range)).toThrow(internal);
  });
});
