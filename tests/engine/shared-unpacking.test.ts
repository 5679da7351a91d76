import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PippinError } from '../../sdk/base/errors.js';
import { type RootsOnDevice, SharedUnpacking } from '../../sdk/engine/sources/shared-unpacking.js';
import type { GpuDecompressed } from '../../sdk/executors/gpu/roots/gpu-roots.js';

/** Points of a job, of BN254's G1. */
const POINTS = 64;
const X_BYTES = 32;

interface Gpu extends Pick<RootsOnDevice, 'rate' | 'isTrusted'> {
  /** Points of each batch, and what ends it. */
  readonly batches: { readonly points: number; readonly end: (made?: Partial<GpuDecompressed>) => void }[];
  mostPoints: number;
}

/** A queue that gives its worker at most `width` jobs at a time; the test resolves each job. */
async function queueWith(width: number, rate: number | undefined) {
  const gpu: Gpu = { rate, isTrusted: true, batches: [], mostPoints: 8 * POINTS };
  const roots = {
    mostPoints: gpu.mostPoints,
    decompress: (compressed: Uint8Array) =>
      new Promise<GpuDecompressed>((resolve) => {
        const points = new Uint8Array(2 * compressed.length).fill(1);
        const end = (made: Partial<GpuDecompressed> = {}): void => resolve({ points, missing: [], ...made });
        gpu.batches.push({ points: compressed.length / X_BYTES, end });
      }),
  };
  const onDevice = Object.assign(gpu, { of: () => (gpu.isTrusted ? roots : undefined), release: () => undefined });
  const workers: { readonly first: number; readonly end: (error?: Error) => void }[] = [];
  const kernels = {
    decompress: (_: string, __: string, compressed: Uint8Array, ___: string, first: number) =>
      new Promise<Uint8Array>((resolve, reject) => {
        const points = new Uint8Array(2 * compressed.length).fill(2);
        workers.push({ first, end: (error) => (error === undefined ? resolve(points) : reject(error)) });
      }),
    transform: async () => new Uint8Array(1),
  };
  const queue = new SharedUnpacking(kernels, width, Promise.resolve(onDevice as unknown as RootsOnDevice));
  await Promise.resolve();
  /** Who computed the points of each job: 1 for the GPU, 2 for the worker. */
  const jobs = (count: number): Promise<number>[] =>
    Array.from({ length: count }, async (_, i) => {
      const x = new Uint8Array(POINTS * X_BYTES);
      return (await queue.decompress('bn254', 'g1', x, 'points', i * POINTS))[0]!;
    });
  return { queue, gpu, workers, jobs };
}

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

// A busy machine must not make the GPU look slow.
beforeEach(() => void vi.spyOn(performance, 'now').mockReturnValue(0));
afterEach(() => void vi.restoreAllMocks());

describe('the queue of points for workers and a GPU', () => {
  it('gives a GPU that was not measured one job, and the worker the next', async () => {
    const { gpu, workers, jobs } = await queueWith(2, undefined);
    const all = jobs(6);
    await turn();
    expect([gpu.batches.map(({ points }) => points), workers.map(({ first }) => first / POINTS)]).toEqual([
      [POINTS],
      [1, 2],
    ]);
    workers[0]!.end();
    await turn();
    expect(workers.map(({ first }) => first / POINTS)).toEqual([1, 2, 3]);
    gpu.batches[0]!.end();
    await turn();
    // Now it is known to be fast.
    expect(gpu.batches[1]!.points).toBe(2 * POINTS);
    gpu.batches[1]!.end();
    for (const { end } of workers) end();
    expect(await Promise.all(all)).toEqual([1, 2, 2, 2, 1, 1]);
  });

  it('gives a fast GPU everything, as much as it takes at a time, twice', async () => {
    const { gpu, workers, jobs, queue } = await queueWith(2, 1e9);
    const all = jobs(20);
    await turn();
    expect(gpu.batches.map(({ points }) => points)).toEqual([8 * POINTS, 8 * POINTS]);
    gpu.batches[0]!.end();
    await turn();
    expect(gpu.batches[2]!.points).toBe(4 * POINTS);
    for (const { end } of gpu.batches) end();
    expect(await Promise.all(all)).toEqual(Array.from({ length: 20 }, () => 1));
    expect([workers.length, queue.hasUsedGpu]).toEqual([0, true]);
  });

  it('gives the worker what a slow GPU would have done later', async () => {
    const { gpu, workers, jobs } = await queueWith(1, 0.01);
    const all = jobs(4);
    await turn();
    expect([gpu.batches.map(({ points }) => points), workers.length]).toEqual([[POINTS, POINTS], 1]);
    workers[0]!.end();
    await turn();
    for (const { end } of [...workers, ...gpu.batches]) end();
    expect(await Promise.all(all)).toEqual([1, 1, 2, 2]);
  });

  it('gives the worker everything once the GPU is stopped', async () => {
    const { gpu, workers, jobs, queue } = await queueWith(1, 1e9);
    queue.stopGpu();
    const all = jobs(2);
    await turn();
    workers[0]!.end();
    await turn();
    workers[1]!.end();
    expect(await Promise.all(all)).toEqual([2, 2]);
    expect(gpu.batches).toEqual([]);
  });

  it('has the worker decide where the GPU found no point, and doubts the GPU if there is one', async () => {
    for (const error of [undefined, new PippinError('INVALID_POINT', 'expected a point, got none')]) {
      const { gpu, workers, jobs } = await queueWith(1, 1e9);
      const all = Promise.allSettled(jobs(3));
      await turn();
      gpu.batches[0]!.end({ missing: [POINTS + 1] });
      await turn();
      expect(workers.map(({ first }) => first / POINTS)).toEqual([1]);
      workers[0]!.end(error);
      const [first, second, third] = await all;
      expect([first, third]).toEqual([first, third].map(() => ({ status: 'fulfilled', value: 1 })));
      expect(second).toEqual(
        error === undefined ? { status: 'fulfilled', value: 2 } : { status: 'rejected', reason: error },
      );
      expect(gpu.isTrusted).toBe(error !== undefined);
    }
  });
});
