import { describe, expect, it, vi } from 'vitest';
import { PippinError } from '../../sdk/base/errors.js';
import { hostScalars } from '../../sdk/bases/scalar-vector.js';
import { recomputed } from '../../sdk/recovery/recompute-check.js';
import { BASES, FakeBackend } from '../bases/fake-backend.js';

const SCALARS = hostScalars(new Uint8Array(64));
const RECOMPUTE = { check: 'recompute', windowBits: 7, scalarBits: 9 } as const;

function start() {
  const [gpu, workers] = [new FakeBackend('webgpu'), new FakeBackend('wasm')];
  return { gpu, workers, backend: recomputed(gpu, workers) };
}

describe('recomputed', () => {
  it('compares all sums of a batch with those of the trusted backend, which loads the bases once', async () => {
    const { gpu, workers, backend } = start();
    const bases = await backend.load(BASES);
    expect(workers.loads).toBe(0);
    for (let call = 0; call < 2; call++) {
      expect(await backend.multiplyBatch(bases, SCALARS, 3, RECOMPUTE)).toHaveLength(3);
    }
    expect([gpu.multiplications, workers.multiplications, workers.loads]).toEqual([6, 6, 1]);
    expect(workers.options).toEqual({ windowBits: 7, scalarBits: 9, signal: undefined });
    bases.release();
    await vi.waitFor(() => expect([gpu.released, workers.released]).toEqual([1, 1]));
  });

  it('rejects when one of them differs', async () => {
    const { gpu, workers, backend } = start();
    const bases = await backend.load(BASES);
    await backend.multiplyBatch(bases, SCALARS, 1);
    await expect(backend.multiplyBatch(bases, SCALARS, 2, RECOMPUTE)).rejects.toMatchObject({ code: 'RESULT_INVALID' });
    expect([gpu.multiplications, workers.multiplications]).toEqual([3, 2]);
  });

  it('rejects when one of several differs, whichever it is, or when there are fewer', async () => {
    const right = [1, 2, 3].map((value) => ({ point: Uint8Array.of(value), executors: ['wasm'] as const }));
    const wrong = { point: Uint8Array.of(9), executors: ['wasm'] as const };
    for (const sums of [...right.map((_, i) => right.with(i, wrong)), right.slice(1), right.slice(0, 2)]) {
      const { gpu, workers, backend } = start();
      gpu.multiplyBatch = async () => sums;
      workers.multiplyBatch = async () => right;
      const call = backend.multiplyBatch(await backend.load(BASES), SCALARS, 3, RECOMPUTE);
      await expect(call).rejects.toMatchObject({ code: 'RESULT_INVALID' });
    }
  });

  it.each(['curve', 'random', undefined] as const)(
    'leaves sums to the backend alone with the check %s',
    async (check) => {
      const { gpu, workers, backend } = start();
      const bases = await backend.load(BASES);
      await backend.multiplyBatch(bases, SCALARS, 1, { check });
      expect(gpu.options).toEqual({ check });
      expect(workers.loads).toBe(0);
      gpu.isReady = false;
      expect([backend.isReady, backend.isAvailable]).toEqual([false, true]);
    },
  );

  it('rejects with the error of either backend', async () => {
    for (const failing of ['gpu', 'workers'] as const) {
      const made = start();
      const bases = await made.backend.load(BASES);
      made[failing].onMultiply = () => {
        throw new PippinError('OUT_OF_MEMORY', 'the fake is full');
      };
      const call = made.backend.multiplyBatch(bases, SCALARS, 1, RECOMPUTE);
      await expect(call).rejects.toMatchObject({ code: 'OUT_OF_MEMORY' });
    }
  });
});
