import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutRange, MeasuredRate } from '../../../sdk/bases/split/layout.js';

describe('cutRange', () => {
  it('covers the range without gaps, in the order of the members', () => {
    const rates = fc.array(fc.double({ min: 0.001, max: 1000, noNaN: true }), { minLength: 1, maxLength: 20 });
    const property = fc.property(fc.nat(1000), fc.nat(1 << 20), rates, (from, points, weights) => {
      const to = from + points;
      const ranges = cutRange({ from, to }, weights);
      expect(ranges).toHaveLength(weights.length);
      expect(ranges[0]!.from).toBe(from);
      expect(ranges.at(-1)!.to).toBe(to);
      for (const [i, range] of ranges.entries()) {
        expect(range.to).toBeGreaterThanOrEqual(range.from);
        if (i > 0) expect(range.from).toBe(ranges[i - 1]!.to);
      }
    });
    fc.assert(property);
  });

  it('gives each member a share by its rate', () => {
    expect(cutRange({ from: 100, to: 1100 }, [3, 1])).toEqual([
      { from: 100, to: 849 },
      { from: 849, to: 1100 },
    ]);
  });

  it.each([0, 1, 2, 127])('leaves %i points to the faster of two', (points) => {
    expect(cutRange({ from: 5, to: 5 + points }, [1, 2])).toEqual([
      { from: 5, to: 5 },
      { from: 5, to: 5 + points },
    ]);
  });

  it('leaves out a member that is too slow for its share', () => {
    expect(cutRange({ from: 0, to: 1024 }, [1, 0.01, 1]).map(({ from, to }) => to - from)).toEqual([512, 0, 512]);
  });
});

describe('MeasuredRate', () => {
  it('follows measurements step by step, each by a bounded factor', () => {
    const rate = new MeasuredRate(1, { value: 1 });
    rate.add(1e9, 1);
    expect(rate.value).toBeCloseTo(2);
    for (let i = 0; i < 20; i++) rate.add(30, 10);
    expect(rate.value).toBeCloseTo(3);
    rate.add(1, 1e9);
    expect(rate.value).toBeCloseTo(3 / 2);
  });

  it('takes its unit from the first measurement of any member', () => {
    const scale = { value: undefined };
    const [slow, fast, faster] = [1, 10, 40].map((assumed) => new MeasuredRate(assumed, scale));
    expect(fast!.value / slow!.value).toBe(10);
    fast!.add(5000, 1);
    expect([slow!.value, fast!.value, faster!.value]).toEqual([500, 5000, 20_000]);
    slow!.add(1000, 1);
    expect(slow!.value).toBeCloseTo(500 * 2 ** 0.5);
  });

  it('learns nothing from no points or no time', () => {
    const rate = new MeasuredRate(2, { value: undefined });
    rate.add(0, 5);
    rate.add(5, 0);
    expect(rate.value).toBe(2);
  });
});
