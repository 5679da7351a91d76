import type { CompleteMsmBackend, MsmBackend } from '../bases/backend.js';
import type { CurveId, GroupId } from '../curves/index.js';
import type { GpuMsm } from '../executors/gpu/msm/gpu-msm.js';
import type { GpuQuotient } from '../executors/gpu/polynomials/gpu-quotient.js';
import type { GpuDevice } from '../executors/gpu/runtime/device.js';
import type { DeviceInfo } from '../executors/gpu/runtime/device-info.js';
import type { GpuMemory } from '../executors/gpu/runtime/gpu-memory.js';

/** A computation on a device, from its kernels on. */
export class OnGpu<Computation extends { readonly ready: Promise<unknown>; destroy(): void }> {
  /** Whether the device is open and the kernels are compiled. */
  isReady = false;
  /** Fulfilled when `isReady` is set, also after a failure, which the first use meets again. */
  readonly settled: Promise<void>;

  constructor(readonly created: Promise<Computation>) {
    const settle = (): void => {
      this.isReady = true;
    };
    this.settled = created.then(({ ready }) => ready).then(settle, settle);
  }
}

/** Adds the check by a random linear combination to MSMs on the GPU that ask for it (`randomlyChecked`). */
export type CheckByWeights = (msm: GpuMsm) => MsmBackend;

/** A group's MSMs on a device. */
export interface GroupOnGpu {
  readonly msm: OnGpu<GpuMsm>;
  readonly backend: Promise<CompleteMsmBackend>;
  /** The same with the check by a random linear combination, made on first use. */
  checked?: Promise<CompleteMsmBackend>;
}

/** A device that is open or being opened, with the pipelines of the groups that have been asked for, by `groupKey`. */
export class OpenGpu {
  readonly groups = new Map<string, GroupOnGpu>();
  readonly quotients = new Map<CurveId, OnGpu<GpuQuotient>>();
  /** What the device says of itself, once it is open. */
  info: DeviceInfo | undefined;
  /** Its buffers, once it is open. */
  memory: GpuMemory | undefined;

  constructor(readonly device: Promise<GpuDevice>) {
    device.then(
      ({ info, memory }) => {
        this.info = info;
        this.memory = memory;
      },
      () => undefined,
    );
  }

  /** Fulfilled when the device has been released. */
  async close(): Promise<void> {
    const computations = [...[...this.groups.values()].map(({ msm }) => msm), ...this.quotients.values()];
    for (const { created } of computations) created.then((each) => each.destroy()).catch(() => undefined);
    await this.device.then(
      (open) => open.destroy(),
      () => undefined,
    );
  }
}

/** The name of a group among those on a device. */
export function groupKey(curve: CurveId, group: GroupId): string {
  return `${curve} ${group}`;
}
