import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PippinError } from '../../sdk/base/errors.js';
import { CachedPoints } from '../../sdk/bases/cached-points.js';
import type { LoadedBases } from '../../sdk/bases/loaded-bases.js';
import type { Precomputation } from '../../sdk/bases/precompute.js';
import type { PreparedBases } from '../../sdk/bases/prepared.js';
import type { BasesCall, RecordCache } from '../../sdk/bases/record-cache.js';
import type { KernelPool } from '../../sdk/executors/workers/pool/pool.js';
import type { PrepareRequest } from '../../sdk/executors/workers/pool/prepare.js';
import type { LoadedSource } from '../../sdk/files/cache/loaded-source.js';
import type { CacheRecord } from '../../sdk/files/cache/prepared-cache.js';
import type { Way } from '../../sdk/recovery/attempt.js';

const wrong = () => new PippinError('RESULT_INVALID', 'expected right sums, got a wrong one');
/**
 * Points whose record, or whose multiples from the cache, have other bytes now or not; for a caller who requires the
 * GPU or not; and what was done with them.
 */
function cachedPoints({ altered = false, multiples = 'none' as 'none' | 'right' | 'altered', mayChoose = false }) {
  const dropped = vi.fn();
  const distrusted = vi.fn();
  const notices: string[] = [];
  const outlineOf = (fromCache: boolean): PreparedBases => ({ points: new Uint8Array(), fromCache }) as PreparedBases;
  const bases = {
    outline: outlineOf(true),
    hasCachedMultiples: multiples !== 'none',
    get isFromCache(): boolean {
      return this.outline.fromCache === true || this.hasCachedMultiples;
    },
    async renew(outline: PreparedBases): Promise<void> {
      this.outline = outline;
      this.hasCachedMultiples = false;
    },
    freePoints: async () => undefined,
  };
  const precomputation = {
    cachedAreThoseOf: async (): Promise<boolean> => {
      expect(dropped).not.toHaveBeenCalled();
      return multiples !== 'altered' || !bases.hasCachedMultiples;
    },
    restart: async () => undefined,
    load: async () => undefined,
    begin: () => undefined,
    release: () => undefined,
  } satisfies Precomputation;
  const recordOf = (byte: number): CacheRecord => ({ facts: {}, arrays: { points: new Uint8Array([byte]) } });
  const cache = {
    drop: async () => void dropped(),
    save: async () => undefined,
    load: async (_call: unknown, _plan: string, _source: unknown, read: (record: CacheRecord) => Promise<unknown>) =>
      read(recordOf(altered ? 2 : 1)),
  };
  const prepare = vi.fn(async () => ({ A: outlineOf(false) }));
  const points = new CachedPoints(
    {
      pool: {} as KernelPool,
      cache: cache as unknown as RecordCache,
      gpu: { isRequired: !mayChoose, distrust: distrusted },
    },
    {
      plan: 'bases',
      source: {} as LoadedSource,
      bases: { A: bases as unknown as LoadedBases },
      requests: { A: {} as PrepareRequest },
      precomputation,
      prepare,
      toRecord: () => recordOf(1),
    },
  );
  const call = { notice: (code: string) => void notices.push(code) } as Partial<BasesCall> as BasesCall;
  return { points, call, dropped, distrusted, notices, prepare };
}

/** A GPU whose results are wrong, and workers that do this, one after another. */
function workOf(...byWorkers: (() => number)[]) {
  return async ({ by }: Way): Promise<number> => {
    if (by !== 'workers') throw wrong();
    return byWorkers.shift()!();
  };
}

/** A proof of the GPU that does not verify, and one of the workers that does. */
function proofOf(fault = 'a proof made with it did not verify') {
  return async ({ by }: Way): Promise<number> => {
    if (by !== 'workers') throw new PippinError('PROOF_INVALID', fault);
    return 7;
  };
}

const right = (): number => 7;
const fails = (): never => {
  throw wrong();
};

describe('a wrong result', () => {
  it.each(['none', 'right'] as const)(
    "is the GPU's when the workers have a result and the cache has what is prepared from the source: multiples %s",
    async (multiples) => {
      const { points, call, dropped, distrusted, notices } = cachedPoints({ multiples });
      await expect(points.use(call, workOf(right))).rejects.toMatchObject({ code: 'RESULT_INVALID' });
      expect(dropped).toHaveBeenCalledOnce();
      expect(distrusted).toHaveBeenCalledOnce();
      expect(notices).toEqual([]);
    },
  );

  it("is replaced by the workers' for a caller who does not require the GPU, who is told that it is not used any more", async () => {
    const { points, call, distrusted, notices } = cachedPoints({ multiples: 'right', mayChoose: true });
    expect(await points.use(call, workOf(right))).toBe(7);
    expect(distrusted).toHaveBeenCalledOnce();
    expect(notices).toEqual(['WEBGPU_DISTRUSTED']);
  });

  it.each([true, false])(
    'is made again when the record was altered, whatever the workers had before',
    async (mayChoose) => {
      for (const before of [right, fails]) {
        const { points, call, distrusted, notices } = cachedPoints({ altered: true, mayChoose });
        expect(await points.use(call, workOf(before, right))).toBe(7);
        expect(notices).toEqual(['CACHE_DAMAGED']);
        expect(distrusted).not.toHaveBeenCalled();
      }
    },
  );

  it.each([true, false])('is made again when multiples from the cache were altered', async (mayChoose) => {
    const { points, call, dropped, distrusted, notices } = cachedPoints({ multiples: 'altered', mayChoose });
    expect(await points.use(call, workOf(right, right))).toBe(7);
    expect(dropped).toHaveBeenCalledOnce();
    expect(distrusted).not.toHaveBeenCalled();
    expect(notices).toEqual(['CACHE_DAMAGED']);
    // They were made from the source now: the next wrong sum is nobody's here.
    await expect(points.use(call, workOf(right))).rejects.toMatchObject({ code: 'RESULT_INVALID' });
  });

  it('stays one when the workers have no result with the points of the source either', async () => {
    const { points, call, notices } = cachedPoints({ altered: true });
    await expect(points.use(call, workOf(fails, fails))).rejects.toMatchObject({ code: 'RESULT_INVALID' });
    expect(notices).toEqual([]);
  });

  it('leaves the GPU alone as long as the points came from the cache, and is thrown as it is when they did not', async () => {
    const { points, call, distrusted } = cachedPoints({ altered: true });
    expect(await points.use(call, workOf(right, right))).toBe(7);
    // Who multiplies over points of the file has seen to it.
    await expect(points.use(call, workOf(right))).rejects.toMatchObject({ code: 'RESULT_INVALID' });
    expect(distrusted).not.toHaveBeenCalled();
  });

  it('that two calls found at the same time is told to both', async () => {
    const { points, call, dropped } = cachedPoints({ altered: true });
    const calls = [points.use(call, workOf(right, right)), points.use(call, workOf(fails, right))];
    expect(await Promise.all(calls)).toEqual([7, 7]);
    expect(dropped).toHaveBeenCalledOnce();
  });

  it("is the GPU's where the source can be read no more and the workers have a result; its records are deleted", async () => {
    const { points, call, dropped, distrusted, notices, prepare } = cachedPoints({ altered: true, mayChoose: true });
    prepare.mockRejectedValue(new PippinError('IO_FAILED', 'expected the file, got nothing'));
    expect(await points.use(call, workOf(right))).toBe(7);
    expect(dropped).toHaveBeenCalledOnce();
    expect(distrusted).toHaveBeenCalledOnce();
    expect(notices).toEqual(['WEBGPU_DISTRUSTED']);
  });
});

describe('where the code for altered points cannot be loaded', () => {
  beforeEach(() => {
    vi.doMock('../../sdk/bases/deferred-code.js', () => {
      throw new Error('no network');
    });
  });
  afterEach(() => vi.doUnmock('../../sdk/bases/deferred-code.js'));

  it('a wrong result stays the error that it was', async () => {
    const { points, call, dropped } = cachedPoints({ altered: true, mayChoose: true });
    await expect(points.use(call, workOf(right))).rejects.toMatchObject({ code: 'RESULT_INVALID' });
    expect(dropped).not.toHaveBeenCalled();
  });

  it("a right one is given, and a fault is the GPU's", async () => {
    const { points, call, notices } = cachedPoints({ altered: true, mayChoose: true });
    expect(await points.use(call, proofOf())).toBe(7);
    expect(notices).toEqual(['WEBGPU_DISTRUSTED']);
  });
});

describe('a right result that shows a fault of the GPU', () => {
  const FAULT = 'a proof made with it did not verify';
  const use = ({ points, call }: ReturnType<typeof cachedPoints>) => points.use(call, proofOf(FAULT));

  it.each([
    ['points', { altered: true }],
    ['multiples', { multiples: 'altered' }],
  ] as const)('is one of altered %s, and no reason to distrust the GPU', async (_, what) => {
    const made = cachedPoints({ ...what, mayChoose: true });
    expect(await use(made)).toBe(7);
    expect([made.notices, made.distrusted.mock.calls]).toEqual([['CACHE_DAMAGED'], []]);
    expect(await use(made)).toBe(7);
    expect(made.notices).toEqual(['CACHE_DAMAGED', 'WEBGPU_DISTRUSTED']);
  });

  it('is one where the cache is right', async () => {
    const made = cachedPoints({ multiples: 'right', mayChoose: true });
    expect(await use(made)).toBe(7);
    expect([made.notices, made.distrusted.mock.calls]).toEqual([['WEBGPU_DISTRUSTED'], [[FAULT]]]);
  });
});
