import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shareOut } from '../../../../sdk/executors/workers/pool/shares.js';

describe('shareOut', () => {
  it('cuts the line of all vectors into equal parts', () => {
    const vectors = [
      { count: 100, weight: 1 },
      { count: 100, weight: 3 },
      { count: 100, weight: 1 },
    ];
    expect(shareOut(vectors, [0, 0])).toEqual([
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
        [0],
      ),
    ).toEqual([[{ worker: 0, from: 0, to: 7 }], []]);
    expect(shareOut([{ count: 0, weight: 1 }], [0, 0, 0, 0])).toEqual([[]]);
  });

  it('gives workers with other work less, or nothing', () => {
    expect(shareOut([{ count: 100, weight: 1 }], [10, 40, 0])).toEqual([
      [
        { worker: 0, from: 0, to: 40 },
        { worker: 1, from: 40, to: 50 },
        { worker: 2, from: 50, to: 100 },
      ],
    ]);
    expect(shareOut([{ count: 10, weight: 1 }], [100, 0, 50, 4])).toEqual([
      [
        { worker: 1, from: 0, to: 7 },
        { worker: 3, from: 7, to: 10 },
      ],
    ]);
  });

  it('covers every vector once, in order, with a cut a worker at most and equal costs', () => {
    const vector = fc.record({ count: fc.integer({ min: 0, max: 5000 }), weight: fc.integer({ min: 1, max: 5 }) });
    fc.assert(
      fc.property(
        fc.array(vector, { minLength: 1, maxLength: 6 }),
        fc.array(fc.integer({ min: 0, max: 5000 }), { minLength: 1, maxLength: 20 }),
        (vectors, loads) => {
          const shares = shareOut(vectors, loads);
          for (const [i, { count }] of vectors.entries()) {
            let at = 0;
            for (const { from, to } of shares[i]!) {
              expect(from).toBe(at);
              expect(to).toBeGreaterThan(from);
              at = to;
            }
            expect(at).toBe(count);
          }
          expect(shares.flat().length).toBeLessThanOrEqual(vectors.length + loads.length - 1);
          const costs = loads.map(() => 0);
          for (const [i, { weight }] of vectors.entries()) {
            for (const { worker, from, to } of shares[i]!) costs[worker]! += (to - from) * weight;
          }
          // A cut falls between two points: half a point of the dearest vector on either side.
          const levels = loads.map((load, worker) => load + costs[worker]!).filter((_, worker) => costs[worker]! > 0);
          const level = Math.max(...levels);
          for (const other of levels) expect(level - other).toBeLessThanOrEqual(10);
          for (const [worker, cost] of costs.entries())
            if (cost === 0) expect(loads[worker]).toBeGreaterThan(level - 10);
        },
      ),
    );
  });
});
