import { describe, expect, it } from 'vitest';
import { PippinError } from '../../../../sdk/base/errors.js';
import type { Reduction } from '../../../../sdk/bases/multiples.js';
import { scratchLayout } from '../../../../sdk/executors/gpu/msm/msm-memory.js';
import { bucketCount, placeOf } from '../../../../sdk/executors/gpu/msm/plan.js';
import { type PlanRequest, planMsm } from '../../../../sdk/executors/gpu/msm/planner.js';
import { accumulateStage, foldStage } from '../../../../sdk/executors/gpu/msm/stages/accumulate.js';
import { collectStage, reduceStage } from '../../../../sdk/executors/gpu/msm/stages/bucket-reduction.js';
import { largestBytes, totalBytes } from '../../../../sdk/executors/gpu/runtime/scratch-layout.js';
import { quickest } from '../../../support/quickest.js';
import { wholeChunk } from './stage-lab.js';

const MIB = 2 ** 20;

/** BN254 on a large device. */
function request(points: number, changes: Partial<PlanRequest> = {}): PlanRequest {
  return {
    points,
    batch: 1,
    digitsFrom: 'scalars',
    pointsPerBuffer: 2 ** 25,
    scalarBits: 254,
    sumBytes: 128,
    memoryBudget: 4096 * MIB,
    maxBufferBytes: 2048 * MIB,
    concurrency: 16_384,
    uploadCost: 0,
    ...changes,
  };
}

describe('the plan', () => {
  it('takes larger windows for more points, about those that were measured as best', () => {
    const bits = [10, 12, 14, 16, 18, 20, 22].map((log) => planMsm(request(2 ** log)).windowBits);
    expect(bits).toEqual(bits.toSorted((a, b) => a - b));
    expect(bits[3]).toBeGreaterThanOrEqual(11);
    expect(bits[3]).toBeLessThanOrEqual(14);
    expect(bits[5]).toBeGreaterThanOrEqual(15);
    expect(bits[5]).toBeLessThanOrEqual(17);
  });

  it('works on all points and rows at once where there is memory', () => {
    for (const points of [1, 1000, 2 ** 16, 2 ** 20]) {
      const plan = planMsm(request(points));
      expect(plan.chunkPoints).toBe(points);
      expect(plan.rowsPerPass).toBe(plan.rows);
    }
  });

  it('cuts the points so that the GPU works while scalars are on their way, where these take long', () => {
    const plan = planMsm(request(2 ** 22, { uploadCost: 8 }));
    expect(plan.chunkPoints).toBeLessThan(2 ** 22);
    expect(planMsm(request(2 ** 12, { uploadCost: 8 })).chunkPoints).toBe(2 ** 12);
  });

  it('weighs additions by their cost, against the way of the scalars and in the pace', () => {
    const plans = [1, 100].map((additionCost) => planMsm(request(2 ** 22, { uploadCost: 8, additionCost })));
    expect(plans.map(({ chunkPoints }) => chunkPoints < 2 ** 22)).toEqual([true, false]);
    const [plan] = plans;
    const [one, dear] = [plan!, { ...plan!, additionCost: 3 }].map((each) => {
      const chunk = wholeChunk(each, { points: 1000 });
      const stages = [accumulateStage, foldStage, reduceStage, collectStage];
      return stages.map((stage) => stage.dispatches(chunk).map(({ cost }) => cost));
    });
    expect(dear).toEqual(one!.map((costs) => costs.map((cost) => expect.closeTo(3 * cost))));
  });

  it('works on all multiplications of a batch at once where there is memory', () => {
    const roomy = planMsm(request(2 ** 14, { batch: 16 }));
    expect(roomy.batchPerPass).toBe(16);
    const tight = planMsm(request(2 ** 14, { batch: 16, memoryBudget: 16 * MIB }));
    expect(tight.batchPerPass).toBeLessThan(16);
    expect(totalBytes(scratchLayout(tight))).toBeLessThanOrEqual(16 * MIB);
  });

  it('cuts buckets and scalars for every size, curve and window', () => {
    for (const scalarBits of [253, 254]) {
      for (const points of [1, 2, 3, 255, 257, 70_001, 2 ** 20]) {
        for (let windowBits = 4; windowBits <= 20; windowBits++) {
          const plan = planMsm(request(points, { scalarBits, windowBits }));
          expect(plan.windowBits).toBe(windowBits);
          expect(plan.windows).toBe(Math.ceil((scalarBits + 1) / windowBits));
          expect([plan.multiples, plan.rows]).toEqual([1, plan.windows]);
          expect(plan.bucketsPerRow).toBe(2 ** (windowBits - 1));
        }
      }
    }
  });

  it("fits 2^20 points of every group within WebGPU's default limits", () => {
    const limits = { memoryBudget: 512 * MIB, maxBufferBytes: 128 * MIB };
    for (const [sumBytes, baseBytes, largest] of [
      [128, 64, 20],
      [192, 144, 20],
      [256, 128, 20],
      // A row of 2^19 such sums is larger than 128 MiB.
      [384, 192, 19],
    ] as const) {
      const pointsPerBuffer = Math.floor((128 * MIB) / baseBytes);
      for (const windowBits of [undefined, 4, 16, largest]) {
        const plan = planMsm(request(2 ** 20, { ...limits, sumBytes, pointsPerBuffer, windowBits }));
        expect(largestBytes(scratchLayout(plan))).toBeLessThanOrEqual(128 * MIB);
        expect(totalBytes(scratchLayout(plan))).toBeLessThanOrEqual(512 * MIB);
        expect(plan.chunkPoints).toBeLessThanOrEqual(pointsPerBuffer);
      }
    }
  });

  it('keeps to any memory budget that holds the smallest plan', () => {
    for (const memoryBudget of [64 * MIB, 8 * MIB, MIB, 200_000]) {
      const plan = planMsm(request(2 ** 16, { memoryBudget }));
      expect(totalBytes(scratchLayout(plan))).toBeLessThanOrEqual(memoryBudget);
    }
  });

  it('cuts large buckets into pieces shorter than the largest bucket of evenly spread digits, if the sums of so many fit', () => {
    const plan = planMsm(request(2 ** 18, { windowBits: 14 }));
    expect(plan.fullLength).toBe(40);
    expect(plan.pieceLength).toBe(49);
    const needed = totalBytes(scratchLayout(plan));
    const tight = planMsm(request(2 ** 18, { windowBits: 14, memoryBudget: needed - 1 }));
    expect(tight).toEqual({ ...plan, fullLength: 49 });
    // Few points: both are as short as pieces are at least.
    expect(planMsm(request(64, { windowBits: 14 }))).toMatchObject({ pieceLength: 16, fullLength: 16 });
  });

  it('gives every window a row of buckets and a multiple of the points, where there are multiples', () => {
    for (const multiples of [1, 2, 3, 8]) {
      const plan = planMsm(request(1000, { windowBits: 13, multiples }));
      expect(plan.windows).toBe(20);
      expect(plan.rows).toBe(Math.ceil(20 / multiples));
      const places = Array.from({ length: plan.windows }, (_, w) => placeOf(plan, w));
      expect(places.every(({ row, multiple }) => row < plan.rows && multiple < multiples)).toBe(true);
      // Window w weighs 2^(c w): row g weighs 2^(c g), and multiple j is 2^(j G c) times the point.
      expect(places.map(({ row, multiple }) => row + plan.rows * multiple)).toEqual(places.map((_, w) => w));
      expect(placeOf(plan, plan.rows - 1)).toEqual({ row: plan.rows - 1, multiple: 0 });
    }
  });

  it.each([
    [1, 2 ** 14],
    [3, 5462],
    [8, 2 ** 11],
    [1000, 17],
  ])('cuts the points into %i chunks, if it is told to', (chunks, chunkPoints) => {
    // Without it there is one chunk here, and several where scalars take long.
    for (const uploadCost of [0, 50]) {
      expect(planMsm(request(2 ** 14, { chunks, uploadCost })).chunkPoints).toBe(chunkPoints);
    }
    const batch = planMsm(request(2 ** 14, { chunks, batch: 4 }));
    expect(batch).toMatchObject({ chunkPoints, batchPerPass: chunks === 1 ? 4 : 1 });
  });

  it('cuts the points into more chunks than it is told where memory or a binding holds less, and fewer points into fewer', () => {
    expect(planMsm(request(2 ** 14, { chunks: 2, pointsPerBuffer: 1000 })).chunkPoints).toBe(1000);
    const tight = planMsm(request(2 ** 20, { chunks: 2, memoryBudget: 8 * MIB, windowBits: 15 }));
    expect(tight.chunkPoints).toBeLessThan(2 ** 19);
    expect(totalBytes(scratchLayout(tight))).toBeLessThanOrEqual(8 * MIB);
    expect(planMsm(request(5, { chunks: 8 })).chunkPoints).toBe(1);
  });

  it('cuts buckets that are larger than a given number of times the mean', () => {
    // 32 bases a bucket.
    const lengths = (largeBucketFactor?: number) => {
      const { pieceLength, fullLength } = planMsm(request(2 ** 18, { windowBits: 14, largeBucketFactor }));
      return { pieceLength, fullLength };
    };
    expect(lengths()).toEqual({ pieceLength: 49, fullLength: 40 });
    expect(lengths(1)).toEqual({ pieceLength: 32, fullLength: 32 });
    expect(lengths(2)).toEqual({ pieceLength: 64, fullLength: 40 });
    // As long as pieces can be.
    expect(lengths(10)).toEqual({ pieceLength: 112, fullLength: 40 });
  });

  it('gives each window of a row buckets of its own with the reduction cross-window, where there are multiples', () => {
    const merged = planMsm(request(2 ** 16, { windowBits: 13, multiples: 4 }));
    const apart = planMsm(request(2 ** 16, { windowBits: 13, multiples: 4, reduction: 'cross-window' }));
    expect(merged.reduction).toBe('merged');
    expect(bucketCount(merged)).toBe(5 * 2 ** 12);
    expect(bucketCount(apart)).toBe(20 * 2 ** 12);
    // 16 bases a bucket instead of 64.
    expect([merged.fullLength, apart.fullLength]).toEqual([80, 20]);
    // They add fewer bases to filled buckets, and more sums of buckets: wider windows pay less.
    const chosen = (reduction: Reduction) => planMsm(request(2 ** 16, { multiples: 4, reduction })).windowBits;
    expect(chosen('cross-window')).toBeLessThanOrEqual(chosen('merged'));
    const alone = planMsm(request(2 ** 16, { windowBits: 13, reduction: 'cross-window' }));
    expect(alone).toEqual(planMsm(request(2 ** 16, { windowBits: 13 })));
  });

  it('rejects a budget that holds no plan', () => {
    const small = request(2 ** 16, { memoryBudget: 20_000 });
    expect(() => planMsm(small)).toThrow(expect.objectContaining({ code: 'OUT_OF_MEMORY' }));
    expect(() => planMsm(small)).toThrow(PippinError);
    expect(() => planMsm(small)).toThrow(/expected at least \d+ bytes .* got 20000/);
    const forced = request(100, { memoryBudget: 4 * MIB, windowBits: 20 });
    expect(() => planMsm(forced)).toThrow(expect.objectContaining({ code: 'OUT_OF_MEMORY' }));
  });

  it('rejects windows out of range', () => {
    for (const windowBits of [3, 21, 0, -4, 7.5, Number.NaN]) {
      expect(() => planMsm(request(100, { windowBits }))).toThrow(
        expect.objectContaining({ code: 'INVALID_ARGUMENT' }),
      );
    }
  });

  it('is made in a few milliseconds', async () => {
    const plan = async (): Promise<number> => {
      const start = performance.now();
      planMsm(request(2 ** 20, { memoryBudget: 32 * MIB }));
      return performance.now() - start;
    };
    expect(await quickest(50, plan)).toBeLessThan(50);
  });
});
