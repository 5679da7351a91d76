import { describe, expect, it } from 'vitest';
import { PippinError } from '../../../../sdk/base/errors.js';
import { openDevice, type Products } from '../../../../sdk/executors/gpu/runtime/device.js';
import { BufferUsage, MapMode } from '../../../../sdk/executors/gpu/runtime/flags.js';
import { dawn } from '../test-device.js';

const DEFAULT_BINDING = 2 ** 27;

describe('openDevice', () => {
  it('tells about the adapter, and knows a software one', async () => {
    const gpu = await openDevice(await dawn());
    expect(gpu.info.isSoftware).toBe(process.env.VK_DRIVER_FILES?.includes('swiftshader') ?? false);
    expect(gpu.info.vendor).toBeTypeOf('string');
    expect(gpu.limits.maxStorageBufferBindingSize).toBeGreaterThan(DEFAULT_BINDING);
    gpu.destroy();
  });

  it('multiplies by bytes where WGSL has it and the vendor is known to be fast at it, or as it is told', async () => {
    const dawnGpu = await dawn();
    const opened = async (
      info: Partial<GPUAdapterInfo>,
      features: readonly string[],
      products?: Products,
    ): Promise<Products> => {
      const gpu = await openDevice(
        {
          wgslLanguageFeatures: new Set(features),
          requestAdapter: async (options?: GPURequestAdapterOptions) => {
            const adapter = (await dawnGpu.requestAdapter(options))!;
            return {
              info: { vendor: '', architecture: '', device: '', description: '', ...info },
              limits: adapter.limits,
              features: adapter.features,
              requestDevice: (descriptor: GPUDeviceDescriptor) => adapter.requestDevice(descriptor),
            };
          },
        } as unknown as GPU,
        products === undefined ? {} : { products },
      );
      await gpu.destroy();
      return gpu.products;
    };
    const feature = 'packed_4x8_integer_dot_product';
    expect(await opened({ vendor: 'nvidia' }, [feature])).toBe('bytes');
    expect(await opened({ vendor: 'nvidia', architecture: 'maxwell' }, [feature])).toBe('limbs');
    expect(await opened({ vendor: 'nvidia' }, [])).toBe('limbs');
    expect(await opened({ vendor: 'apple' }, [feature])).toBe('limbs');
    expect(await opened({ vendor: 'apple' }, [feature], 'bytes')).toBe('bytes');
    expect(await opened({ vendor: 'nvidia' }, [feature], 'limbs')).toBe('limbs');
  });

  it('keeps to the default limits when told to', async () => {
    const gpu = await openDevice(await dawn(), { limits: 'default' });
    expect(gpu.limits.maxStorageBufferBindingSize).toBe(DEFAULT_BINDING);
    gpu.destroy();
  });

  it('rejects with WEBGPU_UNAVAILABLE without an adapter or a device', async () => {
    const none = { requestAdapter: async () => null } as unknown as GPU;
    const broken = {
      requestAdapter: async () => {
        throw new Error('no driver');
      },
    } as unknown as GPU;
    const adapter = {
      info: {},
      limits: {},
      features: new Set(),
      requestDevice: async () => {
        throw new Error('no device');
      },
    };
    const deviceless = { requestAdapter: async () => adapter } as unknown as GPU;
    for (const gpu of [none, broken, deviceless]) {
      const error = await openDevice(gpu).catch((e: unknown) => e);
      expect(error).toBeInstanceOf(PippinError);
      expect(error).toMatchObject({ code: 'WEBGPU_UNAVAILABLE', hint: expect.any(String) });
    }
  });
});

describe('a device', () => {
  it('reports validation errors as INTERNAL', async () => {
    const gpu = await openDevice(await dawn());
    const { done } = gpu.checked(() => gpu.device.createBuffer({ size: 16, usage: 0 }));
    await expect(done).rejects.toMatchObject({ code: 'INTERNAL' });
    const fine = gpu.checked(() => gpu.device.createBuffer({ size: 16, usage: BufferUsage.STORAGE }));
    await expect(fine.done).resolves.toBeUndefined();
    gpu.destroy();
  });

  it('rejects all that waits for it, and all that comes later, when it is lost', async () => {
    const gpu = await openDevice(await dawn());
    const buffer = gpu.device.createBuffer({ size: 16, usage: BufferUsage.MAP_READ | BufferUsage.COPY_DST });
    const never = gpu.whileAlive(new Promise(() => {}));
    const map = gpu.whileAlive(buffer.mapAsync(MapMode.READ));
    const outcomes = [never, map].map((promise) => promise.catch((error: unknown) => error));
    gpu.destroy();
    expect(await outcomes[0]).toMatchObject({ code: 'DEVICE_LOST' });
    // The map may have been done before.
    const mapped = (await outcomes[1]) as PippinError | undefined;
    expect(mapped?.code ?? 'DEVICE_LOST').toBe('DEVICE_LOST');
    expect(await gpu.lost).toMatchObject({ code: 'DEVICE_LOST' });
    expect(() => gpu.throwIfLost()).toThrow(expect.objectContaining({ code: 'DEVICE_LOST' }));
    await expect(gpu.whileAlive(Promise.resolve(1))).rejects.toMatchObject({ code: 'DEVICE_LOST' });
    expect(() => gpu.checked(() => 1)).toThrow(expect.objectContaining({ code: 'DEVICE_LOST' }));
  });
});
