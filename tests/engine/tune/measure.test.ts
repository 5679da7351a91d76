import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { expectSame, type Measurement, measureRows, measureSize } from '../../../sdk/engine/tune/measure.js';
import type { MsmOptions } from '../../../sdk/msm/backend.js';
import { BASES, FakeBackend } from '../../msm/fake-backend.js';

/** A backend whose sums take as long as `time` says, by a clock that nothing else moves. */
class TimedBackend extends FakeBackend {
  now = 0;
  asked: (number | undefined)[] = [];

  constructor(private readonly time: (windowBits: number | undefined, points: number) => number) {
    super('webgpu');
    this.multiplyBatch = async (bases, _scalars, _batch, options: MsmOptions = {}) => {
      this.asked.push(options.windowBits);
      this.now += this.time(options.windowBits, bases.count);
      return [{ point: new Uint8Array([7]), executors: ['webgpu'] as const }];
    };
  }
}

const bases = { take: (count: number) => ({ ...BASES, count, points: new Uint8Array() }) };

let clock: TimedBackend;
beforeEach(() => {
  vi.spyOn(performance, 'now').mockImplementation(() => clock.now);
});
afterEach(() => vi.restoreAllMocks());

function measurement(
  time: (windowBits: number | undefined, points: number) => number,
  changes: Partial<Measurement> = {},
): Measurement {
  clock = new TimedBackend(time);
  return {
    backend: clock,
    bases,
    usualWindow: () => 10,
    warmUpMs: 0,
    deadline: 1e9,
    signal: new AbortController().signal,
    onProgress: () => undefined,
    ...changes,
  };
}

describe('measureSize', () => {
  it.each([10, 12, 6, 20, 4])('finds the best window, %i', async (best) => {
    const found = await measureSize(
      measurement((bits) => 100 + 5 * Math.abs(bits! - best)),
      'bn254',
      64,
    );
    expect(found).toEqual({ windowBits: best, ms: 100 });
    // One run before those that are timed, for each window.
    expect(new Set(clock.asked.map((bits) => clock.asked.filter((each) => each === bits).length))).toEqual(
      new Set([4]),
    );
    expect(clock.released).toBe(clock.loads);
  });

  it('stays with the usual window where no other is clearly faster', async () => {
    const found = await measureSize(
      measurement((bits) => (bits === 10 ? 100 : 99)),
      'bn254',
      64,
    );
    expect(found.windowBits).toBe(10);
  });

  it('leaves windows to a backend that chooses them', async () => {
    expect(
      await measureSize(
        measurement(() => 3, { usualWindow: undefined }),
        'bn254',
        64,
      ),
    ).toEqual({ ms: 3 });
    expect(new Set(clock.asked)).toEqual(new Set([undefined]));
  });

  it('ends at the deadline with what it has, and lets the bases go when it is aborted', async () => {
    const found = await measureSize(
      measurement((bits) => 100 - bits!, { deadline: 150 }),
      'bn254',
      64,
    );
    expect(found.windowBits).toBe(10);
    const aborted = measurement(() => 1, { signal: AbortSignal.abort() });
    await expect(measureSize(aborted, 'bn254', 64)).rejects.toMatchObject({ code: 'ABORTED' });
    expect([clock.loads, clock.released]).toEqual([1, 1]);
  });

  it('refuses sums that differ', () => {
    expect(() => expectSame(new Uint8Array([1, 2]), new Uint8Array([1, 2]))).not.toThrow();
    expect(() => expectSame(new Uint8Array([1, 2]), new Uint8Array([1, 3]))).toThrow('expected the same sum');
  });
});

describe('measureRows', () => {
  const sizes = async (changes: Partial<Measurement>) => {
    const rows = await measureRows(
      measurement((_, points) => points / 1024, changes),
      'bn254',
      'g1',
    );
    return rows.map(({ points }) => Math.log2(points));
  };

  it('measures larger and larger sums while there is time', async () => {
    expect(await sizes({})).toEqual([10, 12, 14, 16, 18]);
    expect(await sizes({ deadline: 400 })).toEqual([10, 12, 14]);
    expect(await sizes({ deadline: 400, usualWindow: undefined })).toEqual([10, 12, 14, 16]);
    expect(await sizes({ deadline: 0 })).toEqual([10]);
  });

  it('tells how far it is', async () => {
    const told: number[] = [];
    await sizes({ onProgress: (fraction) => told.push(fraction) });
    expect(told).toEqual([0.2, 0.4, 0.6, 0.8, 1]);
  });
});
