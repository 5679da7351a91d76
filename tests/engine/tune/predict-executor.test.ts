import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AdapterTimes, MapRow } from '../../../sdk/api/index.js';
import { mostWorkOnWorkers, NO_WORK, prefersWorkers } from '../../../sdk/engine/tune/predict-executor.js';

type Times = readonly [sparse: number, full: number];

const WINDOWS = 16;

/** A row of 2^log points whose sparse scalars are an addition each. */
function row(log: number, [sparseMs, ms]: Times, [sparseChecked, checked]: Times = [2 * sparseMs, 2 * ms]): MapRow {
  const points = 2 ** log;
  const sparse = { work: points, ms: sparseMs, checkedMs: sparseChecked };
  return { curve: 'bn254', group: 'g1', points, work: WINDOWS * points, ms, checkedMs: checked, sparse };
}

const workers = (...rows: MapRow[]) => ({ threads: 2, rows });
const gpu = (...rows: MapRow[]): AdapterTimes => ({ adapter: '', products: 'limbs', rows });
const size = (points: number, isChecked = false) => ({ curve: 'bn254', group: 'g1', points, isChecked }) as const;

describe('mostWorkOnWorkers', () => {
  const [onWorkers, onGpu] = [workers(row(10, [1, 16]), row(12, [4, 64])), gpu(row(10, [4, 5]), row(12, [4, 6]))];
  const most = (points: number, isChecked?: boolean) => mostWorkOnWorkers(onWorkers, onGpu, size(points, isChecked));

  it('is where both take as long, and more where the GPU is checked', () => {
    // At 2^10 points the workers lead by 3 ms at the sparse work, and are 11 ms behind at the full one.
    expect(most(1024)).toBeCloseTo(1024 + (15 * 1024 * 3) / 14);
    expect(most(1024, true)).toBeCloseTo(1024 + (15 * 1024 * 7) / 13);
  });

  it('is nothing where the GPU computes sparse scalars as fast, and all where the workers are faster for all', () => {
    expect(most(4096)).toBe(NO_WORK);
    const slow = gpu(row(10, [90, 100]));
    expect(mostWorkOnWorkers(onWorkers, slow, size(1024))).toBe(Number.POSITIVE_INFINITY);
  });

  it('takes the fewest points for fewer, and nothing for more than twice the most, another group or curve', () => {
    expect(most(3)).toBe(most(1024));
    expect([8193, Number.POSITIVE_INFINITY].map((points) => most(points))).toEqual([NO_WORK, NO_WORK]);
    expect(mostWorkOnWorkers(onWorkers, onGpu, { ...size(1024), group: 'g2' })).toBe(NO_WORK);
    expect(mostWorkOnWorkers(onWorkers, onGpu, { ...size(1024), curve: 'bls12-381' })).toBe(NO_WORK);
  });

  it('decides nothing by rows without sparse times, or without checked ones where the GPU is checked', () => {
    const { sparse: _, ...random } = row(10, [1, 1]);
    expect(mostWorkOnWorkers(workers(random), onGpu, size(1024))).toBe(NO_WORK);
    expect(mostWorkOnWorkers(onWorkers, gpu(random), size(1024))).toBe(NO_WORK);
    expect(mostWorkOnWorkers(workers(), onGpu, size(1024))).toBe(NO_WORK);
    const { checkedMs: __, ...unchecked } = row(10, [4, 5]);
    expect(mostWorkOnWorkers(onWorkers, gpu(unchecked), size(1024, true))).toBe(NO_WORK);
    expect(mostWorkOnWorkers(onWorkers, gpu(unchecked), size(1024))).toBe(most(1024));
  });

  it('never falls as the GPU takes longer or the workers take less, whatever was measured', () => {
    const ms = fc.double({ min: 0.01, max: 1000, noNaN: true });
    const times = fc.tuple(ms, ms).map(([a, b]): Times => [Math.min(a, b), Math.max(a, b)]);
    fc.assert(
      fc.property(times, times, fc.double({ min: 1, max: 9, noNaN: true }), (fast, slow, factor) => {
        const scaled: Times = [slow[0] * factor, slow[1] * factor];
        const at = (ofWorkers: Times, ofGpu: Times) =>
          mostWorkOnWorkers(workers(row(10, ofWorkers)), gpu(row(10, ofGpu, ofGpu)), size(1024));
        const bound = at(fast, slow);
        expect(at(fast, scaled)).toBeGreaterThanOrEqual(bound - 1e-6);
        expect(at(scaled, fast)).toBeLessThanOrEqual(at(slow, fast) + 1e-6);
        expect(bound === NO_WORK || bound >= 1024).toBe(true);
        expect(bound === Number.POSITIVE_INFINITY || bound <= WINDOWS * 1024).toBe(true);
      }),
    );
  });
});

describe('prefersWorkers', () => {
  it('holds where they are clearly faster for these points and for as many as were measured', () => {
    const rows = [row(10, [1, 2]), row(12, [1, 8])];
    const prefers = (points: number, ...times: number[]) =>
      prefersWorkers(workers(...rows), gpu(...times.map((ms, i) => row(10 + 2 * i, [1, ms]))), 'bn254', 'g1', points);
    expect([prefers(1024, 4, 20), prefers(3, 4, 20), prefers(4096, 4, 20)]).toEqual([true, true, true]);
    // Batches of small MSMs are the GPU's.
    expect(prefers(1024, 4, 6)).toBe(false);
    expect(prefers(1024, 2.4, 20)).toBe(false);
    expect(prefers(2 ** 14, 4, 20)).toBe(false);
    expect(prefersWorkers(workers(), gpu(...rows), 'bn254', 'g1', 1024)).toBe(false);
    expect(prefersWorkers(workers(...rows), gpu(), 'bn254', 'g1', 1024)).toBe(false);
  });
});
