import { abortError } from '../../base/abort.js';
import { PippinError } from '../../base/errors.js';
import type { BasesRange, PartialSums } from '../../bases/backend.js';
import type { Tuning } from '../../bases/multiples.js';
import type { BasesOutline } from '../../bases/prepared.js';
import { hostScalars } from '../../bases/scalar-vector.js';
import type { CurveId, GroupId } from '../../curves/index.js';
import { ArrivingBytes, type ReadWindow, type Slice } from '../../transport/byte-lane.js';
import type { GpuBases } from '../gpu/msm/gpu-bases.js';
import { GpuMsm } from '../gpu/msm/gpu-msm.js';
import { type GpuDevice, openDevice } from '../gpu/runtime/device.js';
import type { DeviceInfo } from '../gpu/runtime/device-info.js';

/** Bases to load, whose points a transfer brings. */
export interface HostLoad {
  readonly id: number;
  readonly outline: BasesOutline;
  readonly transfer: number;
}

/** MSMs over loaded bases, whose scalars a transfer brings. They begin as soon as the first scalars have arrived. */
export interface HostMultiplication {
  /** A number for `cancel`, and in the events of its progress. */
  readonly task: number;
  readonly id: number;
  readonly transfer: number;
  readonly batch: number;
  readonly range: BasesRange;
  readonly scalarBits: number | undefined;
  /** Only the GPU decomposes scalars into digits here. */
  readonly tuning: Omit<Tuning, 'digits' | 'reduction'>;
}

/** How much of an MSM is done, from 0 to 1. */
export interface HostProgress {
  readonly task: number;
  readonly fraction: number;
}

/** MSMs on this process's GPU, for another process that has no access to it (`RemoteGpu`). */
export class DeviceHost {
  private device: Promise<GpuDevice> | undefined;
  private readonly computations = new Map<string, Promise<GpuMsm>>();
  private readonly transfers = new Map<number, ArrivingBytes>();
  private readonly bases = new Map<number, { readonly msm: GpuMsm; readonly resident: GpuBases }>();
  private readonly tasks = new Map<number, AbortController>();
  private readonly spare = new SpareBytes();

  constructor(
    private readonly gpu: () => Promise<GPU | undefined>,
    private readonly readWindow: ReadWindow,
    private readonly emit: (event: HostProgress) => void,
  ) {}

  /** Opens the GPU. `WEBGPU_UNAVAILABLE` when there is none. */
  async open(memoryBudget: number | undefined): Promise<DeviceInfo> {
    const gpu = await this.gpu();
    if (gpu === undefined) {
      throw new PippinError('WEBGPU_UNAVAILABLE', 'expected WebGPU, got a process without it');
    }
    this.device = openDevice(gpu, { memoryBudget });
    const { info } = await this.device;
    return info;
  }

  /** Answers a heartbeat, whatever is being computed. */
  isAlive(): void {}

  /** Compiles a group's kernels. */
  async compile(curve: CurveId, group: GroupId): Promise<void> {
    await (await this.msmOf(curve, group)).ready;
  }

  /** Makes room for the bytes of a transfer, which `slice` then brings. */
  begin(transfer: number, bytes: number): void {
    this.transfers.set(transfer, new ArrivingBytes(this.spare.take(bytes)));
  }

  async slice(slice: Slice): Promise<void> {
    // A cancelled task needs no more of it.
    await this.transfers.get(slice.transfer)?.take(slice, this.readWindow);
  }

  /** Gives a transfer up: the rest of its bytes will not come. */
  abandon(transfer: number): void {
    this.transfers.get(transfer)?.fail(abortError());
  }

  async load({ id, outline, transfer }: HostLoad): Promise<void> {
    const arriving = this.transferOf(transfer);
    try {
      const { bytes: points } = arriving;
      await arriving.until(points.length);
      const msm = await this.msmOf(outline.curve, outline.group);
      this.bases.set(id, { msm, resident: await msm.load({ ...outline, points }) });
    } finally {
      this.finish(transfer, arriving);
    }
  }

  async multiply({ task, id, transfer, batch, tuning, ...options }: HostMultiplication): Promise<PartialSums[]> {
    const arriving = this.transferOf(transfer);
    const controller = new AbortController();
    const { signal } = controller;
    signal.addEventListener('abort', () => arriving.fail(abortError(signal)));
    this.tasks.set(task, controller);
    try {
      const loaded = this.bases.get(id);
      if (loaded === undefined) throw new PippinError('DISPOSED', 'expected loaded bases, got released ones');
      const scalars = hostScalars(arriving.bytes, (count) => arriving.until(count));
      const onProgress = (fraction: number): void => this.emit({ task, fraction });
      return await loaded.msm.multiplyBatch(loaded.resident, scalars, batch, {
        ...tuning,
        ...options,
        signal,
        onProgress,
      });
    } finally {
      this.tasks.delete(task);
      this.finish(transfer, arriving);
    }
  }

  cancel(task: number): void {
    this.tasks.get(task)?.abort();
  }

  release(id: number): void {
    this.bases.get(id)?.resident.release();
    this.bases.delete(id);
  }

  private transferOf(transfer: number): ArrivingBytes {
    const arriving = this.transfers.get(transfer);
    if (arriving === undefined) throw new PippinError('INTERNAL', `expected a transfer, got the number ${transfer}`);
    return arriving;
  }

  /** Gives the memory of a transfer to a later one, unless slices may still be read into it. */
  private finish(transfer: number, { bytes, isComplete }: ArrivingBytes): void {
    this.transfers.delete(transfer);
    if (isComplete) this.spare.giveBack(bytes);
    else bytes.fill(0);
  }

  private msmOf(curve: CurveId, group: GroupId): Promise<GpuMsm> {
    const key = `${curve} ${group}`;
    let msm = this.computations.get(key);
    if (msm === undefined) {
      msm = this.create(curve, group);
      msm.catch(() => this.computations.delete(key));
      this.computations.set(key, msm);
    }
    return msm;
  }

  private async create(curve: CurveId, group: GroupId): Promise<GpuMsm> {
    if (this.device === undefined) throw new PippinError('INTERNAL', 'expected an open device, got none');
    return GpuMsm.create(await this.device, curve, group);
  }
}

/**
 * Milliseconds after its last use in which an array is overwritten with zeros: calls one after another do not wait for
 * that.
 */
const IDLE_MS = 200;

/**
 * Keeps one array for the next user, since memory that is used again is filled twice as fast as new memory. What was
 * secret in it does not stay: when nobody takes it for a while it is overwritten and let go.
 */
export class SpareBytes {
  private spare: Uint8Array | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** `length` bytes, which may hold what an earlier user left. */
  take(length: number): Uint8Array {
    const { spare } = this;
    if (spare === undefined || spare.length < length) return new Uint8Array(length);
    clearTimeout(this.timer);
    this.spare = undefined;
    return spare.subarray(0, length);
  }

  /** Takes back what `take` gave. */
  giveBack(bytes: Uint8Array): void {
    const whole = new Uint8Array(bytes.buffer);
    if (this.spare !== undefined) {
      whole.fill(0);
      return;
    }
    this.spare = whole;
    this.timer = setTimeout(() => {
      this.spare = undefined;
      whole.fill(0);
    }, IDLE_MS);
  }
}
