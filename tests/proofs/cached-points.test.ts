import { expect, it, vi } from 'vitest';
import type { LoadedSource } from '../../sdk/cache/loaded-source.js';
import type { CacheRecord } from '../../sdk/cache/prepared-cache.js';
import type { KernelPool } from '../../sdk/cpu/pool/pool.js';
import { PippinError } from '../../sdk/errors.js';
import { CachedPoints } from '../../sdk/proofs/cached-points.js';
import type { Growth, ProofCall, RecordCache } from '../../sdk/proofs/proof-system.js';

const wrong = () => new PippinError('RESULT_INVALID', 'expected right sums, got a wrong one');
/** Points whose record has other bytes now or not, whose multiples came from the cache or not, and what was done with them. */
function cachedPoints({ altered = false, multiplesCached = false }) {
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
  const recordOf = (byte: number): CacheRecord => ({ facts: {}, arrays: { points: new Uint8Array([byte]) } });
  const cache = {
    drop: async () => void dropped(),
    save: async () => undefined,
    load: async (_call: unknown, _plan: string, _source: unknown, read: (record: CacheRecord) => Promise<unknown>) =>
      read(recordOf(altered ? 2 : 1)),
  };
  const points = new CachedPoints(
    { pool: {} as KernelPool, cache: cache as unknown as RecordCache },
    {
      plan: 'bases',
      source: {} as LoadedSource,
      bases: {},
      requests: {},
      growth,
      prepare: async () => ({}),
      toRecord: () => recordOf(1),
    },
    true,
  );
  const call = { notice: (code: string) => void notices.push(code) } as Partial<ProofCall> as ProofCall;
  return { points, call, dropped, notices };
}

/** A GPU whose results are wrong, and workers that do this, one after another. */
function workOf(...byWorkers: (() => number)[]) {
  return async (onWorkers: boolean): Promise<number> => {
    if (!onWorkers) throw wrong();
    return byWorkers.shift()!();
  };
}

const right = (): number => 7;
const fails = (): never => {
  throw wrong();
};

it('blames the GPU when the workers have a result and the record is what is prepared from the source', async () => {
  const { points, call, dropped, notices } = cachedPoints({});
  await expect(points.use(call, workOf(right))).rejects.toMatchObject({ code: 'RESULT_INVALID' });
  expect(dropped).toHaveBeenCalledOnce();
  expect(notices).toEqual([]);
});

it('does the work again when the record was altered, whatever the workers had before', async () => {
  for (const before of [right, fails]) {
    const { points, call, notices } = cachedPoints({ altered: true });
    expect(await points.use(call, workOf(before, right))).toBe(7);
    expect(notices).toEqual(['CACHE_DAMAGED']);
  }
});

it('does the work again when multiples came from the cache, which are not compared', async () => {
  const { points, call, dropped, notices } = cachedPoints({ multiplesCached: true });
  expect(await points.use(call, workOf(right, right))).toBe(7);
  expect(dropped).toHaveBeenCalledOnce();
  expect(notices).toEqual(['CACHE_DAMAGED']);
  // They were made from the source now: the next wrong sum is the GPU's.
  await expect(points.use(call, workOf(right))).rejects.toMatchObject({ code: 'RESULT_INVALID' });
});

it('rejects when the workers have no result with the points of the source either', async () => {
  const { points, call, notices } = cachedPoints({ altered: true });
  await expect(points.use(call, workOf(fails, fails))).rejects.toMatchObject({ code: 'RESULT_INVALID' });
  expect(notices).toEqual([]);
});

it('tells two calls that found it out at the same time', async () => {
  const { points, call, dropped } = cachedPoints({ altered: true });
  const calls = [points.use(call, workOf(right, right)), points.use(call, workOf(fails, right))];
  expect(await Promise.all(calls)).toEqual([7, 7]);
  expect(dropped).toHaveBeenCalledOnce();
});
