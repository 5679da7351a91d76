import type { BackendChoice } from '../api/index.js';
import { loadPart } from '../base/load-part.js';
import type { CurveId, GroupId } from '../curves/index.js';
import { DeviceOpener, type GpuPlatform } from '../engine/device-opener.js';
import type { GpuPoints } from '../executors/gpu/points/gpu-points.js';
import type { GpuDevice } from '../executors/gpu/runtime/device.js';
import { attempt, type FallibleExecutor, type Way } from '../recovery/attempt.js';

/** Fewer points are done before a device is open and its kernels are compiled. */
const FEWEST_POINTS = 1 << 12;

/** A group's kernels, once they are compiled. */
interface GroupOnGpu {
  readonly opened: Promise<GpuPoints>;
  points: GpuPoints | undefined;
}

/**
 * The GPU that multiplies the points of a ceremony. It is opened when there are many points to multiply. With `auto`
 * the workers compute until its kernels are compiled, and where there is no GPU; with `webgpu` calls wait for it, and
 * without a usable adapter they reject with `WEBGPU_UNAVAILABLE`. Once its results were wrong it is used no more.
 */
export class CeremonyGpu implements FallibleExecutor {
  private device: Promise<GpuDevice> | undefined;
  private readonly groups = new Map<string, GroupOnGpu>();
  private isTrusted = true;
  private hasMultiplied = false;

  constructor(
    private readonly platform: GpuPlatform,
    private readonly choice: BackendChoice,
  ) {}

  get isRequired(): boolean {
    return this.choice === 'webgpu';
  }

  distrust(): void {
    this.isTrusted = false;
  }

  /** What multiplied the points, or most of them. */
  get backend(): 'webgpu' | 'wasm' {
    return this.hasMultiplied && this.isTrusted ? 'webgpu' : 'wasm';
  }

  /** Begins to open the device for so many points that are to be multiplied, if they will be the GPU's. */
  expect(curve: CurveId, group: GroupId, count: number): void {
    this.pointsFor(curve, group, count).catch(() => undefined);
  }

  /**
   * Computes on the GPU; on the workers where there is none, or not yet, and after a failure (sdk/recovery/table.ts).
   *
   * @param count of the points that are to be multiplied, here and afterwards.
   * @param byGpu checks what it returns: `RESULT_INVALID` if it is wrong.
   */
  async compute<T>(
    { curve, group, count }: { readonly curve: CurveId; readonly group: GroupId; readonly count: number },
    byGpu: (points: GpuPoints) => Promise<T>,
    byWorkers: () => Promise<T>,
  ): Promise<T> {
    const points = await this.pointsFor(curve, group, count);
    if (points === undefined) return byWorkers();
    const workers: Way = { by: 'workers' };
    const gpu: Way = { by: 'gpu', executor: this };
    return attempt({ first: gpu, rungs: { workers: () => workers, budget: () => workers } }, async (way) => {
      if (way === workers) return byWorkers();
      const result = await byGpu(points);
      this.hasMultiplied = true;
      return result;
    });
  }

  /** The products of a group, or undefined where the workers should compute them. */
  private async pointsFor(curve: CurveId, group: GroupId, count: number): Promise<GpuPoints | undefined> {
    if (this.choice === 'wasm' || !this.isTrusted) return undefined;
    const key = keyOf(curve, group);
    let onGpu = this.groups.get(key);
    if (onGpu === undefined) {
      if (!this.isRequired && count < FEWEST_POINTS) return undefined;
      const opening: GroupOnGpu = { opened: this.open(curve, group), points: undefined };
      opening.opened.then(
        (points) => {
          opening.points = points;
        },
        () => undefined,
      );
      this.groups.set(key, opening);
      onGpu = opening;
    }
    if (!this.isRequired) return onGpu.points;
    return onGpu.opened.catch((error: unknown) => {
      // A device that was lost since then.
      if ([...this.groups.values()].some(({ points }) => points !== undefined)) return undefined;
      throw error;
    });
  }

  /** Whether the next points of a group, if they are many, will be the GPU's. */
  takes(curve: CurveId, group: GroupId): boolean {
    if (this.choice === 'wasm' || !this.isTrusted) return false;
    return this.isRequired || this.groups.get(keyOf(curve, group))?.points !== undefined;
  }

  /** Fulfilled when the device has been released. */
  async close(): Promise<void> {
    await this.device?.then(
      (device) => device.destroy(),
      () => undefined,
    );
  }

  private async open(curve: CurveId, group: GroupId): Promise<GpuPoints> {
    this.device ??= new DeviceOpener(this.platform, this.choice, undefined, Promise.resolve(undefined)).open();
    const load = () => import('../executors/gpu/points/gpu-points.js');
    const [device, { GpuPoints }] = await Promise.all([
      this.device,
      loadPart("the GPU's products of points", load, 'WEBGPU_UNAVAILABLE'),
    ]);
    const points = new GpuPoints(device, curve, group);
    await points.ready;
    return points;
  }
}

function keyOf(curve: CurveId, group: GroupId): string {
  return `${curve} ${group}`;
}
