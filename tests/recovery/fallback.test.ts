import { describe, expect, it, vi } from 'vitest';
import { PippinError, type PippinErrorCode } from '../../sdk/base/errors.js';
import type { MsmObserver } from '../../sdk/bases/backend.js';
import { hostScalars } from '../../sdk/bases/scalar-vector.js';
import { fallback } from '../../sdk/recovery/fallback.js';
import { trusted } from '../../sdk/recovery/trusted.js';
import { BASES, FakeBackend, gate } from '../bases/fake-backend.js';

const SCALARS = hostScalars(new Uint8Array(64));
const failing = (code: PippinErrorCode) => (): never => {
  throw new PippinError(code, 'expected a right result, got none');
};
const FAULTS = ['DEVICE_LOST', 'OUT_OF_MEMORY', 'RESULT_INVALID', 'INTERNAL', 'WEBGPU_UNAVAILABLE'] as const;

function start(
  insist = false,
  wait = true,
): {
  gpu: FakeBackend;
  workers: FakeBackend;
  backend: ReturnType<typeof fallback>;
  observer: MsmObserver & { notice: ReturnType<typeof vi.fn> };
} {
  const [gpu, workers] = [new FakeBackend('webgpu'), new FakeBackend('wasm')];
  const observer = { span: (_phase: unknown, _executor: unknown, work: () => never) => work(), notice: vi.fn() };
  return { gpu, workers, backend: fallback(gpu, workers, { insist, wait }), observer };
}

describe('fallback', () => {
  it('multiplies on the first backend alone while that is right', async () => {
    const { gpu, workers, backend } = start();
    const bases = await backend.load(BASES);
    expect(bases.count).toBe(2);
    expect(await backend.multiplyBatch(bases, SCALARS, 1)).toMatchObject([{ executors: ['webgpu'] }]);
    expect([gpu.loads, workers.loads, workers.multiplications]).toEqual([1, 0, 0]);
    expect(backend.capabilities.executor).toBe('webgpu');
    bases.release();
    await vi.waitFor(() => expect(gpu.released).toBe(1));
  });

  it.each(FAULTS)('multiplies on the second after %s, and says so', async (code) => {
    const { gpu, workers, backend, observer } = start();
    gpu.onMultiply = failing(code);
    const bases = await backend.load(BASES);
    for (let i = 1; i <= 2; i++) {
      expect(await backend.multiplyBatch(bases, SCALARS, 3, { observer })).toMatchObject([
        { executors: ['wasm'] },
        { executors: ['wasm'] },
        { executors: ['wasm'] },
      ]);
      expect(observer.notice).toHaveBeenCalledTimes(i);
    }
    expect(observer.notice).toHaveBeenCalledWith('WEBGPU_DISTRUSTED', expect.stringContaining(code));
    expect(workers.loads).toBe(1);
  });

  it('rejects with what is no fault of a backend, and with every fault for a caller who insists', async () => {
    for (const code of ['ABORTED', 'DISPOSED', 'INVALID_LENGTH'] as const) {
      const { gpu, backend } = start();
      gpu.onMultiply = failing(code);
      await expect(backend.multiplyBatch(await backend.load(BASES), SCALARS, 1)).rejects.toMatchObject({ code });
    }
    for (const code of FAULTS) {
      const { gpu, workers, backend } = start(true);
      gpu.onMultiply = failing(code);
      await expect(backend.multiplyBatch(await backend.load(BASES), SCALARS, 1)).rejects.toMatchObject({ code });
      expect(workers.loads).toBe(0);
    }
  });

  it('rejects with a wrong result that may come of the bases, so that the caller can find out, and with nothing else', async () => {
    for (const code of FAULTS) {
      const { gpu, workers, backend, observer } = start();
      gpu.onMultiply = failing(code);
      const sum = backend.multiplyBatch(await backend.load(BASES), SCALARS, 1, { suspectsBases: true, observer });
      if (code === 'RESULT_INVALID') await expect(sum).rejects.toMatchObject({ code });
      else expect(await sum).toMatchObject([{ executors: ['wasm'] }]);
      const isLeft = code === 'RESULT_INVALID' ? 0 : 1;
      expect([workers.loads, observer.notice.mock.calls.length]).toEqual([isLeft, isLeft]);
    }
  });

  it('passes the first over when it is gone, or may not be trusted for this call', async () => {
    const { gpu, workers, backend, observer } = start(true);
    const bases = await backend.load(BASES);
    await backend.multiplyBatch(bases, SCALARS, 1, { trustedOnly: true, observer });
    expect(observer.notice).not.toHaveBeenCalled();
    gpu.isAvailable = false;
    expect(backend.capabilities.executor).toBe('wasm');
    await backend.multiplyBatch(bases, SCALARS, 1, { observer });
    expect([gpu.multiplications, workers.multiplications, workers.loads]).toEqual([0, 2, 1]);
    // A caller who insists on it is told.
    expect(observer.notice).toHaveBeenCalledExactlyOnceWith('WEBGPU_UNAVAILABLE', expect.any(String));
    await backend.load(BASES);
    expect([gpu.loads, workers.loads]).toEqual([1, 2]);
  });

  it('does not keep a load that failed, and refuses released bases', async () => {
    const { workers, gpu, backend } = start();
    gpu.isAvailable = false;
    workers.onLoad = failing('WORKER_FAILED');
    await expect(backend.load(BASES)).rejects.toMatchObject({ code: 'WORKER_FAILED' });
    gpu.isAvailable = true;
    const bases = await backend.load(BASES);
    gpu.isAvailable = false;
    await expect(backend.multiplyBatch(bases, SCALARS, 1)).rejects.toMatchObject({ code: 'WORKER_FAILED' });
    workers.onLoad = () => undefined;
    expect(await backend.multiplyBatch(bases, SCALARS, 1)).toHaveLength(1);
    bases.release();
    bases.release();
    await expect(backend.multiplyBatch(bases, SCALARS, 1)).rejects.toMatchObject({ code: 'DISPOSED' });
    await vi.waitFor(() => expect([gpu.released, workers.released]).toEqual([1, 1]));
  });
});

describe('fallback that does not wait', () => {
  it('multiplies on the second until the first is ready, and frees its copy then', async () => {
    const { gpu, workers, backend, observer } = start(false, false);
    gpu.isReady = false;
    const bases = await backend.load(BASES);
    await bases.settled;
    expect([gpu.loads, workers.loads]).toEqual([1, 1]);
    expect(backend.capabilities.executor).toBe('wasm');
    expect(await backend.multiplyBatch(bases, SCALARS, 1, { observer })).toMatchObject([{ executors: ['wasm'] }]);

    gpu.isReady = true;
    expect(backend.capabilities.executor).toBe('webgpu');
    for (let i = 0; i < 2; i++) {
      expect(await backend.multiplyBatch(bases, SCALARS, 1, { observer })).toMatchObject([{ executors: ['webgpu'] }]);
    }
    await vi.waitFor(() => expect(workers.released).toBe(1));
    expect([gpu.loads, workers.loads]).toEqual([1, 1]);
    expect(observer.notice).not.toHaveBeenCalled();
  });

  it('keeps the copy of the second while that multiplies', async () => {
    const { gpu, workers, backend } = start(false, false);
    gpu.isReady = false;
    const bases = await backend.load(BASES);
    const busy = gate();
    workers.onMultiply = () => busy.opened;
    const first = backend.multiplyBatch(bases, SCALARS, 1);
    gpu.isReady = true;
    await backend.multiplyBatch(bases, SCALARS, 1);
    busy.open();
    expect(await first).toMatchObject([{ executors: ['wasm'] }]);
    expect(workers.released).toBe(0);
    await backend.multiplyBatch(bases, SCALARS, 1);
    await vi.waitFor(() => expect(workers.released).toBe(1));
  });

  it('keeps a trusted copy beside that of the first until it is let go', async () => {
    const { gpu, workers, backend } = start();
    const bases = await backend.load(BASES);
    const shares = [{ worker: 1, from: 0, to: 2 }];
    await bases.trustedCopy!.load(shares);
    expect([gpu.loads, workers.loads]).toEqual([1, 1]);
    expect(workers.loadOptions?.shares).toEqual(shares);
    await backend.multiplyBatch(bases, SCALARS, 1);
    expect(await backend.multiplyBatch(bases, SCALARS, 1, { trustedOnly: true })).toMatchObject([
      { executors: ['wasm'] },
    ]);
    expect([workers.loads, workers.released]).toEqual([1, 0]);
    bases.trustedCopy!.free();
    await vi.waitFor(() => expect(workers.released).toBe(1));
    await bases.trustedCopy!.load(undefined);
    expect([workers.loads, workers.loadOptions?.shares]).toEqual([2, undefined]);
    bases.release();
    await expect(bases.trustedCopy!.load(undefined)).rejects.toMatchObject({ code: 'DISPOSED' });
  });

  it('does not replace a copy of the second that is in use', async () => {
    const { workers, backend } = start();
    const bases = await backend.load(BASES);
    const busy = gate();
    workers.onMultiply = () => busy.opened;
    const working = backend.multiplyBatch(bases, SCALARS, 1, { trustedOnly: true });
    await bases.trustedCopy!.load(undefined);
    busy.open();
    await working;
    expect([workers.loads, workers.released]).toEqual([1, 0]);
  });

  it('loads neither late nor for nothing: not onto a backend that is gone, and onto a ready one alone', async () => {
    const { gpu, workers, backend } = start(false, false);
    await backend.load(BASES);
    expect([gpu.loads, workers.loads]).toEqual([1, 0]);
    gpu.isAvailable = false;
    gpu.isReady = false;
    const bases = await backend.load(BASES);
    expect(bases.settled).toBeUndefined();
    expect([gpu.loads, workers.loads]).toEqual([1, 1]);
  });

  it('tries a load that failed once more when the first is ready', async () => {
    const { gpu, workers, backend } = start(false, false);
    gpu.isReady = false;
    gpu.onLoad = failing('OUT_OF_MEMORY');
    const bases = await backend.load(BASES);
    await bases.settled;
    expect(await backend.multiplyBatch(bases, SCALARS, 1)).toMatchObject([{ executors: ['wasm'] }]);
    gpu.onLoad = () => undefined;
    gpu.isReady = true;
    expect(await backend.multiplyBatch(bases, SCALARS, 1)).toMatchObject([{ executors: ['webgpu'] }]);
    expect([gpu.loads, workers.loads]).toEqual([2, 1]);
    bases.release();
    await vi.waitFor(() => expect([gpu.released, workers.released]).toEqual([1, 1]));
  });
});

describe('trusted', () => {
  it.each([
    { onlyWrongResults: false, others: ['OUT_OF_MEMORY', 'ABORTED'] },
    { onlyWrongResults: true, others: [...FAULTS.filter((code) => code !== 'RESULT_INVALID'), 'ABORTED'] },
  ])('reports faults that are reasons, with onlyWrongResults: $onlyWrongResults', async (given) => {
    for (const code of [...FAULTS, 'ABORTED'] as const) {
      const gpu = new FakeBackend('webgpu');
      gpu.onMultiply = failing(code);
      const distrust = vi.fn();
      const backend = trusted(gpu, { distrust, onlyWrongResults: given.onlyWrongResults });
      await expect(backend.multiplyBatch(await backend.load(BASES), SCALARS, 1)).rejects.toMatchObject({ code });
      expect(distrust).toHaveBeenCalledTimes(given.others.includes(code) ? 0 : 1);
    }
  });

  it.each([true, false])(
    'reports no wrong result that may come of the bases, with onlyWrongResults: %s',
    async (only) => {
      for (const code of FAULTS) {
        const gpu = new FakeBackend('webgpu');
        gpu.onMultiply = failing(code);
        const distrust = vi.fn();
        const backend = trusted(gpu, { distrust, onlyWrongResults: only });
        const sum = backend.multiplyBatch(await backend.load(BASES), SCALARS, 1, { suspectsBases: true });
        await expect(sum).rejects.toMatchObject({ code });
        expect(distrust).toHaveBeenCalledTimes(only || code === 'RESULT_INVALID' || code === 'OUT_OF_MEMORY' ? 0 : 1);
      }
    },
  );

  it('lets right results through, and is there as long as its backend is', async () => {
    const gpu = new FakeBackend('webgpu');
    const distrust = vi.fn();
    const backend = trusted(gpu, { distrust, onlyWrongResults: false });
    expect(await backend.multiplyBatch(await backend.load(BASES), SCALARS, 2)).toHaveLength(2);
    expect(distrust).not.toHaveBeenCalled();
    expect(backend.isAvailable).toBe(true);
    gpu.isAvailable = false;
    expect(backend.isAvailable).toBe(false);
  });
});
