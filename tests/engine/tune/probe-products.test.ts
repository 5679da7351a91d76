import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { PerformanceMap } from '../../../sdk/api/index.js';
import { PippinError } from '../../../sdk/base/errors.js';
import type { EngineContext } from '../../../sdk/engine/context.js';
import { MAP_FORMAT } from '../../../sdk/engine/tune/performance-map.js';
import { probeProducts } from '../../../sdk/engine/tune/probe-products.js';
import { SampleBases } from '../../../sdk/engine/tune/sample-bases.js';
import type { Products } from '../../../sdk/executors/gpu/runtime/device.js';
import { BASES, FakeBackend } from '../../bases/fake-backend.js';

const WORKERS: PerformanceMap['workers'] = { threads: 3, rows: [] };

let now = 0;
beforeEach(() => {
  now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const take = (count: number) => ({ ...BASES, count, points: new Uint8Array() });
  vi.spyOn(SampleBases, 'prepare').mockResolvedValue({ take } as unknown as SampleBases);
});
afterEach(() => vi.restoreAllMocks());

/** Finished MSMs that all take so many milliseconds and give this byte. */
function sums(ms: number, result = 7): FakeBackend {
  const backend = new FakeBackend('webgpu');
  backend.multiplyBatch = async () => {
    now += ms;
    return [{ point: new Uint8Array([result]), executors: ['webgpu'] as const }];
  };
  return backend;
}

/** Probes a GPU whose usual products are by limbs; `others` compile each other kind. */
async function probe(
  usual: FakeBackend | undefined,
  others: Partial<Record<Products, () => FakeBackend>> = {},
  map?: PerformanceMap,
) {
  const kept: PerformanceMap[] = [];
  const destroyed: Products[] = [];
  const [notice, distrust] = [vi.fn(), vi.fn()];
  const onGpu = usual && {
    adapter: 'apple metal-3',
    isSoftware: false,
    products: 'limbs',
    backend: usual,
    otherProducts: Object.keys(others),
    compile: async (products: Products) => ({
      products,
      backend: others[products]!(),
      destroy: () => void destroyed.push(products),
    }),
  };
  const backends = {
    tunableOnGpu: async () => onGpu,
    workers: sums(1),
    gpuExecutor: { isRequired: false, distrust },
    arithmeticFor: () => undefined,
    pool: { size: WORKERS.threads },
  };
  const cache = { saveMap: async (saved: PerformanceMap) => void kept.push(saved) };
  let turns = 0;
  const call = { signal: new AbortController().signal, notice };
  const probed = probeProducts({ backends, cache, map } as unknown as EngineContext, call, 'bn254', async () => {
    turns++;
  });
  const failure = await probed.then(
    () => undefined,
    (error: unknown) => error,
  );
  return { gpus: kept.map(({ gpu }) => gpu), kept, destroyed, notice, distrust, failure, turns };
}

const UNDECIDED = { adapter: 'apple metal-3', products: 'limbs', rows: [] };

it('keeps the fastest kind of products, and before that the usual one, should the driver crash', async () => {
  const { kept, gpus, destroyed, turns } = await probe(sums(10), { unrolled: () => sums(4), words: () => sums(5) });
  const productTimes = { points: 2 ** 14, ms: { limbs: 10, unrolled: 4, words: 5 } };
  expect(gpus).toEqual([UNDECIDED, { ...UNDECIDED, products: 'unrolled', productTimes }]);
  expect(kept[1]).toMatchObject({ format: MAP_FORMAT, workers: WORKERS });
  expect(destroyed).toEqual(['unrolled', 'words']);
  // Every MSM lets calls go first: 16 rounds of three within the least time, and the trials before.
  expect(turns).toBeGreaterThan(3 * 16);
});

it("keeps what the workers' rows of another adapter's map say", async () => {
  const workers = { threads: 3, rows: [{ curve: 'bn254', group: 'g1', points: 1024, work: 16_384, ms: 3 }] } as const;
  const gpu = { adapter: 'another', products: 'bytes', rows: [] } as const;
  const { kept } = await probe(sums(10), {}, { format: MAP_FORMAT, made: '', platform: '', workers, gpu });
  expect(kept.map((map) => [map.workers, map.gpu?.adapter])).toEqual([
    [workers, 'apple metal-3'],
    [workers, 'apple metal-3'],
  ]);
});

it('leaves out kinds that do not compile or compute wrong', async () => {
  const { gpus, destroyed } = await probe(sums(10), {
    unrolled: () => {
      throw new PippinError('INTERNAL', 'the driver refused it');
    },
    words: () => sums(1, 8),
  });
  expect(gpus[1]).toEqual({ ...UNDECIDED, productTimes: { points: 2 ** 14, ms: { limbs: 10 } } });
  expect(destroyed).toEqual(['words']);
});

it('has a GPU distrusted that computes wrong', async () => {
  const { gpus, destroyed, notice, distrust, failure } = await probe(sums(10, 8), { words: () => sums(1) });
  expect(failure).toMatchObject({ code: 'RESULT_INVALID' });
  expect(distrust).toHaveBeenCalledTimes(1);
  expect(notice).toHaveBeenCalledWith('WEBGPU_DISTRUSTED', expect.stringContaining('the GPU is used no more'));
  expect(gpus).toEqual([UNDECIDED]);
  expect(destroyed).toEqual(['words']);
});

it('keeps nothing where the GPU went meanwhile', async () => {
  expect(await probe(undefined)).toMatchObject({ kept: [], failure: undefined });
});
