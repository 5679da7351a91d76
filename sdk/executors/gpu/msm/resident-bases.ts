import { PippinError } from '../../../base/errors.js';
import {
  type BasesLoadOptions,
  type BasesParts,
  type BasesRange,
  type BasesToLoad,
  withParts,
  withPoints,
} from '../../../bases/backend.js';
import type { PreparedBases } from '../../../bases/prepared.js';
import type { CurveId, GroupId } from '../../../curves/index.js';
import type { GpuDevice } from '../runtime/device.js';
import type { ResidentBuffers } from '../runtime/resident-buffers.js';
import { basesBytes, GpuBases } from './gpu-bases.js';
import { GPU_CAPABILITIES } from './gpu-capabilities.js';
import type { PointLayout } from './point-layout.js';

/** The memory budget unless the caller gives one: so many of the device's largest buffers, up to a bound. */
const DEFAULT_BUDGET_BUFFERS = 2;
const MAX_DEFAULT_BUDGET = 4 * 2 ** 30;

/** The bases of a group that lie on the GPU, and the memory that they take. */
export class ResidentBases {
  /** Bytes of a buffer that can be bound as a whole. */
  readonly maxBufferBytes: number;
  private readonly resident = new Set<ResidentBuffers>();
  private readonly memoryBudget: number;
  private residentBytes = 0;

  /** @param memoryBudget bytes of GPU memory for bases and buffers together; by default what the device's limits suggest. */
  constructor(
    private readonly gpu: GpuDevice,
    private readonly curve: CurveId,
    private readonly group: GroupId,
    private readonly layout: PointLayout,
    memoryBudget: number | undefined,
  ) {
    const { maxStorageBufferBindingSize, maxBufferSize } = gpu.limits;
    this.maxBufferBytes = Math.min(maxStorageBufferBindingSize, maxBufferSize);
    this.memoryBudget = memoryBudget ?? Math.min(DEFAULT_BUDGET_BUFFERS * maxBufferSize, MAX_DEFAULT_BUDGET);
  }

  /** Bytes that the bases take. */
  get bytes(): number {
    return this.residentBytes;
  }

  /** Bytes of the budget that the bases leave. */
  get room(): number {
    return this.memoryBudget - this.residentBytes;
  }

  /**
   * Brings bases to the GPU.
   *
   * @param throwIfUnusable called once more when the points are there, since that may take long.
   */
  async load(
    given: BasesToLoad,
    whole: BasesRange,
    options: BasesLoadOptions,
    throwIfUnusable: () => void,
  ): Promise<GpuBases> {
    return withPoints(given.points, async (points) => {
      throwIfUnusable();
      const prepared = { ...given, points };
      this.checkPrepared(prepared);
      const { executor } = GPU_CAPABILITIES;
      return withParts(prepared, whole, executor, (parts) => this.loadParts(parts, given, whole, options));
    });
  }

  /** Releases all of them. */
  release(): void {
    for (const bases of this.resident) bases.release();
  }

  private async loadParts(
    bases: BasesParts,
    given: BasesToLoad,
    whole: BasesRange,
    options: BasesLoadOptions,
  ): Promise<GpuBases> {
    const { baseBytes } = this.layout;
    const outline = { kept: whole.to - whole.from, indices: given.indices?.subarray(whole.from, whole.to) };
    const bytes = basesBytes(outline, baseBytes, bases.parts.length);
    if (this.residentBytes + bytes > this.memoryBudget) {
      throw new PippinError('OUT_OF_MEMORY', `expected at most ${this.room} bytes of bases, got ${bytes}`, {
        hint: 'release other bases, or give a larger memoryBudget',
      });
    }
    this.residentBytes += bytes;
    try {
      const resident = await GpuBases.upload(this.gpu, bases, outline, baseBytes, this.maxBufferBytes, {
        signal: options.signal,
        onRelease: (released) => this.forget(released),
      });
      this.resident.add(resident);
      return resident;
    } catch (error) {
      this.residentBytes -= bytes;
      throw error;
    }
  }

  /** Frees released bases when no multiplication uses them any more. */
  private forget(bases: ResidentBuffers): void {
    this.resident.delete(bases);
    void this.gpu.turns.run(async () => {
      bases.free();
      this.residentBytes -= bases.bytes;
    });
  }

  private checkPrepared(prepared: PreparedBases): void {
    const { curve, group, form, kept, points } = prepared;
    if (curve !== this.curve || group !== this.group || form !== this.layout.form) {
      throw new PippinError(
        'CURVE_MISMATCH',
        `expected ${this.group} of ${this.curve} in ${this.layout.form} form, got ${group} of ${curve} in ${form} form`,
      );
    }
    const bytes = kept * this.layout.baseBytes;
    if (points.byteLength !== bytes) {
      throw new PippinError(
        'INVALID_LENGTH',
        `expected ${bytes} bytes for ${kept} prepared points, got ${points.byteLength}`,
      );
    }
  }
}
