import { describe, expect, it } from 'vitest';
import type { AdapterTimes, MapRow } from '../../../sdk/api/index.js';
import { predictSplit } from '../../../sdk/engine/tune/predict-split.js';

const rows = (...times: [log: number, ms: number][]): MapRow[] =>
  times.map(([log, ms]) => ({ curve: 'bn254', group: 'g1', points: 2 ** log, work: 2 ** (log + 4), ms }));
const workers = (...times: [number, number][]) => ({ threads: 2, rows: rows(...times) });
const gpu = (...times: [number, number][]): AdapterTimes => ({ adapter: '', products: 'limbs', rows: rows(...times) });

const predict = (
  onWorkers: ReturnType<typeof workers>,
  onGpu: AdapterTimes,
  points: number,
  curve: 'bn254' | 'bls12-381' = 'bn254',
) => predictSplit(onWorkers, onGpu, curve, 'g1', points);

describe('predictSplit', () => {
  it('gives both equal shares where they are equally fast', () => {
    const times: [number, number][] = [
      [10, 1],
      [12, 4],
      [14, 16],
    ];
    const rates = predict(workers(...times), gpu(...times), 2 ** 14)!;
    expect(rates.gpu / rates.workers).toBeCloseTo(1);
    expect(rates.gpu).toBeCloseTo(1024);
  });

  it('gives the faster one more', () => {
    const rates = predict(workers([10, 3], [14, 48]), gpu([10, 1], [14, 16]), 2 ** 14)!;
    expect(rates.gpu / rates.workers).toBeCloseTo(3);
  });

  it('promises nothing where one is far faster, or takes as long for few points as for many', () => {
    expect(predict(workers([10, 20], [14, 320]), gpu([10, 1], [14, 16]), 2 ** 14)).toBeUndefined();
    expect(predict(workers([10, 2], [12, 4]), gpu([10, 4], [12, 4.1]), 2 ** 12)).toBeUndefined();
  });

  it('promises nothing of what was not measured', () => {
    const times: [number, number][] = [
      [10, 1],
      [12, 4],
    ];
    expect(predict(workers(...times), gpu(...times), 2 ** 13)).toBeDefined();
    expect(predict(workers(...times), gpu(...times), 2 ** 13 + 1)).toBeUndefined();
    expect(predict(workers(), gpu(...times), 2 ** 12)).toBeUndefined();
    expect(predict(workers(...times), gpu(), 2 ** 12)).toBeUndefined();
    expect(predict(workers(...times), gpu(...times), 2 ** 12, 'bls12-381')).toBeUndefined();
    expect(predict(workers(...times), gpu(...times), 0)).toBeUndefined();
  });
});
