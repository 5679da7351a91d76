import { describe, expect, it } from 'vitest';
import { OptionReader } from '../../../sdk/base/option-reader.js';
import { basesTuning, callTuning, keyTuning } from '../../../sdk/hosts/prover/tuning-options.js';

const reader = (options: unknown): OptionReader => new OptionReader(options, 'the options of a test');

/** Everything that a sum can be told. */
const ALL = {
  windowBits: 4,
  largeBucketFactor: 1.5,
  chunks: 1024,
  reduction: 'cross-window',
  accumulation: 'bytes',
  digits: 'workers',
} as const;

/** Values that no tuning takes, and what is expected in their place. */
const WRONG: readonly (readonly [Record<string, unknown>, string])[] = [
  [{ windowBits: 3 }, 'expected windowBits as an integer from 4 to 20, got 3'],
  [{ windowBits: 21 }, 'expected windowBits as an integer from 4 to 20, got 21'],
  [{ windowBits: 7.5 }, 'expected windowBits as an integer'],
  [{ windowBits: '7' }, 'expected windowBits as an integer'],
  [{ largeBucketFactor: 0.9 }, 'expected largeBucketFactor as a number of times the mean from 1 to 1000, got 0.9'],
  [{ largeBucketFactor: 1001 }, 'expected largeBucketFactor'],
  [{ largeBucketFactor: Number.NaN }, 'expected largeBucketFactor'],
  [{ chunks: 0 }, 'expected chunks as an integer from 1 to 1024, got 0'],
  [{ chunks: 1025 }, 'expected chunks'],
  [{ chunks: 1.5 }, 'expected chunks'],
  [{ reduction: 'crossed' }, 'expected reduction as merged or cross-window, got'],
  [{ accumulation: 'affine' }, 'expected accumulation as limbs or unrolled or karatsuba or words or bytes, got'],
  [{ accumulation: 1 }, 'expected accumulation as limbs or unrolled or karatsuba or words or bytes, got 1'],
  [{ digits: 'wasm' }, 'expected digits as gpu or workers, got'],
];

const refusal = (message: string) =>
  expect.objectContaining({ code: 'INVALID_ARGUMENT', message: expect.stringContaining(message) });

describe('the tuning of an MSM', () => {
  it('has the fields that are given, and no others', () => {
    expect(callTuning(reader(undefined))).toEqual({});
    expect(callTuning(reader({ tuning: undefined }))).toEqual({});
    expect(callTuning(reader({ tuning: null }))).toEqual({});
    expect(callTuning(reader({ tuning: ALL }))).toEqual(ALL);
    const tuning = callTuning(reader({ tuning: { windowBits: 20, chunks: undefined, digits: null } }));
    expect(Object.entries(tuning)).toEqual([['windowBits', 20]]);
    for (const read of [callTuning, basesTuning, keyTuning]) {
      expect(() => read(reader({ tuning: { windowBits: 20, other: 1 } }))).toThrow(refusal('got other'));
    }
  });

  it.each(WRONG)('refuses %o', (tuning, message) => {
    for (const read of [callTuning, basesTuning, keyTuning]) {
      expect(() => read(reader({ tuning }))).toThrow(refusal(message));
    }
  });

  it('refuses what is no object, and multiples, which are made when bases are loaded', () => {
    expect(() => callTuning(reader({ tuning: 5 }))).toThrow(refusal('expected tuning as an object, got'));
    for (const precompute of [1, 8, 'auto']) {
      expect(() => callTuning(reader({ tuning: { precompute } }))).toThrow(
        refusal('expected the tuning of an MSM without precompute, got'),
      );
    }
  });
});

describe.each([
  ['bases', basesTuning],
  ['a key', keyTuning],
])('the tuning of %s', (_, read) => {
  it('has one multiple, the base itself, unless it names more', () => {
    expect(read(reader(undefined))).toEqual({ precompute: 1 });
    expect(read(reader({ precompute: 'auto' }))).toEqual({ precompute: 'auto' });
    expect(read(reader({ tuning: { precompute: 32, windowBits: 9 } }))).toEqual({ precompute: 32, windowBits: 9 });
    expect(read(reader({ precompute: 8, tuning: { precompute: 8 } }))).toEqual({ precompute: 8 });
  });

  it.each([
    [{ precompute: 33 }, 'expected precompute as an integer from 1 to 32, got 33'],
    [{ tuning: { precompute: 0 } }, 'expected precompute as an integer from 1 to 32, got 0'],
    [{ tuning: { precompute: 'always' } }, 'expected precompute as an integer'],
    [{ precompute: 4, tuning: { precompute: 8 } }, 'expected the same precompute in tuning and beside it, got 8 and 4'],
    [{ precompute: 1, tuning: { precompute: 'auto' } }, 'expected the same precompute'],
    [{ tuning: { reduction: 'cross-window' } }, 'with reduction cross-window, got 1'],
    [{ precompute: 1, tuning: { reduction: 'cross-window' } }, 'with reduction cross-window, got 1'],
  ])('refuses %o', (options, message) => {
    expect(() => read(reader(options))).toThrow(refusal(message));
  });

  it('takes the reduction of multiples that it names', () => {
    for (const precompute of [2, 'auto']) {
      const tuning = { precompute, reduction: 'cross-window' };
      expect(read(reader({ tuning }))).toEqual(tuning);
      expect(read(reader({ precompute, tuning: { reduction: 'cross-window' } }))).toEqual(tuning);
    }
  });
});

it('digits by the workers are for bases, and not for keys', () => {
  expect(basesTuning(reader({ precompute: 4, tuning: ALL }))).toEqual({ ...ALL, precompute: 4 });
  expect(() => keyTuning(reader({ tuning: { digits: 'workers' } }))).toThrow(
    refusal('expected digits as gpu for a key'),
  );
  expect(keyTuning(reader({ tuning: { digits: 'gpu' } }))).toEqual({ digits: 'gpu', precompute: 1 });
});
