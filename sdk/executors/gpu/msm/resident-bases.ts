import { PippinError } from '../../../base/errors.js';
import { BudgetExceeded, type Lease } from '../../../base/memory-budget.js';
import {
  type BasesLoadOptions,
  type BasesRange,
  type BasesToLoad,
  withParts,
  withPoints,
} from '../../../bases/backend.js';
import type { PreparedBases } from '../../../bases/prepared.js';
import type { CurveId, GroupId } from '../../../curves/index.js';
import { GPU_CAPABILITIES } from '../../capabilities.js';
import type { GpuDevice } from '../runtime/device.js';
import { basesBytes, GpuBases } from './gpu-bases.js';
import type { PointLayout } from './point-layout.js';

/**
 * The memory of a group's bases and buffers where the device's budget has no limit: this many of its largest buffers,
 * up to a bound.
 */
const DEFAULT_BUDGET_BUFFERS = 2;
const MAX_DEFAULT_BUDGET = 4 * 2 ** 30;

/** A group's bases on the GPU, and the memory that they take. */
export class GpuResidentBases {
  /** The largest buffer, in bytes, that can be bound as a whole. */
  readonly maxBufferBytes: number;
  private readonly resident = new Set<GpuBases>();
  private readonly memoryBudget: number;
  /** Bytes of bases being loaded. */
  private arriving = 0;

  /**
   * @param memoryBudget bytes of GPU memory for bases and buffers together; by default the device's budget, or where it
   * has no limit, as many as the device's limits suggest.
   */
  constructor(
    private readonly gpu: GpuDevice,
    private readonly curve: CurveId,
    private readonly group: GroupId,
    private readonly layout: PointLayout,
    memoryBudget: number | undefined,
  ) {
    const { maxStorageBufferBindingSize, maxBufferSize } = gpu.limits;
    this.maxBufferBytes = Math.min(maxStorageBufferBindingSize, maxBufferSize);
    const { limit, isLimited } = gpu.memory.budget;
    const suggested = isLimited ? limit : Math.min(DEFAULT_BUDGET_BUFFERS * maxBufferSize, MAX_DEFAULT_BUDGET);
    this.memoryBudget = memoryBudget ?? suggested;
  }

  /** Bytes that the bases take. */
  get bytes(): number {
    return [...this.resident].reduce((sum, { bytes }) => sum + bytes, this.arriving);
  }

  /** Bytes that the bases leave for an MSM's buffers. */
  get room(): number {
    return this.roomBeside(0, 0);
  }

  /** The same minus the MSM's scalars, if they are on the device, and its readback. */
  roomBeside(scalarBytes: number, readbackBytes: number): number {
    return Math.min(this.ownRoom - scalarBytes, this.gpu.memory.workRoom - readbackBytes);
  }

  /** Bytes that further bases may take. */
  get residentRoom(): number {
    return Math.min(this.ownRoom, this.gpu.memory.residentRoom);
  }

  /**
   * Loads bases to the GPU. Their memory is leased before the points are requested, which may take long to restore.
   *
   * @param throwIfUnusable called once more when the points are there.
   */
  async load(
    given: BasesToLoad,
    whole: BasesRange,
    options: BasesLoadOptions,
    throwIfUnusable: () => void,
  ): Promise<GpuBases> {
    const { executor } = GPU_CAPABILITIES;
    const { multiples } = given;
    const { baseBytes } = this.layout;
    const outline = { kept: whole.to - whole.from, indices: given.indices?.subarray(whole.from, whole.to) };
    const bytes = basesBytes(outline, baseBytes, multiples?.executor === executor ? multiples.plan.multiples : 1);
    if (bytes > this.ownRoom) throw new BudgetExceeded(`expected at most ${this.ownRoom} bytes of bases, got ${bytes}`);
    this.arriving += bytes;
    let lease: Lease | undefined;
    try {
      lease = await this.gpu.memory.leaseResident(bytes, 'bases', options.signal);
      const upload = { baseBytes, maxBufferBytes: this.maxBufferBytes, lease, signal: options.signal };
      const onRelease = (): void => this.forget(resident);
      const resident: GpuBases = await withPoints(given.points, async (points) => {
        throwIfUnusable();
        const prepared = { ...given, points };
        this.checkPrepared(prepared);
        return withParts(prepared, [whole], executor, (parts) =>
          GpuBases.upload(this.gpu, parts, outline, { ...upload, onRelease }),
        );
      });
      this.resident.add(resident);
      // A check of MSMs must know beforehand whether they use multiples.
      if (resident.multiples !== undefined && !given.checksResults) this.gpu.memory.list(resident);
      return resident;
    } finally {
      this.arriving -= bytes;
      // The bytes that its buffers have not taken.
      lease?.release();
    }
  }

  /** Releases all bases. */
  release(): void {
    for (const bases of this.resident) bases.release();
  }

  private get ownRoom(): number {
    return this.memoryBudget - this.bytes;
  }

  /** Frees released bases when no MSM uses them any more. */
  private forget(bases: GpuBases): void {
    this.gpu.memory.unlist(bases);
    void this.gpu.turns.run(async () => {
      this.resident.delete(bases);
      bases.free();
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
