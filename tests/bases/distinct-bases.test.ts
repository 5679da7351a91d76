import { describe, expect, it } from 'vitest';
import type { BasesRange } from '../../sdk/bases/backend.js';
import { multiplyRuns, runOfBases } from '../../sdk/bases/finishing.js';
import type { BasesOutline } from '../../sdk/bases/prepared.js';

function outlineOf(count: number, indices?: readonly number[]): BasesOutline {
  const kept = indices?.length ?? count;
  const list = indices && new Uint32Array(indices);
  return { curve: 'bn254', group: 'g1', form: 'weierstrass', count, kept, indices: list, exceptional: [] };
}

/** The ranges of all multiplications. */
function rangesOf(outline: BasesOutline, batch: number, loaded: BasesRange = { from: 0, to: outline.kept }) {
  return multiplyRuns(outline, loaded, batch, async ({ from, to }) => [from, to], undefined);
}

describe('multiplyRuns', () => {
  it('gives each multiplication its own bases', async () => {
    expect(await rangesOf(outlineOf(6), 3)).toEqual([
      [0, 2],
      [2, 4],
      [4, 6],
    ]);
    expect(await rangesOf(outlineOf(5), 1)).toEqual([[0, 5]]);
    expect(await rangesOf(outlineOf(0), 2)).toEqual([
      [0, 0],
      [0, 0],
    ]);
    expect(await rangesOf(outlineOf(300), 300)).toEqual(Array.from({ length: 300 }, (_, i) => [i, i + 1]));
    expect(runOfBases(outlineOf(12), 4, 3)).toEqual({ from: 9, to: 12 });
  });

  it('counts kept points alone', async () => {
    expect(await rangesOf(outlineOf(9, [1, 2, 5, 8]), 3)).toEqual([
      [0, 2],
      [2, 3],
      [3, 4],
    ]);
    expect(await rangesOf(outlineOf(6, [4]), 3)).toEqual([
      [0, 0],
      [0, 0],
      [0, 1],
    ]);
    expect(await rangesOf(outlineOf(4, []), 2)).toEqual([
      [0, 0],
      [0, 0],
    ]);
  });

  it('keeps to the points that are loaded', async () => {
    expect(await rangesOf(outlineOf(8), 4, { from: 3, to: 6 })).toEqual([
      [3, 3],
      [3, 4],
      [4, 6],
      [6, 6],
    ]);
  });

  it('tells progress that never falls, and begins nothing after a failure', async () => {
    const seen: number[] = [];
    const multiply = async (_: BasesRange, tell: (fraction: number) => void): Promise<void> => {
      tell(0.5);
      await Promise.resolve();
      tell(1);
    };
    await multiplyRuns(outlineOf(200), { from: 0, to: 200 }, 200, multiply, (fraction) => seen.push(fraction));
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    expect(seen.at(-1)).toBe(1);

    let begun = 0;
    const failing = async ({ from }: BasesRange): Promise<void> => {
      begun++;
      if (from === 1) throw new Error('lost');
    };
    await expect(multiplyRuns(outlineOf(640), { from: 0, to: 640 }, 640, failing, undefined)).rejects.toThrow('lost');
    expect(begun).toBeLessThan(3 * 64);
  });
});
