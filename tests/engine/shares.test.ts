import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shareOut } from '../../sdk/cpu/shares.js';

describe('shareOut', () => {
  it('cuts the line of all vectors into equal parts', () => {
    const vectors = [
      { count: 100, weight: 1 },
      { count: 100, weight: 3 },
      { count: 100, weight: 1 },
    ];
    expect(shareOut(vectors, 2)).toEqual([
      [{ worker: 0, from: 0, to: 100 }],
      [
        { worker: 0, from: 0, to: 50 },
        { worker: 1, from: 50, to: 100 },
      ],
      [{ worker: 1, from: 0, to: 100 }],
    ]);
  });

  it('gives everything to a single worker, and nothing of an empty vector', () => {
    expect(
      shareOut(
        [
          { count: 7, weight: 1 },
          { count: 0, weight: 3 },
        ],
        1,
      ),
    ).toEqual([[{ worker: 0, from: 0, to: 7 }], []]);
    expect(shareOut([{ count: 0, weight: 1 }], 4)).toEqual([[]]);
  });

  it('covers every vector once, in order, with a cut a worker at most and equal costs', () => {
    const vector = fc.record({ count: fc.integer({ min: 0, max: 5000 }), weight: fc.integer({ min: 1, max: 5 }) });
    fc.assert(
      fc.property(
        fc.array(vector, { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 1, max: 20 }),
        (vectors, workers) => {
          const shares = shareOut(vectors, workers);
          for (const [i, { count }] of vectors.entries()) {
            let at = 0;
            for (const { from, to } of shares[i]!) {
              expect(from).toBe(at);
              expect(to).toBeGreaterThan(from);
              at = to;
            }
            expect(at).toBe(count);
          }
          expect(shares.flat().length).toBeLessThanOrEqual(vectors.length + workers - 1);
          const costs = new Array<number>(workers).fill(0);
          for (const [i, { weight }] of vectors.entries()) {
            for (const { worker, from, to } of shares[i]!) costs[worker]! += (to - from) * weight;
          }
          const total = vectors.reduce((sum, { count, weight }) => sum + count * weight, 0);
          // A cut falls between two points: half a point of the dearest vector on either side.
          for (const cost of costs) expect(Math.abs(cost - total / workers)).toBeLessThanOrEqual(5);
        },
      ),
    );
  });
});
