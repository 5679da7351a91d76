import { expect, it, vi } from 'vitest';
import type { LoadedSource } from '../../sdk/cache/loaded-source.js';
import type { CacheRecord } from '../../sdk/cache/prepared-cache.js';
import type { KernelPool } from '../../sdk/cpu/pool/pool.js';
import { PippinError } from '../../sdk/errors.js';
import { CachedPoints } from '../../sdk/proofs/cached-points.js';
import type { Growth, ProofCall, RecordCache } from '../../sdk/proofs/proof-system.js';

const wrong = () => new PippinError('RESULT_INVALID', 'expected right sums, got a wrong one');
const same = (one: number, other: number): boolean => one === other;

/** Points without vectors, whose multiples came from the cache or not, and what was done with them. */
function cachedPoints(multiplesCached: boolean) {
  const dropped = vi.fn();
  const notices: string[] = [];
  const growth = {
    usesCache: multiplesCached,
    restart: async () => {
      growth.usesCache = false;
    },
    load: async () => undefined,
    begin: () => undefined,
    release: () => undefined,
  } satisfies Growth;
  const cache = { drop: async () => void dropped(), save: async () => undefined };
  const points = new CachedPoints(
    { pool: {} as KernelPool, cache: cache as Partial<RecordCache> as RecordCache },
    {
      plan: 'bases',
      source: {} as LoadedSource,
      bases: {},
      requests: {},
      growth,
      prepare: async () => ({}),
      toRecord: () => ({}) as CacheRecord,
    },
    true,
  );
  const call = { notice: (code: string) => void notices.push(code) } as Partial<ProofCall> as ProofCall;
  return { points, call, dropped, notices };
}

/** A GPU whose results are wrong, and workers that give these, one after another. */
function workOf(...byWorkers: number[]) {
  return async (onWorkers: boolean): Promise<number> => {
    if (!onWorkers) throw wrong();
    return byWorkers.shift()!;
  };
}

it('blames the GPU when the workers give the same sum before and after the points were prepared again', async () => {
  const { points, call, dropped, notices } = cachedPoints(false);
  await expect(points.use(call, workOf(7, 7), same)).rejects.toMatchObject({ code: 'RESULT_INVALID' });
  expect(dropped).toHaveBeenCalledOnce();
  expect(notices).toEqual([]);
});

it('takes the sum of the points that were prepared again when it is another', async () => {
  const { points, call, notices } = cachedPoints(false);
  expect(await points.use(call, workOf(7, 8), same)).toBe(8);
  expect(notices).toEqual(['CACHE_DAMAGED']);
});

it('takes the sum of the workers when multiples of the GPU came from the cache', async () => {
  const { points, call, dropped, notices } = cachedPoints(true);
  expect(await points.use(call, workOf(7, 7), same)).toBe(7);
  expect(dropped).toHaveBeenCalledOnce();
  expect(notices).toEqual(['CACHE_DAMAGED']);
  // They were prepared from their source now: the next wrong sum is the GPU's.
  await expect(points.use(call, workOf(7, 7), same)).rejects.toMatchObject({ code: 'RESULT_INVALID' });
});

it('makes a proof again whose points were right but whose multiples came from the cache', async () => {
  const { points, call, notices } = cachedPoints(true);
  expect(await points.use(call, workOf(7, 7))).toBe(7);
  expect(notices).toEqual(['CACHE_DAMAGED']);
});
