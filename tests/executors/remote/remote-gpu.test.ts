import { describe, expect, it, vi } from 'vitest';
import { PippinError } from '../../../sdk/base/errors.js';
import type { BasesToLoad, PartialSums } from '../../../sdk/bases/backend.js';
import { hostScalars } from '../../../sdk/bases/scalar-vector.js';
import type { HostLoad, HostMultiplication } from '../../../sdk/executors/remote/device-host.js';
import { RemoteGpu } from '../../../sdk/executors/remote/remote-gpu.js';
import { ArrivingBytes, type Slice } from '../../../sdk/transport/byte-lane.js';
import { FakeWorker } from '../../support/fake-worker.js';

/** Stands for the process with the GPU: its sums are the scalars that it was sent. */
class FakeHost {
  readonly transfers = new Map<number, ArrivingBytes>();
  readonly loads: (HostLoad & { readonly points: Uint8Array })[] = [];
  readonly multiplications: HostMultiplication[] = [];
  readonly released: number[] = [];
  readonly cancelled: number[] = [];
  onOpen = async (): Promise<void> => undefined;
  onMultiply = async (): Promise<void> => undefined;

  constructor(private readonly emit: (event: unknown) => void) {}

  async open() {
    await this.onOpen();
    return { vendor: 'fake', architecture: '', description: '', isSoftware: true };
  }

  async compile(): Promise<void> {}

  begin(transfer: number, bytes: number): void {
    this.transfers.set(transfer, new ArrivingBytes(new Uint8Array(bytes)));
  }

  async slice(slice: Slice): Promise<void> {
    await this.transfers.get(slice.transfer)!.take(slice, async () => undefined);
  }

  abandon(): void {}

  isAlive(): unknown {
    return undefined;
  }

  async load(request: HostLoad): Promise<void> {
    const arriving = this.transfers.get(request.transfer)!;
    await arriving.until(arriving.bytes.length);
    this.loads.push({ ...request, points: arriving.bytes });
  }

  async multiply(request: HostMultiplication): Promise<PartialSums[]> {
    this.multiplications.push(request);
    this.emit({ task: request.task, fraction: 0.5 });
    const arriving = this.transfers.get(request.transfer)!;
    await arriving.until(arriving.bytes.length);
    await this.onMultiply();
    return [{ kind: 'points', points: [arriving.bytes] }];
  }

  cancel(task: number): void {
    this.cancelled.push(task);
  }

  release(id: number): void {
    this.released.push(id);
  }
}

function start(prepare: (host: FakeHost) => void = () => undefined) {
  let host!: FakeHost;
  const channel = new FakeWorker((emit) => {
    host = new FakeHost(emit);
    prepare(host);
    return host;
  });
  const gpu = new RemoteGpu('device 1', { channel, window: undefined }, undefined);
  return { gpu, host, channel, sums: gpu.msm('bn254', 'g1') };
}

const BASES: BasesToLoad = {
  curve: 'bn254',
  group: 'g1',
  form: 'weierstrass',
  count: 5,
  kept: 4,
  indices: new Uint32Array([0, 1, 2, 4]),
  exceptional: [],
  points: Uint8Array.from({ length: 4 * 64 }, (_, i) => i >> 6),
};
const SCALARS = hostScalars(Uint8Array.from({ length: 64 }, (_, i) => i));

describe('RemoteGpu', () => {
  it('sends the points of a range, and scalars for some of them, and tells progress', async () => {
    const { gpu, host, sums } = start();
    expect(gpu.isReady('bn254', 'g1')).toBe(false);
    const bases = await sums.load(BASES, { from: 1, to: 4 });
    expect(bases.count).toBe(5);
    expect(host.loads[0]!.outline).toMatchObject({ count: 3, kept: 3, indices: undefined });
    expect([...new Set(host.loads[0]!.points)]).toEqual([1, 2, 3]);
    await expect.poll(() => gpu.isReady('bn254', 'g1')).toBe(true);
    const done: number[] = [];
    const range = { from: 1, to: 3 };
    const options = {
      range,
      windowBits: 7,
      chunks: 2,
      scalarBits: 9,
      onProgress: (fraction: number) => done.push(fraction),
    };
    expect(await sums.multiplyBatch(bases, SCALARS, 1, options)).toEqual([{ kind: 'points', points: [SCALARS.bytes] }]);
    expect(host.multiplications[0]).toMatchObject({
      range,
      batch: 1,
      scalarBits: 9,
      tuning: { windowBits: 7, chunks: 2 },
    });
    expect(done).toEqual([0.5]);
    await sums.multiplyBatch(bases, SCALARS, 1);
    expect(host.multiplications[1]!.range).toEqual({ from: 0, to: 3 });
    bases.release();
    await expect.poll(() => host.released).toHaveLength(1);
  });

  it('rejects with DEVICE_LOST when the process ends, and from then on', async () => {
    const { gpu, host, channel, sums } = start();
    const bases = await sums.load(BASES);
    host.onMultiply = () => new Promise(() => channel.die());
    for (let i = 0; i < 2; i++) {
      await expect(sums.multiplyBatch(bases, SCALARS, 1)).rejects.toMatchObject({ code: 'DEVICE_LOST' });
    }
    expect(gpu.isAvailable).toBe(false);
    await expect(sums.load(BASES)).rejects.toMatchObject({ code: 'DEVICE_LOST' });
    bases.release();
  });

  it('is not used any more when its device is lost, but after other faults', async () => {
    const { gpu, host, sums } = start();
    const bases = await sums.load(BASES);
    for (const [code, isAvailable] of [
      ['OUT_OF_MEMORY', true],
      ['DEVICE_LOST', false],
    ] as const) {
      host.onMultiply = () => Promise.reject(new PippinError(code, 'expected a sum, got none'));
      await expect(sums.multiplyBatch(bases, SCALARS, 1)).rejects.toMatchObject({ code });
      expect(gpu.isAvailable).toBe(isAvailable);
    }
  });

  it('stops at once when it is aborted, and tells the process', async () => {
    const { host, sums } = start();
    const bases = await sums.load(BASES);
    const controller = new AbortController();
    host.onMultiply = () => new Promise(() => controller.abort());
    const { signal } = controller;
    await expect(sums.multiplyBatch(bases, SCALARS, 1, { signal })).rejects.toMatchObject({ code: 'ABORTED' });
    await expect.poll(() => host.cancelled).toEqual([host.multiplications[0]!.task]);
  });

  it('gives up a process that does not answer, and ends it', async () => {
    const { gpu, host, channel, sums } = start();
    const bases = await sums.load(BASES);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      let isAlive = true;
      host.isAlive = () => (isAlive ? undefined : new Promise(() => undefined));
      host.onMultiply = () => new Promise(() => undefined);
      const multiplying = sums.multiplyBatch(bases, SCALARS, 1).catch((error: unknown) => error);
      // A GPU may work for long while its process answers.
      for (let i = 0; i < 10; i++) {
        await vi.advanceTimersByTimeAsync(15_000);
        await new Promise((resolve) => setImmediate(resolve));
      }
      expect(gpu.isAvailable).toBe(true);
      isAlive = false;
      for (let i = 0; i < 4; i++) await vi.advanceTimersByTimeAsync(15_000);
      expect(await multiplying).toMatchObject({ code: 'DEVICE_LOST' });
    } finally {
      vi.useRealTimers();
    }
    expect(gpu.isAvailable).toBe(false);
    expect(channel.terminated).toBe(true);
  });

  it('gives up a process whose GPU does not open', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const { gpu, channel } = start((host) => {
        host.onOpen = () => new Promise(() => undefined);
        host.isAlive = () => new Promise(() => undefined);
      });
      await vi.advanceTimersByTimeAsync(120_000);
      await expect(gpu.opened).rejects.toMatchObject({ code: 'DEVICE_LOST' });
      expect(channel.terminated).toBe(true);
    } finally {
      vi.useRealTimers();
    }
  });

  it('ends the process when it is given up', () => {
    const { gpu, channel } = start();
    gpu.opened.catch(() => undefined);
    gpu.giveUp(new PippinError('RESULT_INVALID', 'expected right sums, got a wrong one'));
    expect(channel.terminated).toBe(true);
  });

  it('releases bases there whose loading was aborted at its end', async () => {
    const { host, sums } = start();
    const controller = new AbortController();
    const load = host.load.bind(host);
    host.load = async (request) => {
      await load(request);
      controller.abort();
      await new Promise((resolve) => setTimeout(resolve, 5));
    };
    await expect(sums.load(BASES, undefined, { signal: controller.signal })).rejects.toMatchObject({ code: 'ABORTED' });
    await expect.poll(() => host.released).toEqual([host.loads[0]!.id]);
  });

  it('says why it cannot be opened', async () => {
    const failure = new PippinError('WEBGPU_UNAVAILABLE', 'expected a WebGPU adapter, got none');
    const { gpu, sums } = start((host) => {
      host.onOpen = () => Promise.reject(failure);
    });
    await expect(gpu.opened).rejects.toMatchObject({ code: 'WEBGPU_UNAVAILABLE' });
    expect(gpu.isAvailable).toBe(false);
    await expect(sums.load(BASES)).rejects.toMatchObject({ code: 'WEBGPU_UNAVAILABLE' });
  });
});
