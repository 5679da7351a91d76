import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { MultiplyOptions } from '../../../sdk/bases/backend.js';
import type { Tuning } from '../../../sdk/bases/multiples.js';
import { HeldMultiples } from '../../../sdk/bases/precompute.js';
import { measureChoices, measureMultiples, measureRows, measureSize } from '../../../sdk/engine/tune/measure.js';
import { expectSame, type Measurement } from '../../../sdk/engine/tune/stopwatch.js';
import { BASES, FakeBackend } from '../../bases/fake-backend.js';

type Time = (windowBits: number | undefined, points: number, tuning: Tuning) => number;

/** A backend whose sums take as long as `time` says, by a clock that nothing else moves. */
class TimedBackend extends FakeBackend {
  now = 0;
  asked: Tuning[] = [];

  constructor(private readonly time: Time) {
    super('webgpu');
    this.multiplyBatch = async (bases, _scalars, _batch, { signal: _, ...tuning }: MultiplyOptions = {}) => {
      this.asked.push(tuning);
      this.now += this.time(tuning.windowBits, bases.count, tuning);
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

function measurement(time: Time, changes: Partial<Measurement> = {}): Measurement {
  clock = new TimedBackend(time);
  return {
    backend: clock,
    bases,
    usual: () => ({ windowBits: 10, chunks: 1 }),
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
    // One run before those that are timed, for each choice.
    const asked = clock.asked.map((tuning) => JSON.stringify(tuning));
    expect(new Set(asked.map((each) => asked.filter((other) => other === each).length))).toEqual(new Set([4]));
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

  it('times a hopeless choice only once', async () => {
    await measureSize(
      measurement((bits) => (bits === 10 ? 100 : 151)),
      'bn254',
      64,
    );
    // One run before it, and one that is timed.
    expect(clock.asked.filter(({ windowBits }) => windowBits === 11)).toHaveLength(2);
  });

  it('leaves windows to a backend that chooses them', async () => {
    expect(
      await measureSize(
        measurement(() => 3, { usual: undefined }),
        'bn254',
        64,
      ),
    ).toEqual({ ms: 3 });
    expect(new Set(clock.asked.map(({ windowBits }) => windowBits))).toEqual(new Set([undefined]));
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

describe('measureChoices', () => {
  const row = { curve: 'bn254', group: 'g1', points: 64, work: 1024, windowBits: 10, ms: 115 } as const;
  const time: Time = (_, __, { chunks = 1, largeBucketFactor, digits }) =>
    100 + 5 * Math.abs(4 - chunks) - (largeBucketFactor === 3 ? 10 : 0) - (digits === 'workers' ? 10 : 0);

  it('finds chunks, lengths of pieces and who cuts digits, one after another', async () => {
    const found = await measureChoices(measurement(time, { workersCutDigits: true }), 'bn254', row);
    expect(found).toEqual({ ...row, chunks: 4, largeBucketFactor: 3, digits: 'workers', ms: 80 });
    const without = await measureChoices(measurement(time), 'bn254', row);
    expect(without).toEqual({ ...row, chunks: 4, largeBucketFactor: 3, ms: 90 });
    expect(clock.released).toBe(clock.loads);
  });

  it('leaves the row as it is where nothing is clearly better, or no time is left', async () => {
    expect(
      await measureChoices(
        measurement(() => 115),
        'bn254',
        row,
      ),
    ).toEqual(row);
    expect(await measureChoices(measurement(time, { deadline: -1 }), 'bn254', row)).toEqual(row);
  });
});

describe('measureMultiples', () => {
  const withMultiples: Measurement['withMultiples'] = async (points, multiples) =>
    multiples > 4
      ? undefined
      : {
          ...bases.take(points),
          multiples: new HeldMultiples('webgpu', { windowBits: 9, rows: 20 / multiples, multiples }, new Uint8Array()),
        };

  it('times as many multiples as there are', async () => {
    const found = await measureMultiples(
      measurement(() => 5, { withMultiples }),
      'bn254',
      64,
    );
    expect(found).toEqual([
      { multiples: 2, windowBits: 9, rows: 10, ms: 5 },
      { multiples: 4, windowBits: 9, rows: 5, ms: 5 },
    ]);
    expect(clock.released).toBe(clock.loads);
  });

  it('goes without them when there is no time', async () => {
    const found = await measureMultiples(
      measurement(() => 5, { withMultiples, deadline: -1 }),
      'bn254',
      64,
    );
    expect(found).toBeUndefined();
  });

  it('is a part of the rows of sums that are large enough', async () => {
    const rows = await measureRows(
      measurement(() => 1, { withMultiples }),
      'bn254',
      'g1',
    );
    expect(rows.map(({ points, withMultiples }) => [Math.log2(points), withMultiples?.length])).toEqual([
      [8, undefined],
      [10, undefined],
      [12, 2],
      [14, 2],
      [16, 2],
      [18, 2],
    ]);
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
    expect(await sizes({})).toEqual([8, 10, 12, 14, 16, 18]);
    expect(await sizes({ deadline: 400 })).toEqual([8, 10, 12, 14]);
    expect(await sizes({ deadline: 400, usual: undefined })).toEqual([8, 10, 12, 14]);
    expect(await sizes({ deadline: 0 })).toEqual([8]);
  });

  it('times sparse scalars beside random ones, and both as callers get them checked', async () => {
    const time: Time = (_, points, { check }: Tuning & { check?: string }) => points / (check === 'random' ? 64 : 128);
    const rows = async (changes: (made: Measurement) => Partial<Measurement>) => {
      const made = measurement(time);
      const all = await measureRows({ ...made, ...changes(made) }, 'bn254', 'g1');
      return all
        .map(({ points, work, ms, checkedMs, sparse }) => ({ points, work, ms, checkedMs, sparse }))
        .slice(0, 2);
    };
    const sparseWork = (points: number) => points / 2 + 15.5 * (points / 32);
    const onWorkers = await rows(() => ({ usual: undefined }));
    expect(onWorkers).toEqual(
      [256, 1024].map((points) => ({
        points,
        work: 16 * points,
        ms: points / 128,
        checkedMs: undefined,
        sparse: { work: expect.any(Number), ms: points / 128 },
      })),
    );
    for (const { points, sparse } of onWorkers) expect(Math.abs(sparse!.work - sparseWork(points))).toBeLessThan(20);
    const onGpu = await rows(({ backend }) => ({ checked: backend }));
    for (const { points, checkedMs, sparse } of onGpu) {
      expect([checkedMs, sparse!.checkedMs]).toEqual([points / 64, points / 64]);
    }
    const [late] = await rows(() => ({ deadline: -1 }));
    expect(late!.sparse).toBeUndefined();
  });

  it('tells how far it is', async () => {
    const told: number[] = [];
    await sizes({ onProgress: (fraction) => told.push(fraction) });
    expect(told).toEqual([1, 2, 3, 4, 5, 6].map((size) => size / 6));
  });
});
