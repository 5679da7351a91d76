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
import type { GpuDevice } from '../runtime/device.js';
import { basesBytes, GpuBases } from './gpu-bases.js';
import { GPU_CAPABILITIES } from './gpu-capabilities.js';
import type { PointLayout } from './point-layout.js';

/** What bases and buffers of a group may take where the device's memory is not limited: so many of its largest buffers, up to a bound. */
const DEFAULT_BUDGET_BUFFERS = 2;
const MAX_DEFAULT_BUDGET = 4 * 2 ** 30;

/** The bases of a group that lie on the GPU, and the memory that they take. */
export class GpuResidentBases {
  /** Bytes of a buffer that can be bound as a whole. */
  readonly maxBufferBytes: number;
  private readonly resident = new Set<GpuBases>();
  private readonly memoryBudget: number;
  /** Bytes of bases that are being brought. */
  private arriving = 0;

  /**
   * @param memoryBudget bytes of GPU memory for bases and buffers together; by default as many as the device's budget has, or what its limits
   * suggest where it has no limit.
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

  /** Bytes that the bases leave to the buffers of a multiplication. */
  get room(): number {
    return this.roomBeside(0, 0);
  }

  /** The same beside its scalars, if these are on the device, and the bytes that it reads back. */
  roomBeside(scalarBytes: number, readbackBytes: number): number {
    return Math.min(this.ownRoom - scalarBytes, this.gpu.memory.workRoom - readbackBytes);
  }

  /** Bytes that bases may take beside those that are there. */
  get residentRoom(): number {
    return Math.min(this.ownRoom, this.gpu.memory.residentRoom);
  }

  /**
   * Brings bases to the GPU. Their memory is leased before the points are asked for, which may be long to restore.
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
        return withParts(prepared, whole, executor, (parts) =>
          GpuBases.upload(this.gpu, parts, outline, { ...upload, onRelease }),
        );
      });
      this.resident.add(resident);
      // A check of MSMs must know before whether they take multiples.
      if (resident.multiples !== undefined && !given.checksSums) this.gpu.memory.list(resident);
      return resident;
    } finally {
      this.arriving -= bytes;
      // What its buffers have not taken.
      lease?.release();
    }
  }

  /** Releases all of them. */
  release(): void {
    for (const bases of this.resident) bases.release();
  }

  private get ownRoom(): number {
    return this.memoryBudget - this.bytes;
  }

  /** Frees released bases when no multiplication uses them any more. */
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
