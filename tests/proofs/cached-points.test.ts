import { beforeEach, describe, expect, it } from 'vitest';
import { LoadedSource } from '../../sdk/cache/loaded-source.js';
import { PippinError } from '../../sdk/errors.js';
import { memorySource } from '../../sdk/io/byte-source.js';
import { CachedPoints, type RenewableVectors } from '../../sdk/proofs/cached-points.js';
import type { Growth, ProofCall } from '../../sdk/proofs/proof-system.js';

const wrong = (code: 'PROOF_INVALID' | 'RESULT_INVALID') => new PippinError(code, 'expected a right result');

let notices: string[];
let prepared: number;
const call = { notice: (code: string) => notices.push(code) } as unknown as ProofCall;
beforeEach(() => {
  notices = [];
  prepared = 0;
});

function points(fromCache: boolean, growth?: Pick<Growth, 'usesCache'>): CachedPoints<never> {
  const grown =
    growth && ({ ...growth, restart: async () => undefined, load: async () => undefined } as unknown as Growth);
  const vectors = {
    plan: 'plan',
    source: new LoadedSource(memorySource(new Uint8Array())),
    bases: {},
    requests: {},
    growth: grown,
    prepare: async () => {
      prepared++;
      return {};
    },
    toRecord: () => ({ facts: {}, arrays: {} }),
  } as RenewableVectors<never>;
  const cache = { drop: async () => undefined, save: async () => undefined };
  return new CachedPoints({ cache, pool: undefined } as never, vectors, fromCache);
}

/** Work that gives these outcomes one after another, and notes where it ran. */
function outcomes(...list: readonly (string | PippinError)[]): {
  work: (onWorkers: boolean) => Promise<string>;
  places: string[];
} {
  const places: string[] = [];
  const work = async (onWorkers: boolean): Promise<string> => {
    const outcome = list[places.length]!;
    places.push(onWorkers ? 'workers' : 'any');
    if (typeof outcome !== 'string') throw outcome;
    return outcome;
  };
  return { work, places };
}

const isSame = (one: string, other: string): boolean => one === other;

describe('CachedPoints.use', () => {
  it('gives a result, and any other error, as it is', async () => {
    const cached = points(true);
    expect(await cached.use(call, outcomes('right').work)).toBe('right');
    const aborted = new PippinError('ABORTED', 'aborted');
    await expect(cached.use(call, outcomes(aborted).work)).rejects.toBe(aborted);
    expect([prepared, notices]).toEqual([0, []]);
  });

  it('leaves points alone that came from their source', async () => {
    const error = wrong('PROOF_INVALID');
    await expect(points(false).use(call, outcomes(error).work)).rejects.toBe(error);
    await expect(points(false, { usesCache: false }).use(call, outcomes(error).work)).rejects.toBe(error);
    expect(prepared).toBe(0);
  });

  it('prepares cached points anew, once, and works once more', async () => {
    const cached = points(true);
    const { work, places } = outcomes(wrong('PROOF_INVALID'), 'right');
    expect(await cached.use(call, work)).toBe('right');
    expect([places, prepared, notices]).toEqual([['any', 'workers'], 1, ['CACHE_DAMAGED']]);
    await expect(cached.use(call, outcomes(wrong('PROOF_INVALID')).work)).rejects.toMatchObject({
      code: 'PROOF_INVALID',
    });
    expect(prepared).toBe(1);
  });

  it('does so for multiples from the cache', async () => {
    const { work } = outcomes(wrong('PROOF_INVALID'), 'right');
    expect(await points(false, { usesCache: true }).use(call, work)).toBe('right');
    expect([prepared, notices]).toEqual([1, ['CACHE_DAMAGED']]);
  });

  it('tells nothing when the result is wrong with the points of the source as well', async () => {
    const { work } = outcomes(wrong('PROOF_INVALID'), wrong('PROOF_INVALID'));
    await expect(points(true).use(call, work)).rejects.toMatchObject({ code: 'PROOF_INVALID' });
    expect(notices).toEqual([]);
  });

  it('puts a result of the GPU alone down to the GPU', async () => {
    const error = wrong('RESULT_INVALID');
    await expect(points(true).use(call, outcomes(error, 'right').work)).rejects.toBe(error);
    expect([prepared, notices]).toEqual([0, []]);
  });

  it('compares sums of the workers, which nothing verifies, with those over the points of the source', async () => {
    const error = wrong('RESULT_INVALID');
    await expect(points(true).use(call, outcomes(error, 'sum', 'sum').work, isSame)).rejects.toBe(error);
    expect(notices).toEqual([]);
    expect(await points(true).use(call, outcomes(error, 'wrong', 'sum').work, isSame)).toBe('sum');
    expect(await points(true).use(call, outcomes(error, error, 'sum').work, isSame)).toBe('sum');
    expect([prepared, notices]).toEqual([3, ['CACHE_DAMAGED', 'CACHE_DAMAGED']]);
  });
});
