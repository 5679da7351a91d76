import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Bases, Prover } from '../../sdk/api/index.js';
import { PippinError } from '../../sdk/base/errors.js';
import type { MsmBackend, ResidentBases } from '../../sdk/bases/backend.js';
import { bn254 } from '../../sdk/curves/index.js';
import { encodePoint } from '../../sdk/curves/point-bytes.js';
import { GPU_CAPABILITIES } from '../../sdk/executors/capabilities.js';
import { GpuMsm } from '../../sdk/executors/gpu/msm/gpu-msm.js';
import { openDevice } from '../../sdk/executors/gpu/runtime/device.js';
import { PreparedCache } from '../../sdk/files/cache/prepared-cache.js';
import { fakeDevice } from '../support/fake-gpu.js';
import { FaultyStore } from '../support/faulty-store.js';
import { inPlaceProver } from '../support/in-place-prover.js';
import { dot, encodePoints, encodeScalars, multipleOf, progression } from '../support/points.js';

vi.mock('../../sdk/executors/gpu/runtime/device.js', async (original) => ({
  ...(await original<typeof import('../../sdk/executors/gpu/runtime/device.js')>()),
  openDevice: vi.fn(),
}));

const { points, factors } = progression(bn254, 3, 3n, 1n);
const SCALARS = [5n, 7n, 11n];
const EXPECTED = multipleOf(bn254, dot(factors, SCALARS))!;

/** What the GPU computes wrong: sums with altered multiples, or all of them. */
let computesWrong: 'altered' | 'all' = 'altered';
/** The multiples that were made from the file. */
let genuine: Uint8Array | undefined;
let store = new FaultyStore();
let prover: Prover;
let notices: string[] = [];

/** Replaces `GpuMsm` by a GPU that knows the sum, and whose wrong sums are found. */
function pretendGpu(): void {
  vi.mocked(openDevice).mockImplementation(async () => fakeDevice());
  vi.spyOn(GpuMsm, 'create').mockImplementation(async () => {
    const backend: MsmBackend<ResidentBases & { readonly areRight: boolean }> = {
      capabilities: GPU_CAPABILITIES,
      load: async ({ kept, multiples }) => {
        const bytes = await multiples?.use(async (all) => all?.slice());
        genuine ??= bytes;
        const areRight = bytes === undefined || Buffer.compare(bytes, genuine!) === 0;
        return { count: kept, areRight, release: () => undefined };
      },
      multiplyBatch: async ({ areRight }) => {
        if (computesWrong === 'all' || !areRight)
          throw new PippinError('RESULT_INVALID', 'expected a right sum, got none');
        return [{ kind: 'points', points: [encodePoint('bn254', 'g1', EXPECTED)] }] as const;
      },
    };
    return Object.assign(backend, {
      ready: Promise.resolve(),
      destroy: () => undefined,
      planMultiples: () => ({ plan: { windowBits: 8, rows: 8, multiples: 4 }, fits: true }),
    }) as unknown as GpuMsm;
  });
}

/** A visit: a prover whose GPU is ready, and bases with multiples. */
async function visit(backend: 'auto' | 'webgpu'): Promise<Bases> {
  await prover?.dispose();
  notices = [];
  prover = await inPlaceProver(
    { backend, threads: 1, cache: true, onNotice: ({ code }) => notices.push(code) },
    { gpu: async () => ({}) as GPU, openStore: async () => store },
  );
  await prover.loadBases({ curve: 'bn254', points: encodePoints(bn254, points.slice(0, 1)) });
  if (backend === 'auto') await expect.poll(() => notices).toContain('WEBGPU_READY');
  notices = [];
  return prover.loadBases({ curve: 'bn254', points: encodePoints(bn254, points), precompute: 4 });
}

async function expectSum(bases: Bases, executor: string): Promise<void> {
  const { x, y, report } = await prover.msm(bases, encodeScalars(SCALARS), { check: 'curve' });
  expect([x, y]).toEqual(EXPECTED);
  expect(report.executors).toEqual({ msm: [executor] });
}

/** Writes the multiples anew, with hashes that fit. */
async function alterMultiples(): Promise<void> {
  await prover.dispose();
  const manifests = [...store.chunks.keys()].filter((name) => /\/multiples\/.*#manifest$/.test(name));
  expect(manifests).toHaveLength(1);
  const key = manifests[0]!.slice(0, -'#manifest'.length);
  const cache = new PreparedCache(store);
  const outcome = await cache.load(key);
  if (outcome.kind !== 'hit') throw new Error(`expected a record, got ${outcome.kind}`);
  const { facts, arrays } = outcome.record;
  await cache.save(key, { facts, arrays: { multiples: arrays.multiples!.slice().reverse() } });
}

beforeEach(async () => {
  computesWrong = 'altered';
  genuine = undefined;
  store = new FaultyStore();
  pretendGpu();
});
afterEach(async () => {
  await prover.dispose();
  vi.restoreAllMocks();
});

describe.each(['auto', 'webgpu'] as const)('multiples from the cache, with %s', (backend) => {
  it('that were altered are made again within the first sum, and the GPU goes on being used', async () => {
    await expectSum(await visit(backend), 'webgpu');
    await alterMultiples();
    const bases = await visit(backend);
    expect(bases.report.cached).toBe(true);
    await expectSum(bases, 'wasm');
    expect(notices).toEqual(['CACHE_DAMAGED']);
    expect(prover.capabilities.webgpu.available).toBe(true);
    await expectSum(bases, 'webgpu');
    await expectSum(await visit(backend), 'webgpu');
    expect(notices).toEqual([]);
  });

  it('that were not altered do not excuse a GPU that computes wrong', async () => {
    await expectSum(await visit(backend), 'webgpu');
    const bases = await visit(backend);
    computesWrong = 'all';
    if (backend === 'webgpu') {
      await expect(prover.msm(bases, encodeScalars(SCALARS), { check: 'curve' })).rejects.toMatchObject({
        code: 'RESULT_INVALID',
      });
    } else {
      await expectSum(bases, 'wasm');
      expect(notices).toEqual(['WEBGPU_DISTRUSTED']);
    }
    await expectSum(bases, 'wasm');
    await expect.poll(() => prover.capabilities.webgpu.available).toBe(false);
  });
});
