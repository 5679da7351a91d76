import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { GpuDevice } from '../../../../sdk/executors/gpu/runtime/device.js';
import { GpuMemory } from '../../../../sdk/executors/gpu/runtime/gpu-memory.js';
import { GuardedDevice } from '../../../../sdk/executors/gpu/runtime/guarded-device.js';
import { SerialQueue } from '../../../../sdk/executors/gpu/runtime/in-flight.js';
import { Readbacks } from '../../../../sdk/executors/gpu/runtime/readbacks.js';
import { sharedDevice } from '../test-device.js';

describe('Readbacks', () => {
  let gpu: GpuDevice;
  let source: GPUBuffer;
  const contents = Uint8Array.from({ length: 64 }, (_, i) => i + 1);

  beforeAll(async () => {
    gpu = await sharedDevice();
    // COPY_SRC, COPY_DST
    source = gpu.device.createBuffer({ size: contents.length, usage: 0x4 | 0x8 });
    gpu.device.queue.writeBuffer(source, 0, contents);
  });
  afterAll(() => source.destroy());

  function copy(target: GPUBuffer, size: number): void {
    const encoder = gpu.device.createCommandEncoder();
    encoder.copyBufferToBuffer(source, 0, target, 0, size);
    gpu.device.queue.submit([encoder.finish()]);
  }

  it('reads what was copied, and wipes it', async () => {
    const readbacks = new Readbacks(gpu, gpu.memory);
    const buffer = await readbacks.take(64);
    copy(buffer, 64);
    expect(await readbacks.read(buffer, 64)).toEqual(contents);
    expect(readbacks.bytes).toBe(64);
    const again = await readbacks.take(64);
    expect(again).toBe(buffer);
    expect(await readbacks.read(again, 64)).toEqual(new Uint8Array(64));
    readbacks.drop(await readbacks.take(1));
    expect(readbacks.bytes).toBe(0);
  });

  it('wipes all that smaller results use of a large buffer', async () => {
    const readbacks = new Readbacks(gpu, gpu.memory);
    const buffer = await readbacks.take(64);
    await readbacks.read(buffer, 64);
    expect(await readbacks.take(16)).toBe(buffer);
    copy(buffer, 16);
    expect(await readbacks.read(buffer, 16)).toEqual(contents.subarray(0, 16));
    expect(await readbacks.read(await readbacks.take(64), 64)).toEqual(new Uint8Array(64));
    readbacks.drop(await readbacks.take(64));
  });

  it('has a buffer for each computation under way, and replaces one that is too small', async () => {
    const readbacks = new Readbacks(gpu, gpu.memory);
    const [a, b] = [await readbacks.take(16), await readbacks.take(32)];
    expect(readbacks.bytes).toBe(48);
    await Promise.all([readbacks.read(a, 16), readbacks.read(b, 32)]);
    const large = await readbacks.take(64);
    expect([a, b]).not.toContain(large);
    // One of the two was kept, as long as nobody needs a larger one.
    expect(readbacks.bytes).toBe(64 + 16);
    const small = await readbacks.take(16);
    expect(small).toBe(a);
    for (const each of [large, small]) readbacks.drop(each);
    expect(readbacks.bytes).toBe(0);
  });

  it('keeps no buffer whose result does not come, since the device is lost', async () => {
    let lose = (_: GPUDeviceLostInfo): void => undefined;
    const lost = new Promise<GPUDeviceLostInfo>((resolve) => {
      lose = resolve;
    });
    const buffer = { size: 16, mapAsync: () => new Promise(() => undefined), destroy: () => undefined };
    const scopes = { pushErrorScope: () => undefined, popErrorScope: async () => null };
    const device = { lost, createBuffer: () => buffer, ...scopes } as unknown as GPUDevice;
    const guarded = new GuardedDevice(device);
    const readbacks = new Readbacks(guarded, new GpuMemory(guarded, new SerialQueue()));
    const result = readbacks.read(await readbacks.take(16), 16);
    lose({ reason: 'unknown', message: 'gone' } as GPUDeviceLostInfo);
    await expect(result).rejects.toMatchObject({ code: 'DEVICE_LOST' });
    expect(readbacks.bytes).toBe(0);
  });
});
