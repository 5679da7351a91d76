import { describe, expect, it, vi } from 'vitest';
import { PippinError } from '../../sdk/base/errors.js';
import { gpuOrWorkers } from '../../sdk/bases/gpu-or-workers.js';
import { LoadedBases } from '../../sdk/bases/loaded-bases.js';
import { HeldMultiples } from '../../sdk/bases/precompute.js';
import { hostScalars } from '../../sdk/bases/scalar-vector.js';
import { asDevice, BASES, FakeBackend } from './fake-backend.js';

const SCALARS = hostScalars(new Uint8Array(64));
const { points: POINTS, ...OUTLINE } = BASES;
const MULTIPLES = new HeldMultiples('webgpu', { windowBits: 8, rows: 16, multiples: 2 }, new Uint8Array(128));

/** Bases on a device that can be lost, with workers beside it. */
function start() {
  const [gpu, workers] = [new FakeBackend('webgpu'), new FakeBackend('wasm')];
  const held = {
    get: async () => POINTS as Uint8Array,
    use: <T>(work: (points: Uint8Array) => Promise<T>) => work(POINTS as Uint8Array),
    free: vi.fn(async () => undefined),
  };
  const bases = new LoadedBases(OUTLINE, held, {
    backend: gpuOrWorkers({ gpu: asDevice(gpu, true), workers, compareWith: undefined, waits: true }),
    arithmeticFor: () => {
      throw new Error('expected no arithmetic');
    },
  });
  return { gpu, workers, held, bases };
}

describe('LoadedBases', () => {
  it('keeps its copy where one with multiples cannot be loaded', async () => {
    const { gpu, bases } = start();
    await bases.load({});
    gpu.onLoad = () => {
      throw new PippinError('OUT_OF_MEMORY', 'the fake is full');
    };
    await expect(bases.addMultiples(MULTIPLES, POINTS as Uint8Array)).rejects.toMatchObject({ code: 'OUT_OF_MEMORY' });
    expect(await bases.multiply(SCALARS, {})).toMatchObject({ executors: ['webgpu'] });
    expect([gpu.loads, gpu.released]).toEqual([2, 0]);
  });

  it('brings a trusted copy along, with its shares', async () => {
    const { gpu, workers, bases } = start();
    const shares = [{ worker: 1, from: 0, to: 2 }];
    await bases.keepTrustedCopy(shares);
    await bases.addMultiples(MULTIPLES, POINTS as Uint8Array);
    expect([gpu.loads, workers.loads, workers.loadOptions?.shares]).toEqual([2, 2, shares]);
    await bases.multiply(SCALARS, { trustedOnly: true });
    expect(workers.loads).toBe(2);
    await bases.freeTrustedCopy();
    await bases.addMultiples(MULTIPLES, POINTS as Uint8Array);
    expect(workers.loads).toBe(2);
  });

  it('knows whether its points or multiples came from the cache', async () => {
    const { bases, held } = start();
    expect(bases.isFromCache).toBe(false);
    const cached = new HeldMultiples('webgpu', MULTIPLES.plan, new Uint8Array(128), true);
    await bases.addMultiples(cached, POINTS as Uint8Array);
    expect(bases.isFromCache).toBe(true);
    await bases.renew({ ...OUTLINE, fromCache: true }, held);
    expect(bases.isFromCache).toBe(true);
    await bases.renew(OUTLINE, held);
    expect(bases.isFromCache).toBe(false);
  });

  it('tells when the prepared points have gone, also when they could not be loaded', async () => {
    for (const fails of [false, true]) {
      const { gpu, held, bases } = start();
      if (fails) {
        gpu.onLoad = () => {
          throw new PippinError('INVALID_POINT', 'the fake refuses');
        };
      }
      let freed = false;
      void bases.pointsFreed.then(() => {
        freed = true;
      });
      await Promise.resolve();
      expect(freed).toBe(false);
      await bases.freePoints().catch(() => undefined);
      await expect.poll(() => freed).toBe(true);
      expect(held.free).toHaveBeenCalledTimes(fails ? 0 : 1);
    }
  });
});
