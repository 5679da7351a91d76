import { describe, expect, it } from 'vitest';
import type { PreparedBases } from '../../../sdk/bases/prepared.js';
import type { Contender, Ready } from '../strategies/contender.js';
import { loadBestWindow, timeWork, type Work } from '../strategies/measure-contender.js';

const BASES = {} as PreparedBases;

/** Work whose result is `[right ? 1 : 0]`. */
function work(isRight: () => boolean): Work {
  return {
    scalars: new Uint8Array(),
    finish: async () => Uint8Array.of(isRight() ? 1 : 0),
    check: ([result]) => {
      if (result !== 1) throw new Error('the result is wrong');
    },
  };
}

/** A contender that takes `msOf(windowBits)` for a multiplication, and refuses windows where that is undefined. */
function contender(msOf: (windowBits: number) => number | undefined) {
  let open = 0;
  const load = async (_: PreparedBases, windowBits = 13): Promise<Ready> => {
    const ms = msOf(windowBits);
    if (ms === undefined) throw new Error(`no windows of ${windowBits} bits`);
    open++;
    const multiply = async () => {
      await new Promise((resolve) => setTimeout(resolve, ms));
      return { sums: new Uint8Array(), windowBits: 1, stageTimes: undefined };
    };
    return { windowBits, multiply, times: async () => undefined, release: () => void open-- };
  };
  const made: Contender = { name: 'made up', replaces: 'nothing', load, rest: () => undefined };
  return { made, opened: () => open };
}

describe('timing a contender', () => {
  it('gives as many times as it is asked for', async () => {
    const ready = await contender(() => 1).made.load(BASES);
    const { times, gpu } = await timeWork(
      ready,
      work(() => true),
      5,
      true,
    );
    expect(times).toHaveLength(5);
    expect(Math.min(...times)).toBeGreaterThan(0);
    expect(gpu).toBeUndefined();
  });

  it('times nothing where the first result is wrong, and ends at a later one', async () => {
    const ready = await contender(() => 1).made.load(BASES);
    const wrong = work(() => false);
    await expect(timeWork(ready, wrong, 3, true)).rejects.toThrow('the result is wrong');
    let runs = 0;
    const once = work(() => ++runs < 3);
    await expect(timeWork(ready, once, 5, true)).rejects.toThrow('the result is wrong');
    expect(runs).toBe(3);
  });
});

describe('looking for the best window', () => {
  it.each([
    ['fewer bits', (c: number) => 5 + 15 * Math.abs(c - 11), 11],
    ['more bits', (c: number) => 5 + 15 * Math.abs(c - 15), 15],
    ['those of the plan', (c: number) => 5 + 15 * Math.abs(c - 13), 13],
    ['the last that is possible', (c: number) => (c < 12 ? undefined : 15 * (c - 11)), 12],
  ])('finds %s', async (_, msOf, expected) => {
    const { made, opened } = contender(msOf);
    const ready = await loadBestWindow(
      made,
      BASES,
      work(() => true),
    );
    expect(ready.windowBits).toBe(expected);
    expect(opened()).toBe(1);
  });
});
