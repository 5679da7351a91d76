import { describe, expect, it } from 'vitest';
import {
  chooseWindows,
  multiplesPay,
  type ScalarLength,
  windowBuckets,
} from '../../../../../sdk/executors/workers/kernel/msm/windows.js';

const length = (bits: number, halfBits?: number): ScalarLength => ({ bits, halfBits, scalarBytes: 32 });

describe('chooseWindows', () => {
  it('halves long scalars where that is possible, and short ones never', () => {
    for (const count of [1, 100, 1 << 14, 1 << 20]) {
      expect(chooseWindows(count, length(253, 128), undefined).parts).toBe(2);
      expect(chooseWindows(count, length(253), undefined).parts).toBe(1);
      for (const bits of [1, 20, 127, 128]) {
        expect(chooseWindows(count, length(bits, 128), undefined).parts).toBe(1);
      }
    }
    expect(chooseWindows(1 << 14, length(160, 128), undefined).parts).toBe(1);
  });

  it('covers all bits, with the window that was asked for', () => {
    for (const bits of [1, 2, 3, 4, 5, 19, 20, 21, 128, 254]) {
      for (const windowBits of [4, 7, 20]) {
        const { buckets, bits: size, rows } = chooseWindows(1000, length(bits), windowBits);
        expect(size).toBe(windowBits);
        expect(buckets).toEqual(windowBuckets(bits, windowBits));
        expect(rows).toBe(buckets.length);
      }
    }
  });

  it("takes a plan's windows, in halves unless whole scalars have no more of them", () => {
    const plan = { windowBits: 13, rows: 3, multiples: 4 };
    const long = chooseWindows(1 << 14, length(160, 128), undefined, plan);
    expect(long).toMatchObject({ parts: 2, bits: 13, rows: 3 });
    expect(long.buckets).toHaveLength(10);
    expect(chooseWindows(1 << 14, length(20, 128), undefined, plan)).toMatchObject({ parts: 1, rows: 2 });
  });
});

describe('multiplesPay', () => {
  const plan = { windowBits: 13, rows: 1, multiples: 10 };
  it('says yes where multiples save additions, and no without a plan or for scalars of one window', () => {
    expect(multiplesPay(plan, 1 << 12, length(253, 128))).toBe(true);
    expect(multiplesPay(undefined, 1 << 12, length(253, 128))).toBe(false);
    expect(multiplesPay(plan, 1 << 12, length(10, 128))).toBe(false);
  });
});
