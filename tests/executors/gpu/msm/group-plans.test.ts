import { describe, expect, it } from 'vitest';
import type { MeasuredMsm } from '../../../../sdk/bases/multiples.js';
import { GroupPlans, planGpuMultiples } from '../../../../sdk/executors/gpu/msm/group-plans.js';

const POINTS = 2 ** 16;
const ROOM = 2 ** 32;
const bases = { count: POINTS, pointsPerBuffer: POINTS, multiples: undefined };

function plans(measured?: MeasuredMsm): GroupPlans {
  return new GroupPlans({
    curve: 'bn254',
    group: 'g1',
    isSoftware: false,
    maxBufferBytes: 2 ** 30,
    measuredFor: () => measured,
  });
}

describe('plans by what was measured', () => {
  it('take its windows, chunks and pieces, unless the caller names others', () => {
    const measured = plans({ windowBits: 12, chunks: 4, largeBucketFactor: 3, ms: 1 });
    const plan = measured.plan(bases, ROOM);
    expect(plan).toMatchObject({ windowBits: 12, chunkPoints: POINTS / 4 });
    expect(measured.plan(bases, ROOM, { chunks: 2 })).toMatchObject({ windowBits: 12, chunkPoints: POINTS / 2 });
    const short = measured.plan(bases, ROOM, { largeBucketFactor: 1 });
    expect(short.pieceLength).toBeLessThan(plan.pieceLength);
    expect(measured.plan(bases, ROOM, { windowBits: 9 }).windowBits).toBe(9);
  });

  it('choose the multiples that were faster, and none where none were', () => {
    const rows = (first: number, second: number): MeasuredMsm => ({
      windowBits: 12,
      ms: 10,
      withMultiples: [
        { multiples: 2, windowBits: 13, rows: 10, ms: first },
        { multiples: 4, windowBits: 14, rows: 5, ms: second },
      ],
    });
    const chosen = (measured: MeasuredMsm, precompute: 'auto' | 2 = 'auto') =>
      planGpuMultiples(plans(measured), { points: POINTS, together: POINTS, room: ROOM }, precompute).plan;
    expect(chosen(rows(8, 7))).toMatchObject({ multiples: 4, windowBits: 14 });
    expect(chosen(rows(8, 9))).toMatchObject({ multiples: 2, windowBits: 13 });
    expect(chosen(rows(10, 11))).toBeUndefined();
    // A number that the caller names is made, whatever was measured.
    expect(chosen(rows(10, 11), 2)).toMatchObject({ multiples: 2 });
    // Windows that the caller names are not those that were measured.
    const named = planGpuMultiples(plans(rows(8, 7)), { points: POINTS, together: POINTS, room: ROOM }, 'auto', {
      windowBits: 9,
    });
    expect(named.plan?.windowBits ?? 9).toBe(9);
  });

  it('leave multiples to the model where they were not measured', () => {
    const byModel = planGpuMultiples(plans(), { points: POINTS, together: POINTS, room: ROOM }, 'auto');
    expect(
      planGpuMultiples(plans({ windowBits: 12, ms: 10 }), { points: POINTS, together: POINTS, room: ROOM }, 'auto'),
    ).toEqual(byModel);
  });

  it('take what was measured also where its window is named, as the check of sums does', () => {
    const measured = plans({ windowBits: 12, chunks: 4, largeBucketFactor: 3, ms: 1 });
    expect(measured.plan(bases, ROOM, { windowBits: 12 })).toEqual(measured.plan(bases, ROOM));
  });

  it('do without multiples where digits have more windows than these were made for', () => {
    // 255 bits in windows of 5: 51 windows of centred scalars, and 52 of others.
    const ofCurve = new GroupPlans({ curve: 'bls12-381', group: 'g1', isSoftware: true, maxBufferBytes: 2 ** 30 });
    const made = planGpuMultiples(ofCurve, { points: POINTS, together: POINTS, room: ROOM }, 3, { windowBits: 5 })
      .plan!;
    expect(made).toEqual({ windowBits: 5, rows: 17, multiples: 3 });
    const withMultiples = { ...bases, multiples: made };
    expect(ofCurve.plan(withMultiples, ROOM)).toMatchObject({ windowBits: 5, multiples: 3, rows: 17 });
    expect(ofCurve.plan(withMultiples, ROOM, { digitsFrom: 'digits' })).toMatchObject({ multiples: 1 });
  });

  it('follow the rates of the device', () => {
    const [large, small] = [plans(), plans()];
    small.rates = { concurrency: 256, uploadCost: 0 };
    expect(small.plan({ ...bases, count: 4096 }, ROOM).windowBits).not.toBe(
      large.plan({ ...bases, count: 4096 }, ROOM).windowBits,
    );
  });
});
