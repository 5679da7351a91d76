import { throwIfAborted, untilAborted } from '../../abort.js';
import { CURVES, type CurveId, type GroupId, SCALAR_BYTES } from '../../curves/index.js';
import { PippinError } from '../../errors.js';
import {
  type BasesLoadOptions,
  type BasesRange,
  type BasesToLoad,
  bytesOfPoints,
  type MsmCapabilities,
  type MsmOptions,
  type PartialSums,
  type PlannedBackend,
  partsOf,
  type RowPlan,
  wholeRange,
} from '../../msm/backend.js';
import { chooseMultiples, type MultiplesChoice, type Precompute } from '../../msm/multiples.js';
import type { PreparedBases } from '../../msm/prepared.js';
import {
  bytesOfScalars,
  type DeviceScalars,
  hostScalars,
  type ScalarVector,
  type SharedSlice,
} from '../../msm/scalar-vector.js';
import { GpuScalars } from '../gpu-scalars.js';
import type { GpuDevice, Products } from '../runtime/device.js';
import { Pace } from '../runtime/pace.js';
import type { StagePipeline } from '../runtime/pipelines.js';
import type { ResidentBuffers } from '../runtime/resident-buffers.js';
import { Scratch } from '../runtime/scratch.js';
import { type Kernel, U32_BYTES } from '../runtime/stage.js';
import type { StageTimes } from '../runtime/stage-timer.js';
import { kernelCode, kernelKey } from './compose.js';
import { ADDITION_COST } from './cost.js';
import {
  type DigitInput,
  type DigitSource,
  digitInput,
  gatheredInput,
  gpuScalarInput,
  scalarInput,
  sliceInput,
} from './digit-input.js';
import type { DigitsFrom } from './digits-from.js';
import { basesBytes, GpuBases } from './gpu-bases.js';
import { scratchLayout } from './msm-memory.js';
import type { MsmBuffer } from './msm-stage.js';
import { cutChunks, kernelsFor } from './msm-steps.js';
import { type BitSums, submitMultiplication } from './multiplication.js';
import type { MsmPlan } from './plan.js';
import { cheapestPlan, type PlanRequest, planMsm } from './planner.js';
import { type PointLayout, pointLayout } from './point-layout.js';

export type { DigitSource } from './digit-input.js';
export { GpuBases } from './gpu-bases.js';

export interface GpuMsmOptions {
  /** Bytes of GPU memory for bases and buffers together; by default what the device's limits suggest. */
  readonly memoryBudget?: number | undefined;
  /** How field elements are multiplied where a kernel leaves the choice; by default as the device says. */
  readonly products?: Products | undefined;
  /** The window for a sum of so many points, where it is known from measurements; undefined for the cost model's. */
  readonly windowFor?: ((points: number) => number | undefined) | undefined;
  /** Measures the GPU time of each stage of each multiplication, where the device can; they run slower for it. */
  readonly measureStages?: boolean | undefined;
}

export interface GpuMultiplyOptions extends MsmOptions {
  /** Digits that are cut elsewhere, in place of those that the GPU cuts from the scalars. */
  readonly digitSource?: DigitSource | undefined;
}

/** What else than the bases a plan depends on. */
export interface PlanOptions extends Partial<Pick<PlanRequest, 'windowBits' | 'batch' | 'digitsFrom'>> {
  readonly scalarBits?: number | undefined;
  /** Whether the scalars are on the device already, and the bytes that they take there of the budget. */
  readonly isOnDevice?: boolean | undefined;
  readonly bytesOnDevice?: number | undefined;
}

/**
 * Additions in the time that a scalar takes to reach the device. Measured on an H200: 4 ns beside 1.6 additions a nanosecond.
 * A slow device loses a few percent by it, and only where a multiplication takes it seconds.
 */
const UPLOAD_COST = { hardware: 6, software: 0 } as const;

/** Scalars that multiplications share take at most this part of the memory that the bases leave: the rest is for buffers. */
const SHARE_OF_SCALARS = 4;

/** A window that was measured to be best is not taken if its plan costs so many times what the model's costs: it was for other conditions. */
const CREDIBLE = 2;

/** Plans that are remembered. */
const MAX_PLANS = 32;

/** Threads that a device runs at once: those of a large GPU (an H200 has 16 896), or of a software adapter on two cores. */
const CONCURRENCY = { hardware: 16_384, software: 16 } as const;

/** The memory budget unless the caller gives one: so many of the device's largest buffers, up to a bound. */
const DEFAULT_BUDGET_BUFFERS = 2;
const MAX_DEFAULT_BUDGET = 4 * 2 ** 30;

/**
 * sum k_i P_i over one group of a curve by Pippenger's bucket method on the GPU. Multiplications on one device are queued one after another,
 * and the next one's steps go to the device while the ones before are under way. A fault of the device rejects with `DEVICE_LOST`,
 * `OUT_OF_MEMORY` or `INTERNAL`.
 */
export class GpuMsm implements PlannedBackend<GpuBases> {
  /** What it can do on any device. A multiplication leaves 32 to 98 KB of window sums, and those of a call are read back together. */
  static readonly capabilities: MsmCapabilities = {
    executor: 'webgpu',
    groups: ['g1', 'g2'],
    forms: ['weierstrass', 'edwards'],
    maxBatch: 256,
  };

  readonly capabilities = GpuMsm.capabilities;
  private readonly layout: PointLayout;
  private readonly pipelines = new Map<DigitsFrom, Promise<ReadonlyMap<Kernel, StagePipeline>>>();
  private readonly scratch: Scratch<MsmBuffer>;
  private readonly pace: Pace;
  private readonly memoryBudget: number;
  /** Bytes of a buffer that can be bound as a whole. */
  private readonly maxBufferBytes: number;
  private readonly resident = new Set<ResidentBuffers>();
  private residentBytes = 0;
  private destroyed = false;
  private times: StageTimes | undefined;
  private readonly plans = new Map<string, MsmPlan>();

  private constructor(
    private readonly gpu: GpuDevice,
    private readonly curve: CurveId,
    private readonly group: GroupId,
    private readonly options: GpuMsmOptions,
  ) {
    const { maxStorageBufferBindingSize, maxBufferSize } = gpu.limits;
    this.layout = pointLayout(curve, group);
    this.scratch = new Scratch(gpu);
    this.pace = new Pace(gpu.info.isSoftware);
    this.maxBufferBytes = Math.min(maxStorageBufferBindingSize, maxBufferSize);
    this.memoryBudget = options.memoryBudget ?? Math.min(DEFAULT_BUDGET_BUFFERS * maxBufferSize, MAX_DEFAULT_BUDGET);
    // Provers give scalars. The kernels for digits that are cut elsewhere are compiled when they are first given.
    this.pipelinesFor('scalars');
  }

  /** Begins to compile the group's kernels; the first multiplication waits for them. `CURVE_MISMATCH` for G2 of a curve without it. */
  static async create(gpu: GpuDevice, curve: CurveId, group: GroupId, options: GpuMsmOptions = {}): Promise<GpuMsm> {
    gpu.throwIfLost();
    return new GpuMsm(gpu, curve, group, options);
  }

  /** Fulfilled when the kernels are compiled; rejects with the reason if they cannot be. */
  get ready(): Promise<unknown> {
    return this.pipelinesFor('scalars');
  }

  /** Bytes that bases and buffers take on the GPU; the device's staging memory, which all share, is not among them. */
  get memoryBytes(): number {
    return this.residentBytes + this.scratch.bytes;
  }

  /** Bytes of the device's staging memory, through which data comes and goes. */
  get stagingBytes(): number {
    return this.gpu.staging.bytes + this.gpu.readbacks.bytes;
  }

  /** Milliseconds that the stages of the last multiplication took; undefined unless they are measured. */
  get stageTimes(): StageTimes | undefined {
    return this.times;
  }

  /** The window that a sum of so many points takes when the caller names none. */
  usualWindow(points: number): number {
    return this.plan({ count: points, pointsPerBuffer: points, multiples: undefined }).windowBits;
  }

  /** The plan that multiplications with these bases follow. */
  plan(
    bases: Pick<GpuBases, 'count' | 'pointsPerBuffer' | 'multiples'>,
    {
      windowBits,
      scalarBits,
      batch = 1,
      digitsFrom = 'scalars',
      isOnDevice = false,
      bytesOnDevice = 0,
    }: PlanOptions = {},
  ): MsmPlan {
    const { multiples } = bases;
    const isForMultiples = windowBits === undefined || windowBits === multiples?.windowBits;
    const request: PlanRequest = {
      points: bases.count,
      batch,
      digitsFrom,
      pointsPerBuffer: bases.pointsPerBuffer,
      memoryBudget: this.memoryBudget - this.residentBytes - bytesOnDevice,
      ...this.facts(isOnDevice, scalarBits),
      windowBits: windowBits ?? multiples?.windowBits,
      multiples: isForMultiples ? multiples?.multiples : 1,
      rows: isForMultiples ? multiples?.rows : undefined,
    };
    // A prover asks for the same few plans again and again.
    const measured = request.windowBits === undefined ? this.options.windowFor?.(bases.count) : undefined;
    const key = JSON.stringify([request, measured]);
    let plan = this.plans.get(key);
    if (plan === undefined) {
      plan = planByMeasured(request, measured);
      if (this.plans.size >= MAX_PLANS) this.plans.clear();
      this.plans.set(key, plan);
    }
    return plan;
  }

  rowPlan(bases: GpuBases, batch: number, { windowBits, scalarBits }: MsmOptions): RowPlan {
    return this.plan(bases, { windowBits, scalarBits, batch });
  }

  /**
   * The multiples with which a multiplication of so many points costs least (see `chooseMultiples`).
   *
   * @param together points of all bases, these among them, that get as many multiples each at the same time.
   */
  planMultiples(points: number, together: number, precompute: Precompute): MultiplesChoice {
    const room = this.memoryBudget - this.residentBytes;
    return chooseMultiples(precompute, (multiples) => {
      const found = cheapestPlan({
        points,
        batch: 1,
        digitsFrom: 'scalars',
        pointsPerBuffer: this.pointsPerBuffer(multiples),
        memoryBudget: room - together * multiples * this.layout.baseBytes,
        ...this.facts(false),
        multiples,
      });
      if (found === undefined) return undefined;
      const { windowBits, rows, multiples: most } = found.plan;
      return { plan: { windowBits, rows, multiples: most }, cost: found.cost };
    });
  }

  async load(given: BasesToLoad, range?: BasesRange, options: BasesLoadOptions = {}): Promise<GpuBases> {
    this.throwIfDestroyed();
    throwIfAborted(options.signal);
    const points = await bytesOfPoints(given.points);
    this.throwIfDestroyed();
    this.checkPrepared({ ...given, points });
    const whole = wholeRange(given, range);
    const { baseBytes } = this.layout;
    const bases = partsOf(points, given, whole, this.capabilities.executor);
    const outline = { kept: whole.to - whole.from, indices: given.indices?.subarray(whole.from, whole.to) };
    const bytes = basesBytes(outline, baseBytes, bases.parts.length);
    if (this.residentBytes + bytes > this.memoryBudget) {
      throw new PippinError(
        'OUT_OF_MEMORY',
        `expected at most ${this.memoryBudget - this.residentBytes} bytes of bases, got ${bytes}`,
        { hint: 'release other bases, or give a larger memoryBudget' },
      );
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

  async multiply(bases: GpuBases, scalars: Uint8Array, options: GpuMultiplyOptions = {}): Promise<PartialSums> {
    const [parts] = await this.multiplyBatch(bases, hostScalars(scalars), 1, options);
    return parts!;
  }

  async multiplyBatch(
    bases: GpuBases,
    scalars: ScalarVector,
    batch: number,
    options: GpuMultiplyOptions = {},
  ): Promise<PartialSums[]> {
    throwIfAborted(options.signal);
    this.throwIfDestroyed();
    if (bases.isReleased) throw new PippinError('DISPOSED', 'expected bases that lie ready, got released ones');
    const { digitSource, signal } = options;
    const input =
      digitSource === undefined ? this.inputOf(bases, scalars, batch, signal) : async () => digitInput(digitSource);
    if (bases.count === 0) return Array.from({ length: batch }, () => ({ kind: 'points', points: [] }));
    const turn = this.gpu.turns.run(() => this.submit(bases, input, batch, options));
    const { sums, stageTimes } = await untilAborted(
      turn.then(({ finished }) => finished),
      signal,
    );
    this.times = stageTimes;
    const bytes = sums.length / batch;
    return Array.from({ length: batch }, (_, i) => ({
      kind: 'windows',
      // The sums of single bits are those of windows of one bit.
      windowBits: 1,
      sums: sums.subarray(i * bytes, (i + 1) * bytes),
    }));
  }

  /** Gives all memory back when the multiplications under way have ended; later ones reject with `DISPOSED`. */
  destroy(): void {
    this.destroyed = true;
    for (const bases of this.resident) bases.release();
    void this.gpu.turns.run(async () => this.scratch.destroy());
  }

  private async submit(
    bases: GpuBases,
    bringInput: () => Promise<DigitInput>,
    batch: number,
    options: GpuMultiplyOptions,
  ): Promise<{ readonly finished: Promise<BitSums> }> {
    const { signal, windowBits, scalarBits } = options;
    throwIfAborted(signal);
    await untilAborted(this.ready, signal);
    const input = await bringInput();
    const { digitsFrom, isOnDevice, bytesOnDevice } = input;
    const pipelines = await untilAborted(this.pipelinesFor(digitsFrom), signal);
    const plan = this.plan(bases, { windowBits, scalarBits, batch, digitsFrom, isOnDevice, bytesOnDevice });
    await this.scratch.prepare(scratchLayout(plan), this.memoryBudget - this.residentBytes - bytesOnDevice);
    return submitMultiplication(
      this.gpu,
      { plan, chunks: cutChunks(plan, bases.buffers), input },
      {
        pipelines,
        scratch: this.scratch,
        pace: this.pace,
        limbs: this.layout.limbs,
        measureStages: this.options.measureStages ?? false,
        signal,
        onProgress: options.onProgress,
      },
    );
  }

  /** What brings the scalars of `batch` multiplications, which are here or on the device, when their turn has come. */
  private inputOf(
    bases: GpuBases,
    scalars: ScalarVector,
    batch: number,
    signal: AbortSignal | undefined,
  ): () => Promise<DigitInput> {
    const count = batch * bases.count;
    if (scalars.kind === 'device') {
      const input = this.inputOnDevice(scalars, count);
      return async () => input;
    }
    if (scalars.kind === 'shared' && scalars.count === count && this.takesCopyOf(scalars, count)) {
      return () => this.sharedInput(bases, scalars, signal);
    }
    const bytes = bytesOfScalars(scalars);
    if (bytes.length !== count * SCALAR_BYTES) {
      throw new PippinError(
        'INVALID_LENGTH',
        `expected ${count * SCALAR_BYTES} bytes for ${count} scalars, got ${bytes.length}`,
      );
    }
    return async () => scalarInput(bytes);
  }

  /** Whether shared scalars may lie on the device as a whole: where they leave room for the buffers of a multiplication. */
  private takesCopyOf({ whole }: SharedSlice, points: number): boolean {
    const room = (this.memoryBudget - this.residentBytes) / SHARE_OF_SCALARS;
    return whole.bytes.length <= Math.min(room, this.maxBufferBytes) && points * U32_BYTES <= this.maxBufferBytes;
  }

  private async sharedInput(
    bases: GpuBases,
    { whole, first, indices }: SharedSlice,
    signal: AbortSignal | undefined,
  ): Promise<DigitInput> {
    const scalars = await whole.on(this.gpu.device, () => GpuScalars.upload(this.gpu, whole.bytes, signal));
    if (indices === undefined) return sliceInput(scalars, first);
    return gatheredInput(scalars, first, bases.indices!);
  }

  private inputOnDevice(scalars: DeviceScalars, count: number): DigitInput {
    if (!(scalars instanceof GpuScalars) || !scalars.isOn(this.gpu)) {
      throw new PippinError('INTERNAL', "expected scalars on the multiplication's own device, got others");
    }
    if (scalars.isReleased) throw new PippinError('DISPOSED', 'expected scalars on the device, got released ones');
    if (scalars.count !== count) {
      throw new PippinError('INVALID_LENGTH', `expected ${count} scalars on the device, got ${scalars.count}`);
    }
    return gpuScalarInput(scalars);
  }

  /** The most points that lie in one buffer with so many multiples of each. */
  private pointsPerBuffer(multiples: number): number {
    return Math.floor(this.maxBufferBytes / (multiples * this.layout.baseBytes));
  }

  /** What every plan on this device starts from. */
  private facts(isOnDevice: boolean, scalarBits = CURVES[this.curve].fr.bits) {
    const kind = this.gpu.info.isSoftware ? 'software' : 'hardware';
    return {
      scalarBits,
      sumBytes: this.layout.sumBytes,
      additionCost: ADDITION_COST[this.group],
      maxBufferBytes: this.maxBufferBytes,
      concurrency: CONCURRENCY[kind],
      uploadCost: isOnDevice ? 0 : UPLOAD_COST[kind],
    };
  }

  /** The kernels, compiled when they are first asked for. A failure shows in the multiplication that needs them. */
  private pipelinesFor(digitsFrom: DigitsFrom): Promise<ReadonlyMap<Kernel, StagePipeline>> {
    let compiled = this.pipelines.get(digitsFrom);
    if (compiled === undefined) {
      compiled = this.compile(digitsFrom);
      compiled.catch(() => undefined);
      this.pipelines.set(digitsFrom, compiled);
    }
    return compiled;
  }

  private async compile(digitsFrom: DigitsFrom): Promise<ReadonlyMap<Kernel, StagePipeline>> {
    const { curve, group } = this;
    const { pipelines } = this.gpu;
    const { products = this.gpu.products } = this.options;
    const compiled = kernelsFor(digitsFrom).map(async (kernel): Promise<[Kernel, StagePipeline]> => {
      const code = await kernelCode(curve, group, kernel, products);
      return [kernel, await pipelines.get(kernelKey(curve, group, kernel, products), kernel, code)];
    });
    return new Map(await Promise.all(compiled));
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

  private throwIfDestroyed(): void {
    if (this.destroyed) throw new PippinError('DISPOSED', 'expected a GPU that is in use, got a destroyed one');
    this.gpu.throwIfLost();
  }
}

/** The plan with the window that was measured to be best, if there is one that fits and is credible; otherwise the model's. */
function planByMeasured(request: PlanRequest, measured: number | undefined): MsmPlan {
  if (measured === undefined) return planMsm(request);
  const byModel = cheapestPlan(request);
  const byMeasured = cheapestPlan({ ...request, windowBits: measured });
  if (byModel === undefined || byMeasured === undefined) return planMsm(request);
  return byMeasured.cost <= CREDIBLE * byModel.cost ? byMeasured.plan : byModel.plan;
}
