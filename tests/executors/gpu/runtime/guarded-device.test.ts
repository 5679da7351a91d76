import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openDevice } from '../../../../sdk/executors/gpu/runtime/device.js';
import { COMPILE_MS, GuardedDevice } from '../../../../sdk/executors/gpu/runtime/guarded-device.js';

beforeEach(() => {
  // Dawn's own polling goes on in the process that these tests share with others.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const never = <T>(): Promise<T> => new Promise<T>(() => undefined);

/** A device of which only the end matters. */
function fakeDevice(): GPUDevice & { destroy: ReturnType<typeof vi.fn> } {
  return { lost: never(), destroy: vi.fn() } as never;
}

describe('GuardedDevice', () => {
  it('gives a device up that leaves a question unanswered, and asks nothing more of it', async () => {
    const device = fakeDevice();
    const gpu = new GuardedDevice(device);
    const unanswered = gpu.whileAlive(never()).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(100_000);
    expect(() => gpu.throwIfLost()).not.toThrow();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await unanswered).toMatchObject({ code: 'DEVICE_LOST' });
    expect(await gpu.lost).toMatchObject({ code: 'DEVICE_LOST' });
    // Dawn would wait in it for what never ends.
    expect(device.destroy).not.toHaveBeenCalled();
    const destroyed = gpu.destroy();
    await vi.advanceTimersByTimeAsync(2000);
    await destroyed;
    expect(vi.getTimerCount()).toBe(0);
  });

  it('destroys a device at once that can end so, whatever it was asked', async () => {
    const [given, used] = [fakeDevice(), fakeDevice()];
    const silent = new GuardedDevice(given, true);
    const unanswered = silent.whileAlive(never()).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(160_000);
    expect(await unanswered).toMatchObject({ code: 'DEVICE_LOST' });
    expect(given.destroy).toHaveBeenCalled();
    const compiling = new GuardedDevice(used, true);
    const rejected = compiling.whileAlive(never(), COMPILE_MS).catch((error: unknown) => error);
    await compiling.destroy();
    expect(used.destroy).toHaveBeenCalledTimes(1);
    expect(await rejected).toMatchObject({ code: 'DEVICE_LOST' });
    expect(vi.getTimerCount()).toBe(0);
  });

  it('counts once for the device and its views, however their questions overlap', async () => {
    const gpu = new GuardedDevice(fakeDevice());
    const views = [Object.create(gpu), Object.create(gpu)] as [GuardedDevice, GuardedDevice];
    const answers: (() => void)[] = [];
    const asked = views.map((view) => view.whileAlive(new Promise<void>((resolve) => void answers.push(resolve))));
    expect(vi.getTimerCount()).toBe(1);
    // The first view's question began the count, and the second one's is answered last.
    for (const answer of answers) answer();
    await Promise.all(asked);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('waits longer for a kernel to compile', async () => {
    const gpu = new GuardedDevice(fakeDevice());
    const compiling = gpu.whileAlive(never(), COMPILE_MS).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(COMPILE_MS - 60_000);
    expect(() => gpu.throwIfLost()).not.toThrow();
    await vi.advanceTimersByTimeAsync(120_000);
    expect(await compiling).toMatchObject({ code: 'DEVICE_LOST' });
  });

  it('keeps no timer when everything is answered', async () => {
    const device = fakeDevice();
    const gpu = new GuardedDevice(device);
    expect(await gpu.whileAlive(Promise.resolve(1))).toBe(1);
    expect(vi.getTimerCount()).toBe(0);
    await gpu.destroy();
    expect(device.destroy).toHaveBeenCalledTimes(1);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('openDevice', () => {
  it('rejects when the adapter or the device does not come within 30 s, and lets a late device go', async () => {
    const expectUnavailable = async (requestAdapter: () => Promise<unknown>): Promise<void> => {
      const opening = openDevice({ requestAdapter } as unknown as GPU).catch((error: unknown) => error);
      await vi.advanceTimersByTimeAsync(30_000);
      expect(await opening).toMatchObject({ code: 'WEBGPU_UNAVAILABLE' });
    };
    await expectUnavailable(never);
    let give = (_: GPUDevice): void => undefined;
    const requestDevice = (): Promise<GPUDevice> =>
      new Promise((resolve) => {
        give = resolve;
      });
    await expectUnavailable(async () => ({ info: {}, limits: {}, features: new Set(), requestDevice }));
    const late = fakeDevice();
    give(late);
    await vi.advanceTimersByTimeAsync(0);
    expect(late.destroy).toHaveBeenCalledTimes(1);
  });
});
