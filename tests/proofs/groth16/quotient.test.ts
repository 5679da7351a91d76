import { beforeEach, describe, expect, it, vi } from 'vitest';
import { PippinError, type PippinErrorCode } from '../../../sdk/base/errors.js';
import type { MsmExecutor } from '../../../sdk/bases/backend.js';
import { hostScalars, type ScalarVector, SharedScalars } from '../../../sdk/bases/scalar-vector.js';
import type { GpuScalars } from '../../../sdk/executors/gpu/gpu-scalars.js';
import type { GpuConstraints, GpuQuotient } from '../../../sdk/executors/gpu/polynomials/gpu-quotient.js';
import { RestorableBytes } from '../../../sdk/executors/workers/pool/restorable-bytes.js';
import type { KeyFacts } from '../../../sdk/files/snarkjs/zkey.js';
import { quotientScalars } from '../../../sdk/proofs/groth16/deferred-code.js';
import type { KeyContents } from '../../../sdk/proofs/groth16/key.js';
import { DeviceQuotient, QuotientPolynomial } from '../../../sdk/proofs/groth16/quotient.js';
import type { ProofCall, ProofContext } from '../../../sdk/proofs/proof-system.js';

vi.mock('../../../sdk/proofs/groth16/deferred-code.js', () => ({ quotientScalars: vi.fn() }));

const OF_WORKERS = hostScalars(new Uint8Array(32));
beforeEach(() => {
  vi.mocked(quotientScalars).mockReset().mockResolvedValue(OF_WORKERS);
});

const fault = (code: PippinErrorCode) => new PippinError(code, 'the fake failed');

/** A device whose quotients are told what to do. */
class FakeDevice {
  waits = false;
  ready = true;
  loads = 0;
  released = 0;
  /** What loading and computing do; what they throw is the outcome. */
  onLoad = (): void | Promise<void> => undefined;
  onCompute = (): void | Promise<void> => undefined;
  opened: Promise<GpuQuotient> | undefined = this.open();

  current(): Promise<GpuQuotient> | undefined {
    return this.opened;
  }

  isReady(): boolean {
    return this.ready;
  }

  open(): Promise<GpuQuotient> {
    const scalars = { kind: 'device', count: 1, release: () => void this.released++ } as GpuScalars;
    const quotient: Pick<GpuQuotient, 'loadConstraints' | 'compute'> = {
      loadConstraints: async () => {
        this.loads++;
        await this.onLoad();
        return { release: () => undefined } as GpuConstraints;
      },
      compute: async () => {
        await this.onCompute();
        return scalars;
      },
    };
    return Promise.resolve(quotient as GpuQuotient);
  }
}

function start(device: FakeDevice, executor: MsmExecutor = 'webgpu') {
  const entries = new RestorableBytes(new Uint8Array(44), async () => new Uint8Array(44));
  const facts = { variables: 1, publicSignals: 0, domainSize: 1 };
  const deviceQuotient = new DeviceQuotient(device, { executor, isFromCache: false }, entries, facts as KeyFacts);
  const context = { gpu: { isRequired: device.waits, distrust: vi.fn() } };
  const call = {
    signal: new AbortController().signal,
    meter: () => () => undefined,
    span: (_phase: unknown, _executor: unknown, work: () => Promise<unknown>) => work(),
    notice: vi.fn(),
  };
  const quotients = new QuotientPolynomial(
    context as unknown as ProofContext,
    { deviceQuotient } as unknown as KeyContents,
    new SharedScalars(new Uint8Array(32)),
    call as unknown as ProofCall,
  );
  return { deviceQuotient, quotients, context, call };
}

const kindOf = async (scalars: ScalarVector): Promise<string> => scalars.kind;

describe('QuotientPolynomial', () => {
  it('gives scalars on the device, and releases them', async () => {
    const device = new FakeDevice();
    const { quotients } = start(device);
    expect(await quotients.use(kindOf, false)).toBe('device');
    expect(device.released).toBe(1);
    expect(quotientScalars).not.toHaveBeenCalled();
    await quotients.free();
  });

  it("gives the workers' where no device may be trusted, there is none, or it is not ready", async () => {
    const device = new FakeDevice();
    expect(await start(device).quotients.use(kindOf, true)).toBe('host');
    device.ready = false;
    expect(await start(device).quotients.use(kindOf, false)).toBe('host');
    device.waits = true;
    expect(await start(device).quotients.use(kindOf, false)).toBe('device');
    // Its sum would wait for other kernels.
    expect(await start(device, 'wasm').quotients.use(kindOf, false)).toBe('host');
    device.opened = undefined;
    expect(await start(device).quotients.use(kindOf, false)).toBe('host');
  });

  it.each(['DEVICE_LOST', 'OUT_OF_MEMORY'] as const)(
    'lets the workers stand in after %s, and trusts the device still',
    async (code) => {
      const device = new FakeDevice();
      device.waits = true;
      device.onCompute = () => {
        throw fault(code);
      };
      const { quotients, context, call } = start(device);
      expect(await quotients.use(kindOf, false)).toBe('host');
      expect(await quotients.use(kindOf, true)).toBe('host');
      // They compute it once, also for a second attempt at the proof.
      expect(quotientScalars).toHaveBeenCalledTimes(1);
      expect(context.gpu.distrust).not.toHaveBeenCalled();
      expect(call.notice).not.toHaveBeenCalled();
    },
  );

  it('begins again on the workers when the work with its scalars fails, and says so', async () => {
    const device = new FakeDevice();
    const { quotients, context, call } = start(device);
    const kinds: string[] = [];
    const sum = async ({ kind }: ScalarVector): Promise<string> => {
      kinds.push(kind);
      if (kind === 'device') throw fault('RESULT_INVALID');
      return kind;
    };
    expect(await quotients.use(sum, false)).toBe('host');
    expect(kinds).toEqual(['device', 'host']);
    expect(device.released).toBe(1);
    expect(context.gpu.distrust).toHaveBeenCalledTimes(1);
    expect(call.notice).toHaveBeenCalledWith('WEBGPU_DISTRUSTED', expect.stringContaining('RESULT_INVALID'));
  });

  it('rejects with a fault for a caller who insists, and with what is no fault for every caller', async () => {
    const device = new FakeDevice();
    device.onCompute = () => {
      throw fault('ABORTED');
    };
    await expect(start(device).quotients.use(kindOf, false)).rejects.toMatchObject({ code: 'ABORTED' });
    device.waits = true;
    device.onCompute = () => {
      throw fault('INTERNAL');
    };
    await expect(start(device).quotients.use(kindOf, false)).rejects.toMatchObject({ code: 'INTERNAL' });
    expect(quotientScalars).not.toHaveBeenCalled();
  });
});

describe('DeviceQuotient', () => {
  it('brings the constraints to each device once', async () => {
    const device = new FakeDevice();
    const { deviceQuotient } = start(device);
    await deviceQuotient.load();
    await Promise.all([1, 2].map(() => deviceQuotient.compute(new SharedScalars(new Uint8Array(32)), {})));
    expect(device.loads).toBe(1);
    device.opened = device.open();
    await deviceQuotient.compute(new SharedScalars(new Uint8Array(32)), {});
    expect(device.loads).toBe(2);
  });

  it('takes no part any more when the constraints do not fit; meets every other fault later', async () => {
    const device = new FakeDevice();
    device.onLoad = () => {
      throw fault('DEVICE_LOST');
    };
    const { deviceQuotient } = start(device);
    await deviceQuotient.load();
    expect(deviceQuotient.takesPart).toBe(true);
    device.onLoad = () => {
      throw fault('OUT_OF_MEMORY');
    };
    await deviceQuotient.load();
    expect([deviceQuotient.takesPart, deviceQuotient.mayTakePart]).toEqual([false, false]);
    device.onLoad = () => {
      throw fault('MALFORMED_FILE');
    };
    await expect(start(device).deviceQuotient.load()).rejects.toMatchObject({ code: 'MALFORMED_FILE' });
  });

  it('counts as lost what another call has closed, and refuses a key that was disposed', async () => {
    const device = new FakeDevice();
    const { deviceQuotient } = start(device);
    device.onCompute = () => {
      device.opened = undefined;
      throw fault('DISPOSED');
    };
    await expect(deviceQuotient.compute(new SharedScalars(new Uint8Array(32)), {})).rejects.toMatchObject({
      code: 'DEVICE_LOST',
    });
    await expect(deviceQuotient.compute(new SharedScalars(new Uint8Array(32)), {})).rejects.toMatchObject({
      code: 'DEVICE_LOST',
    });
    device.opened = device.open();
    deviceQuotient.release();
    await expect(deviceQuotient.compute(new SharedScalars(new Uint8Array(32)), {})).rejects.toMatchObject({
      code: 'DISPOSED',
    });
  });
});
