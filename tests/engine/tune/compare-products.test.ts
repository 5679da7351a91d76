import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PippinError } from '../../../sdk/base/errors.js';
import {
  compareProducts,
  type MsmByProducts,
  onlyRight,
  type ProductsTrial,
  rightResultAtEdges,
} from '../../../sdk/engine/tune/compare-products.js';
import type { Products } from '../../../sdk/executors/gpu/runtime/device.js';
import { BASES, FakeBackend } from '../../bases/fake-backend.js';

/** What moves only when a backend multiplies. */
let now = 0;
beforeEach(() => {
  now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => vi.restoreAllMocks());

/** MSMs that take so many milliseconds, of which all have this result. */
function sums(products: Products, ms: number, result: () => number = () => 7) {
  const backend = new FakeBackend('webgpu');
  backend.multiplyBatch = async () => {
    backend.multiplications++;
    now += ms;
    return [{ point: new Uint8Array([result()]), executors: ['webgpu'] as const }];
  };
  return { products, backend } satisfies MsmByProducts;
}

function trial(changes: Partial<ProductsTrial> = {}): ProductsTrial {
  return {
    curve: 'bn254',
    bases: { take: (count: number) => ({ ...BASES, count, points: new Uint8Array() }) },
    turn: async () => undefined,
    leastMs: 0,
    deadline: 1e9,
    signal: new AbortController().signal,
    ...changes,
  };
}

describe('compareProducts', () => {
  it.each<[string, number[], Products]>([
    ['the fastest kind', [10, 8, 5], 'bytes'],
    ['the usual kind, if another is hardly faster', [100, 96, 98], 'limbs'],
    ['the faster of two that are faster', [10, 7, 7.5], 'unrolled'],
  ])('takes %s', async (_, [limbs, unrolled, bytes], fastest) => {
    const kinds = [sums('limbs', limbs!), sums('unrolled', unrolled!), sums('bytes', bytes!)] as const;
    const verdict = await compareProducts(kinds[0], kinds.slice(1), trial());
    expect(verdict.fastest.products).toBe(fastest);
    expect(verdict.times).toEqual({ points: 2 ** 14, ms: { limbs, unrolled, bytes } });
    // The usual kind finds the size.
    expect(kinds.map(({ backend }) => backend.multiplications)).toEqual([8, 6, 6]);
    for (const { backend } of kinds) expect(backend.released).toBe(backend.loads);
  });

  it.each([
    [[5, 8, 0], 2 ** 16],
    [[2, 3, 7], 2 ** 18],
    [[90, 0, 0], 2 ** 14],
  ])('compares where an MSM takes long enough: of %j ms at %i points', async (ms, points) => {
    const usual = sums('limbs', 0);
    usual.backend.multiplyBatch = async ({ count }) => {
      now += ms[[2 ** 14, 2 ** 16, 2 ** 18].indexOf(count)]!;
      return [{ point: new Uint8Array([7]), executors: ['webgpu'] as const }];
    };
    expect((await compareProducts(usual, [], trial())).times.points).toBe(points);
  });

  it('goes on for the least time, in turns', async () => {
    const order: string[] = [];
    const kinds = (['limbs', 'bytes'] as const).map((products) => {
      const made = sums(products, 10);
      made.backend.onLoad = () => void order.push(products);
      return made;
    });
    let turns = 0;
    await compareProducts(kinds[0]!, [kinds[1]!], trial({ leastMs: 400, turn: async () => void turns++ }));
    expect(kinds.map(({ backend }) => backend.multiplications)).toEqual([60, 20]);
    expect(turns).toBe(80);
    expect(order).toEqual(['limbs', 'limbs', 'bytes']);
  });

  it('stays with the usual kind where the time suffices for no run', async () => {
    const [usual, other] = [sums('limbs', 600), sums('bytes', 1)];
    const verdict = await compareProducts(usual, [other], trial({ deadline: 500 }));
    expect(verdict).toEqual({ fastest: usual, times: { points: 2 ** 14, ms: {} } });
  });

  it('leaves out a kind whose result changes', async () => {
    let run = 0;
    const [usual, other] = [sums('limbs', 10), sums('unrolled', 1, () => (++run > 3 ? 8 : 7))];
    expect(await compareProducts(usual, [other], trial())).toEqual({
      fastest: usual,
      times: { points: 2 ** 14, ms: { limbs: 10 } },
    });
    expect(other.backend).toMatchObject({ multiplications: 4, loads: 1, released: 1 });
  });

  it('fails with a usual kind that fails, and releases what it loaded', async () => {
    const [usual, other] = [sums('limbs', 10), sums('unrolled', 1)];
    usual.backend.multiplyBatch = async () => {
      throw new PippinError('DEVICE_LOST', 'it went');
    };
    await expect(compareProducts(usual, [other], trial())).rejects.toMatchObject({ code: 'DEVICE_LOST' });
    expect(usual.backend).toMatchObject({ loads: 1, released: 1 });
  });
});

describe('results at the edges', () => {
  const reasons: string[] = [];
  const gpuExecutor = { isRequired: false, distrust: (reason: string) => void reasons.push(reason) };
  afterEach(() => void reasons.splice(0));

  it("are the workers', or the GPU is distrusted", async () => {
    const workers = sums('limbs', 1).backend;
    const right = await rightResultAtEdges({ workers, gpuExecutor }, sums('limbs', 1).backend, trial());
    expect(right).toEqual(new Uint8Array([7]));
    expect(reasons).toEqual([]);
    const wrong = sums('limbs', 1, () => 8).backend;
    await expect(rightResultAtEdges({ workers, gpuExecutor }, wrong, trial())).rejects.toMatchObject({
      code: 'RESULT_INVALID',
    });
    expect(reasons).toHaveLength(1);
  });

  it('leave kinds out that are wrong or fail', async () => {
    const [good, wrong, failing] = [sums('limbs', 1), sums('unrolled', 1, () => 8), sums('bytes', 1)];
    failing.backend.onLoad = () => {
      throw new PippinError('OUT_OF_MEMORY', 'too much');
    };
    expect(await onlyRight([good, wrong, failing], new Uint8Array([7]), trial())).toEqual([good]);
    expect(wrong.backend.released).toBe(1);
  });

  it('are not sought any more after an abort', async () => {
    const signal = AbortSignal.abort();
    await expect(onlyRight([sums('limbs', 1)], new Uint8Array([7]), trial({ signal }))).rejects.toMatchObject({
      code: 'ABORTED',
    });
  });
});
