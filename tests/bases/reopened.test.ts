import { describe, expect, it, vi } from 'vitest';
import { PippinError, type PippinErrorCode } from '../../sdk/base/errors.js';
import type { SumBackend } from '../../sdk/bases/backend.js';
import { reopened } from '../../sdk/bases/reopened.js';
import { hostScalars } from '../../sdk/bases/scalar-vector.js';
import { BASES, FakeBackend, gate } from './fake-backend.js';

const SCALARS = hostScalars(new Uint8Array(64));
const failing = (code: PippinErrorCode) => (): never => {
  throw new PippinError(code, 'the fake failed');
};

/** A device that can be opened `times` more. */
class FakeDevice {
  readonly backends = [new FakeBackend('webgpu')];
  opened: Promise<SumBackend> | undefined = Promise.resolve(this.backends[0]!);

  constructor(private readonly times: number) {}

  current(): Promise<SumBackend> | undefined {
    return this.opened;
  }

  isReady(): boolean {
    return true;
  }

  async reopen(lost: Promise<SumBackend>): Promise<boolean> {
    if (this.opened !== lost && this.opened !== undefined) return true;
    this.opened = undefined;
    if (this.backends.length > this.times) return false;
    const fresh = new FakeBackend('webgpu');
    this.backends.push(fresh);
    this.opened = Promise.resolve(fresh);
    return true;
  }
}

function start(times: number): { device: FakeDevice; backend: ReturnType<typeof reopened> } {
  const device = new FakeDevice(times);
  return { device, backend: reopened(device, device.backends[0]!.capabilities) };
}

describe('reopened', () => {
  it('loads once a device, and computes what was lost once more', async () => {
    const { device, backend } = start(1);
    const bases = await backend.load(BASES);
    await backend.multiplyBatch(bases, SCALARS, 1);
    device.backends[0]!.onMultiply = failing('DEVICE_LOST');
    expect(await backend.multiplyBatch(bases, SCALARS, 2)).toHaveLength(2);
    await backend.multiplyBatch(bases, SCALARS, 1);
    expect(device.backends.map(({ loads }) => loads)).toEqual([1, 1]);
    expect(device.backends[1]!.multiplications).toBe(3);
  });

  it('rejects when no other device is to be had, and when that is lost, too', async () => {
    const none = start(0);
    none.device.backends[0]!.onMultiply = failing('DEVICE_LOST');
    const bases = await none.backend.load(BASES);
    await expect(none.backend.multiplyBatch(bases, SCALARS, 1)).rejects.toMatchObject({ code: 'DEVICE_LOST' });
    expect(none.backend.isAvailable).toBe(false);
    await expect(none.backend.multiplyBatch(bases, SCALARS, 1)).rejects.toMatchObject({ code: 'DEVICE_LOST' });

    const { device, backend } = start(2);
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
      const { device, backend } = start(3);
      device.backends[0]!.onMultiply = failing(code);
      await expect(backend.multiplyBatch(await backend.load(BASES), SCALARS, 1)).rejects.toMatchObject({ code });
      expect(device.backends).toHaveLength(1);
    }
  });

  it('leaves a fault of loading to the multiplication, which loads again', async () => {
    const { device, backend } = start(1);
    const [first] = device.backends;
    first!.onLoad = failing('DEVICE_LOST');
    const bases = await backend.load(BASES);
    expect(await backend.multiplyBatch(bases, SCALARS, 1)).toHaveLength(1);
    expect(device.backends[1]!.loads).toBe(1);
    first!.onLoad = failing('ABORTED');
    const aborted = start(1);
    aborted.device.backends[0]!.onLoad = failing('ABORTED');
    await expect(aborted.backend.load(BASES)).rejects.toMatchObject({ code: 'ABORTED' });
  });

  it('takes what was closed under a call for lost, and tells released bases as such', async () => {
    const { device, backend } = start(0);
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

    const other = start(0);
    const released = await other.backend.load(BASES);
    released.release();
    await vi.waitFor(() => expect(other.device.backends[0]!.released).toBe(1));
    await expect(other.backend.multiplyBatch(released, SCALARS, 1)).rejects.toMatchObject({ code: 'DISPOSED' });
  });
});
