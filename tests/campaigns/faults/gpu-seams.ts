import { BufferUsage } from '../../../sdk/executors/gpu/runtime/flags.js';
import { DeviceHost, type HostProgress } from '../../../sdk/executors/remote/device-host.js';
import type { RemoteDevice } from '../../../sdk/executors/remote/remote-gpu.js';
import { sharedDevice } from '../../executors/gpu/test-device.js';
import { type VirtualDevice, viewOf, virtualGpu } from '../../executors/gpu/virtual-gpu.js';
import { FakeWorker } from '../../support/fake-worker.js';
import { type FaultLine, never } from './fault-line.js';
import { expectSpawn, hosted } from './seams.js';

/** The part of a kernel's threads that runs. */
const PARTS: Readonly<Record<string, number>> = { skipped: 0, halved: 0.5, doubled: 2 };

/**
 * A GPU whose answers and stages fail, and the devices that it has given. With `empty` kernels nothing that it computes
 * is right.
 */
export async function faultyGpu(
  line: FaultLine,
  empty: boolean,
): Promise<{ gpu: GPU; devices: readonly VirtualDevice[] }> {
  const { gpu, devices } = await virtualGpu({
    isSoftware: (await sharedDevice()).info.isSoftware,
    leavesOut: () => empty,
    partOf: (key) => PARTS[line.cross(`stage ${key}`) ?? ''] ?? 1,
  });
  const requestDevice = async (adapter: GPUAdapter): Promise<GPUDevice> => {
    const kind = line.cross('gpu.requestDevice');
    if (kind === 'silent') return never();
    if (kind === 'rejected') throw new Error('no device (a fault)');
    await adapter.requestDevice();
    const device = devices.at(-1)!;
    if (kind === 'lost') device.lose();
    return faultyDevice(device, line);
  };
  const requestAdapter = async (): Promise<GPUAdapter | null> => {
    const kind = line.cross('gpu.requestAdapter');
    if (kind === 'silent') return never();
    if (kind === 'rejected') throw new Error('no adapter (a fault)');
    if (kind === 'none') return null;
    const adapter = (await gpu.requestAdapter())!;
    return viewOf(adapter, { info: adapter.info, requestDevice: () => requestDevice(adapter) });
  };
  return { gpu: { requestAdapter } as unknown as GPU, devices };
}

function faultyDevice(virtual: VirtualDevice, line: FaultLine): GPUDevice {
  const { view } = virtual;
  const asked = async <T>(point: string, ask: () => Promise<T>, fault?: (kind: string) => void): Promise<T> => {
    const kind = line.cross(`gpu.${point}`);
    const answer = ask();
    if (kind === undefined) return answer;
    answer.catch(() => undefined);
    if (kind === 'silent') return never();
    if (kind === 'rejected') throw new Error(`${point} failed (a fault)`);
    if (kind === 'lost') virtual.lose();
    fault?.(kind);
    return answer;
  };
  const createBuffer = (descriptor: GPUBufferDescriptor): GPUBuffer => {
    const buffer = view.createBuffer(descriptor);
    const mapAsync = buffer.mapAsync.bind(buffer);
    const getMappedRange = buffer.getMappedRange.bind(buffer);
    buffer.mapAsync = (...given) =>
      asked(
        'mapAsync',
        () => mapAsync(...given),
        (kind) => {
          // What is read comes back as zeros, and what is written is lost.
          if (kind !== 'zeroed') return;
          buffer.getMappedRange = (...range) => {
            buffer.getMappedRange = getMappedRange;
            const isRead = (descriptor.usage & BufferUsage.MAP_READ) !== 0;
            return new ArrayBuffer(isRead ? range[1]! : getMappedRange(...range).byteLength);
          };
        },
      );
    return buffer;
  };
  const popErrorScope = async (): Promise<GPUError | null> => {
    let error: GPUError | undefined;
    const found = await asked(
      'popErrorScope',
      () => view.popErrorScope(),
      (kind) => {
        if (kind === 'error') error = { message: 'a fault' } as GPUError;
      },
    );
    return error ?? found;
  };
  return viewOf(view, {
    createBuffer,
    popErrorScope,
    createComputePipelineAsync: (descriptor: GPUComputePipelineDescriptor) =>
      asked('createComputePipelineAsync', () => view.createComputePipelineAsync(descriptor)),
    queue: viewOf(view.queue, {
      onSubmittedWorkDone: () => asked('onSubmittedWorkDone', () => view.queue.onSubmittedWorkDone()),
    }),
    lost: view.lost,
  });
}

/** A process with another GPU, on this thread. */
export async function faultyProcess(line: FaultLine): Promise<() => RemoteDevice & { channel: FakeWorker }> {
  return () => {
    expectSpawn(line, 'process.spawn');
    const gpu = sharedDevice().then(async ({ info: { isSoftware } }) => (await virtualGpu({ isSoftware })).gpu);
    const window = new Uint8Array(2 ** 23);
    const readWindow = async (at: number, target: Uint8Array): Promise<void> =>
      target.set(window.subarray(at, at + target.length));
    const channel: FakeWorker = new FakeWorker((emit) => {
      const host = new DeviceHost(() => gpu, readWindow, emit as (event: HostProgress) => void);
      const end = (): void => channel.die();
      // A process that has stopped does not say that it is alive either.
      let isSilent = false;
      const fallSilent = (): void => {
        isSilent = true;
      };
      return new Proxy(host, {
        get: (_, method) => {
          const run = Reflect.get(host, method);
          if (typeof run !== 'function') return run;
          return (...given: unknown[]) => {
            if (isSilent) return never();
            const work = async (): Promise<unknown> => run.apply(host, given);
            return hosted(line, `process.${String(method)}`, end, work, fallSilent);
          };
        },
      });
    });
    const write = async (at: number, bytes: Uint8Array): Promise<void> => window.set(bytes, at);
    return { channel, window: { bytes: window.length, write, close: () => undefined } };
  };
}
