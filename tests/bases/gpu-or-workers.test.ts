import { describe, expect, it, vi } from 'vitest';
import { PippinError, type PippinErrorCode } from '../../sdk/base/errors.js';
import type { CompleteMsmBackend, MsmObserver, RevocableBackend } from '../../sdk/bases/backend.js';
import { gpuOrWorkers, type MsmDevice } from '../../sdk/bases/gpu-or-workers.js';
import { HeldMultiples } from '../../sdk/bases/precompute.js';
import { hostScalars } from '../../sdk/bases/scalar-vector.js';
import { asDevice, BASES, FakeBackend, gate } from './fake-backend.js';

const SCALARS = hostScalars(new Uint8Array(64));
const failing = (code: PippinErrorCode) => (): never => {
  throw new PippinError(code, 'expected a right result, got none');
};
const FAULTS = ['DEVICE_LOST', 'OUT_OF_MEMORY', 'RESULT_INVALID', 'INTERNAL', 'WEBGPU_UNAVAILABLE'] as const;

function start(
  isRequired = false,
  waits = true,
): {
  gpu: FakeBackend;
  workers: FakeBackend;
  backend: RevocableBackend;
  observer: MsmObserver & { notice: ReturnType<typeof vi.fn> };
  distrust: ReturnType<typeof vi.fn<(reason: string) => void>>;
} {
  const [gpu, workers] = [new FakeBackend('webgpu'), new FakeBackend('wasm')];
  const observer = { span: (_phase: unknown, _executor: unknown, work: () => never) => work(), notice: vi.fn() };
  const distrust = vi.fn<(reason: string) => void>();
  const device = asDevice(gpu, isRequired, distrust);
  const backend = gpuOrWorkers({ gpu: device, workers, compareWith: workers, waits });
  return { gpu, workers, backend, observer, distrust };
}

describe('gpuOrWorkers', () => {
  it('multiplies on the first backend alone while that is right', async () => {
    const { gpu, workers, backend } = start();
    const bases = await backend.load(BASES);
    expect(bases.count).toBe(2);
    expect(await backend.multiplyBatch(bases, SCALARS, 1)).toMatchObject([{ executors: ['webgpu'] }]);
    expect([gpu.loads, workers.loads, workers.multiplications]).toEqual([1, 0, 0]);
    expect(backend.capabilities.executor).toBe('webgpu');
    bases.release();
    await expect.poll(() => gpu.released).toBe(1);
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

  it('rejects with a wrong result that may come of cached points, which the call around it judges, and with nothing else', async () => {
    for (const isRequired of [false, true]) {
      for (const code of FAULTS) {
        const { gpu, workers, backend, observer, distrust } = start(isRequired);
        gpu.onMultiply = failing(code);
        const bases = await backend.load({ ...BASES, fromCache: true });
        const sum = backend.multiplyBatch(bases, SCALARS, 1, { observer });
        if (isRequired || code === 'RESULT_INVALID') await expect(sum).rejects.toMatchObject({ code });
        else expect(await sum).toMatchObject([{ executors: ['wasm'] }]);
        const isLeft = isRequired || code === 'RESULT_INVALID' ? 0 : 1;
        expect([workers.loads, observer.notice.mock.calls.length]).toEqual([isLeft, isLeft]);
        expect(distrust).toHaveBeenCalledTimes(isLeft === 1 && code !== 'OUT_OF_MEMORY' ? 1 : 0);
      }
    }
  });

  it('takes multiples from the cache for cached points', async () => {
    const { gpu, backend } = start();
    gpu.onMultiply = failing('RESULT_INVALID');
    const multiples = new HeldMultiples('webgpu', { windowBits: 8, rows: 16, multiples: 2 }, new Uint8Array(128), true);
    const bases = await backend.load({ ...BASES, multiples });
    await expect(backend.multiplyBatch(bases, SCALARS, 1)).rejects.toMatchObject({ code: 'RESULT_INVALID' });
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
    await expect.poll(() => [gpu.released, workers.released]).toEqual([1, 1]);
  });
});

describe('gpuOrWorkers that does not wait', () => {
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
    await expect.poll(() => workers.released).toBe(1);
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
    await expect.poll(() => workers.released).toBe(1);
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
    await expect.poll(() => workers.released).toBe(1);
    await bases.trustedCopy!.load(undefined);
    expect([workers.loads, workers.loadOptions?.shares]).toEqual([2, undefined]);
    bases.release();
    await expect(bases.trustedCopy!.load(undefined)).rejects.toMatchObject({ code: 'DISPOSED' });
  });

  it('keeps the copy of the second with these shares that is there', async () => {
    const { workers, backend } = start();
    const bases = await backend.load(BASES);
    await backend.multiplyBatch(bases, SCALARS, 1, { trustedOnly: true });
    await bases.trustedCopy!.load(undefined);
    await backend.multiplyBatch(bases, SCALARS, 1);
    expect([workers.loads, workers.released]).toEqual([1, 0]);
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
    await expect.poll(() => [gpu.released, workers.released]).toEqual([1, 1]);
  });
});

describe('gpuOrWorkers and trust', () => {
  it.each([
    { isRequired: false, others: ['OUT_OF_MEMORY', 'ABORTED'] },
    { isRequired: true, others: [...FAULTS.filter((code) => code !== 'RESULT_INVALID'), 'ABORTED'] },
  ])('distrusts the GPU for faults that are reasons, required: $isRequired', async ({ isRequired, others }) => {
    for (const code of [...FAULTS, 'ABORTED'] as const) {
      const { gpu, backend, distrust } = start(isRequired);
      gpu.onMultiply = failing(code);
      const sum = backend.multiplyBatch(await backend.load(BASES), SCALARS, 1);
      if (isRequired || code === 'ABORTED') await expect(sum).rejects.toMatchObject({ code });
      else await sum;
      expect(distrust).toHaveBeenCalledTimes(others.includes(code) ? 0 : 1);
    }
  });

  it('lets right results through, and is there as long as its GPU is', async () => {
    const { gpu, backend, distrust } = start();
    expect(await backend.multiplyBatch(await backend.load(BASES), SCALARS, 2)).toHaveLength(2);
    expect(distrust).not.toHaveBeenCalled();
    expect(backend.isAvailable).toBe(true);
    gpu.isAvailable = false;
    expect(backend.isAvailable).toBe(false);
  });
});

/** A device that can be opened `times` more. */
class FakeDevice implements MsmDevice {
  readonly isRequired = true;
  readonly distrust = vi.fn();
  readonly backends = [new FakeBackend('webgpu')];
  opened: Promise<CompleteMsmBackend> | undefined = Promise.resolve(this.backends[0]!);

  constructor(private readonly times: number) {}

  get capabilities() {
    return this.backends[0]!.capabilities;
  }

  current(): Promise<CompleteMsmBackend> | undefined {
    return this.opened;
  }

  isReady(): boolean {
    return true;
  }

  async reopen(lost: Promise<CompleteMsmBackend>): Promise<boolean> {
    if (this.opened !== lost && this.opened !== undefined) return true;
    this.opened = undefined;
    if (this.backends.length > this.times) return false;
    const fresh = new FakeBackend('webgpu');
    this.backends.push(fresh);
    this.opened = Promise.resolve(fresh);
    return true;
  }
}

function startAlone(times: number): { device: FakeDevice; backend: RevocableBackend } {
  const device = new FakeDevice(times);
  return { device, backend: gpuOrWorkers({ gpu: device, workers: undefined, compareWith: undefined, waits: true }) };
}

describe('gpuOrWorkers on a device that can be lost', () => {
  it('loads once a device, and computes what was lost once more', async () => {
    const { device, backend } = startAlone(1);
    const bases = await backend.load(BASES);
    await backend.multiplyBatch(bases, SCALARS, 1);
    device.backends[0]!.onMultiply = failing('DEVICE_LOST');
    expect(await backend.multiplyBatch(bases, SCALARS, 2)).toHaveLength(2);
    await backend.multiplyBatch(bases, SCALARS, 1);
    expect(device.backends.map(({ loads }) => loads)).toEqual([1, 1]);
    expect(device.backends[1]!.multiplications).toBe(3);
  });

  it('rejects when no other device is to be had, and when that is lost, too', async () => {
    const none = startAlone(0);
    none.device.backends[0]!.onMultiply = failing('DEVICE_LOST');
    const bases = await none.backend.load(BASES);
    await expect(none.backend.multiplyBatch(bases, SCALARS, 1)).rejects.toMatchObject({ code: 'DEVICE_LOST' });
    expect(none.backend.isAvailable).toBe(false);
    await expect(none.backend.multiplyBatch(bases, SCALARS, 1)).rejects.toMatchObject({ code: 'DEVICE_LOST' });

    const { device, backend } = startAlone(2);
    device.backends[0]!.onMultiply = failing('DEVICE_LOST');
    const reopen = device.reopen.bind(device);
    device.reopen = async (lost) => {
      const again = await reopen(lost);
      device.backends.at(-1)!.onMultiply = failing('DEVICE_LOST');
      return again;
    };
    await expect(backend.multiplyBatch(await backend.load(BASES), SCALARS, 1)).rejects.toMatchObject({
      code: 'DEVICE_LOST',
    });
    expect(device.backends).toHaveLength(2);
  });

  it('does not open another device for any other fault', async () => {
    for (const code of ['OUT_OF_MEMORY', 'RESULT_INVALID', 'INTERNAL', 'ABORTED'] as const) {
      const { device, backend } = startAlone(3);
      device.backends[0]!.onMultiply = failing(code);
      await expect(backend.multiplyBatch(await backend.load(BASES), SCALARS, 1)).rejects.toMatchObject({ code });
      expect(device.backends).toHaveLength(1);
    }
  });

  it('leaves a fault of loading to the multiplication, which loads again', async () => {
    const { device, backend } = startAlone(1);
    const [first] = device.backends;
    first!.onLoad = failing('DEVICE_LOST');
    const bases = await backend.load(BASES);
    expect(await backend.multiplyBatch(bases, SCALARS, 1)).toHaveLength(1);
    expect(device.backends[1]!.loads).toBe(1);
    first!.onLoad = failing('ABORTED');
    const aborted = startAlone(1);
    aborted.device.backends[0]!.onLoad = failing('ABORTED');
    await expect(aborted.backend.load(BASES)).rejects.toMatchObject({ code: 'ABORTED' });
  });

  it('takes what was closed under a call for lost, and tells released bases as such', async () => {
    const { device, backend } = startAlone(0);
    const bases = await backend.load(BASES);
    const { opened, open } = gate();
    device.backends[0]!.onMultiply = async () => {
      await opened;
      failing('DISPOSED')();
    };
    const call = backend.multiplyBatch(bases, SCALARS, 1);
    const outcome = expect(call).rejects.toMatchObject({ code: 'DEVICE_LOST' });
    device.opened = undefined;
    open();
    await outcome;

    const other = startAlone(0);
    const released = await other.backend.load(BASES);
    released.release();
    await expect.poll(() => other.device.backends[0]!.released).toBe(1);
    await expect(other.backend.multiplyBatch(released, SCALARS, 1)).rejects.toMatchObject({ code: 'DISPOSED' });
  });
});

const RECOMPUTE = { check: 'recompute', windowBits: 7, scalarBits: 9 } as const;

/** A GPU whose sums are compared with those of the workers, which do nothing else. */
function startComparing() {
  const [gpu, workers] = [new FakeBackend('webgpu'), new FakeBackend('wasm')];
  const backend = gpuOrWorkers({ gpu: asDevice(gpu, true), workers: undefined, compareWith: workers, waits: false });
  return { gpu, workers, backend };
}

describe('gpuOrWorkers with the check `recompute`', () => {
  it('compares all sums of a batch with those of the trusted backend, which loads the bases once', async () => {
    const { gpu, workers, backend } = startComparing();
    const bases = await backend.load(BASES);
    expect(workers.loads).toBe(0);
    for (let call = 0; call < 2; call++) {
      expect(await backend.multiplyBatch(bases, SCALARS, 3, RECOMPUTE)).toHaveLength(3);
    }
    expect([gpu.multiplications, workers.multiplications, workers.loads]).toEqual([6, 6, 1]);
    expect(workers.options).toEqual({ windowBits: 7, scalarBits: 9, signal: undefined });
    bases.release();
    await expect.poll(() => [gpu.released, workers.released]).toEqual([1, 1]);
  });

  it('rejects when one of them differs', async () => {
    const { gpu, workers, backend } = startComparing();
    const bases = await backend.load(BASES);
    await backend.multiplyBatch(bases, SCALARS, 1);
    await expect(backend.multiplyBatch(bases, SCALARS, 2, RECOMPUTE)).rejects.toMatchObject({ code: 'RESULT_INVALID' });
    expect([gpu.multiplications, workers.multiplications]).toEqual([3, 2]);
  });

  it('rejects when one of several differs, whichever it is, or when there are fewer', async () => {
    const right = [1, 2, 3].map((value) => ({ point: Uint8Array.of(value), executors: ['wasm'] as const }));
    const wrong = { point: Uint8Array.of(9), executors: ['wasm'] as const };
    for (const sums of [...right.map((_, i) => right.with(i, wrong)), right.slice(1), right.slice(0, 2)]) {
      const { gpu, workers, backend } = startComparing();
      gpu.multiplyBatch = async () => sums;
      workers.multiplyBatch = async () => right;
      const call = backend.multiplyBatch(await backend.load(BASES), SCALARS, 3, RECOMPUTE);
      await expect(call).rejects.toMatchObject({ code: 'RESULT_INVALID' });
    }
  });

  it.each(['curve', 'random', undefined] as const)(
    'leaves sums to the backend alone with the check %s',
    async (check) => {
      const { gpu, workers, backend } = startComparing();
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
      const made = startComparing();
      const bases = await made.backend.load(BASES);
      made[failing].onMultiply = () => {
        throw new PippinError('OUT_OF_MEMORY', 'the fake is full');
      };
      const call = made.backend.multiplyBatch(bases, SCALARS, 1, RECOMPUTE);
      await expect(call).rejects.toMatchObject({ code: 'OUT_OF_MEMORY' });
    }
  });
});
