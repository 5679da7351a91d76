import { throwIfAborted, untilAborted } from '../../../base/abort.js';
import { PippinError } from '../../../base/errors.js';
import {
  type BasesLoadOptions,
  type BasesRange,
  type BasesToLoad,
  type MultiplyOptions,
  type PartialSums,
  type PlannedBackend,
  type RowPlan,
  wholeRange,
} from '../../../bases/backend.js';
import type { MultiplesChoice, MultiplesTuning, Precompute } from '../../../bases/multiples.js';
import { hostScalars, type ScalarVector, wipeCopy } from '../../../bases/scalar-vector.js';
import { CURVES, type CurveId, type GroupId } from '../../../curves/index.js';
import { GPU_CAPABILITIES } from '../../capabilities.js';
import type { GpuDevice, Products } from '../runtime/device.js';
import { Pace } from '../runtime/pace.js';
import type { StagePipeline } from '../runtime/pipelines.js';
import { Scratch } from '../runtime/scratch.js';
import { type GpuKernel, U32_BYTES } from '../runtime/stage.js';
import type { StageTimer, StageTimes } from '../runtime/stage-timer.js';
import { GroupKernels } from './compose.js';
import { type DeviceRates, measureRates } from './device-rates.js';
import { type DigitInput, type DigitSource, digitInput } from './digit-input.js';
import type { BaseRun, GpuBases } from './gpu-bases.js';
import { GroupPlans, type PlannedBases, type PlanOptions, planGpuMultiples } from './group-plans.js';
import { type DigitOptions, MsmInputs } from './msm-inputs.js';
import { scratchLayout } from './msm-memory.js';
import { type BitSums, cutChunks, type KernelChoice, submitMultiplication } from './msm-steps.js';
import type { MsmPlan } from './plan.js';
import { type PointLayout, pointLayout } from './point-layout.js';
import { GpuResidentBases } from './resident-bases.js';
import { centred } from './stages/centre.js';
import type { MsmBuffer } from './stages/msm-stage.js';

export type { CutDigits, DigitSource } from './digit-input.js';
export { GpuBases } from './gpu-bases.js';

export interface GpuMsmOptions extends DigitOptions {
  /**
   * Bytes of GPU memory for bases and buffers together, within the device's budget; by default the whole budget, or as
   * many as the device's limits suggest.
   */
  readonly memoryBudget?: number | undefined;
  /** How field elements are multiplied in kernels that support both ways; by default the device's `products`. */
  readonly products?: Products | undefined;
  /**
   * Measures the device before the first MSM, in 100 to 300 ms, so that plans fit it and not a model of another device.
   */
  readonly measureRates?: boolean | undefined;
  /**
   * Measures the GPU time of each stage of each MSM, where the device supports it; this slows them down. Provers do not
   * use it.
   */
  readonly stageTimer?: typeof StageTimer | undefined;
}

export interface GpuMultiplyOptions extends MultiplyOptions {
  /** Digits cut elsewhere, in place of digits that the GPU cuts from the scalars. */
  readonly digitSource?: DigitSource | undefined;
}

/** MSMs that wait for their turn. */
interface GpuCall {
  readonly bases: GpuBases;
  readonly range: BasesRange;
  readonly bringInput: () => Promise<DigitInput>;
  readonly batch: number;
  readonly products: Products;
}

/** The kernels that provers use. Others are compiled on first use. */
const USUAL_KERNELS: KernelChoice = { digitsFrom: 'scalars', reduction: 'merged' };

/**
 * MSMs, sum k_i P_i, over one group of a curve by Pippenger's bucket method on the GPU. MSMs on one device are queued
 * one after another, and the next one's steps are submitted while earlier ones still run. A device fault rejects with
 * `DEVICE_LOST`, `OUT_OF_MEMORY` or `INTERNAL`.
 */
export class GpuMsm implements PlannedBackend<GpuBases> {
  readonly capabilities = GPU_CAPABILITIES;
  private readonly layout: PointLayout;
  private readonly kernels: GroupKernels;
  private readonly scratch: Scratch<MsmBuffer>;
  private readonly pace: Pace;
  private readonly resident: GpuResidentBases;
  private readonly inputs: MsmInputs;
  private destroyed = false;
  private times: StageTimes | undefined;
  private readonly plans: GroupPlans;
  /** Fulfilled when the kernels are compiled and the device is measured; rejects if a kernel cannot be compiled. */
  readonly ready: Promise<unknown>;

  private constructor(
    private readonly gpu: GpuDevice,
    private readonly curve: CurveId,
    private readonly group: GroupId,
    private readonly options: GpuMsmOptions,
  ) {
    this.layout = pointLayout(curve, group);
    this.kernels = new GroupKernels(gpu, curve, group);
    this.scratch = new Scratch(gpu);
    this.pace = new Pace(gpu.info.isSoftware);
    this.resident = new GpuResidentBases(gpu, curve, group, this.layout, options.memoryBudget);
    this.inputs = new MsmInputs(gpu, curve, this.resident, options);
    this.plans = new GroupPlans({
      curve,
      group,
      isSoftware: gpu.info.isSoftware,
      maxBufferBytes: this.resident.maxBufferBytes,
      measuredFor: options.measuredFor,
    });
    const compiled = this.kernels.pipelinesFor({ ...USUAL_KERNELS, products: this.usualProducts });
    // Measuring takes memory that a limited budget lacks.
    const measures = options.measureRates && !gpu.memory.budget.isLimited;
    this.ready = measures ? compiled.then((pipelines) => this.measureRates(pipelines)) : compiled;
    this.ready.catch(() => undefined);
  }

  /**
   * Starts compiling the group's kernels; the first MSM waits for them. `CURVE_MISMATCH` for G2 of a curve without it.
   */
  static async create(gpu: GpuDevice, curve: CurveId, group: GroupId, options: GpuMsmOptions = {}): Promise<GpuMsm> {
    gpu.throwIfLost();
    return new GpuMsm(gpu, curve, group, options);
  }

  /** Bytes of bases and buffers on the GPU, without the device's shared staging memory. */
  get memoryBytes(): number {
    return this.resident.bytes + this.scratch.bytes;
  }

  /** Bytes of the device's staging memory, for uploads and readbacks. */
  get stagingBytes(): number {
    return this.gpu.staging.bytes + this.gpu.readbacks.bytes;
  }

  /** Milliseconds per stage of the last MSM; undefined unless measured. */
  get stageTimes(): StageTimes | undefined {
    return this.times;
  }

  /** The rates behind the plan costs: measured ones if the options ask for it and `ready` is fulfilled. */
  get rates(): DeviceRates {
    return this.plans.rates;
  }

  /** The window size and the number of chunks of an MSM of `points` points when the caller names none. */
  usual(points: number): { readonly windowBits: number; readonly chunks: number } {
    const { windowBits, chunkPoints } = this.plan({ count: points, pointsPerBuffer: points, multiples: undefined });
    return { windowBits, chunks: Math.ceil(points / chunkPoints) };
  }

  /** The plan of MSMs with these bases. */
  plan(bases: PlannedBases, options: PlanOptions & { readonly bytesOnDevice?: number } = {}): MsmPlan {
    const { batch = 1, bytesOnDevice = 0 } = options;
    return this.plans.plan(bases, this.resident.roomBeside(bytesOnDevice, this.plans.mostReadback(batch)), options);
  }

  rowPlan(bases: GpuBases, batch: number, options: GpuMultiplyOptions): RowPlan {
    const { range = { from: 0, to: bases.count } } = options;
    const digitsFrom = this.inputs.cutsOnWorkers(bases, options) ? 'digits' : 'scalars';
    const outline = outlineOf(range, bases.runsOf(range), bases);
    const { windowBits, windows, rows } = this.plan(outline, { ...options, batch, digitsFrom });
    return { windowBits, windows, rows, isCentred: digitsFrom === 'scalars' };
  }

  /**
   * The multiples with which an MSM of `points` points costs least (see `chooseMultiples`).
   *
   * @param together points of all bases, including these, that get this many multiples each at the same time.
   */
  async planMultiples(
    points: number,
    together: number,
    precompute: Precompute,
    tuning?: MultiplesTuning,
  ): Promise<MultiplesChoice> {
    const { room, residentRoom } = this.resident;
    return planGpuMultiples(this.plans, { points, together, room, residentRoom }, precompute, tuning);
  }

  async load(given: BasesToLoad, range?: BasesRange, options: BasesLoadOptions = {}): Promise<GpuBases> {
    this.throwIfDestroyed();
    throwIfAborted(options.signal);
    this.expectWorkRoom(given.count);
    return this.resident.load(given, wholeRange(given, range), options, () => this.throwIfDestroyed());
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
    const { digitSource, range = { from: 0, to: bases.count }, signal } = options;
    const products = this.productsFor(options);
    const { input, copied } =
      digitSource === undefined
        ? this.inputs.inputOf(bases, range, scalars, batch, options)
        : { input: async () => digitInput(digitSource), copied: undefined };
    try {
      if (range.from >= range.to) return Array.from({ length: batch }, () => ({ kind: 'points', points: [] }));
      const call: GpuCall = { bases, range, bringInput: input, batch, products };
      const turn = this.gpu.turns.run(() => this.submit(call, options));
      const { sums, stageTimes } = await untilAborted(
        turn.then(({ finished }) => finished),
        signal,
      );
      this.times = stageTimes;
      const bytes = sums.length / batch;
      return Array.from({ length: batch }, (_, i) => ({
        kind: 'windows',
        // Bit sums are window sums with windows of one bit.
        windowBits: 1,
        sums: sums.subarray(i * bytes, (i + 1) * bytes),
      }));
    } finally {
      if (copied !== undefined) wipeCopy(copied, scalars);
    }
  }

  /** Frees all memory when the pending MSMs have ended; later ones reject with `DISPOSED`. */
  destroy(): void {
    this.destroyed = true;
    this.resident.release();
    void this.gpu.turns.run(async () => this.scratch.destroy());
  }

  private async submit(
    { bases, range, bringInput, batch, products }: GpuCall,
    options: GpuMultiplyOptions,
  ): Promise<{ readonly finished: Promise<BitSums> }> {
    const { signal, reduction = 'merged' } = options;
    throwIfAborted(signal);
    await untilAborted(this.ready, signal);
    const input = await bringInput();
    const { digitsFrom, isOnDevice, bytesOnDevice } = input;
    // Short scalars are below r / 2.
    const isCentred = digitsFrom === 'scalars' && input.scalarWords * U32_BYTES === this.scalarBytes;
    const pipelines = await untilAborted(this.kernels.pipelinesFor({ digitsFrom, reduction, products }), signal);
    const runs = bases.runsOf(range);
    const outline = outlineOf(range, runs, bases);
    const plan = this.plan(outline, { ...options, batch, digitsFrom, isOnDevice, bytesOnDevice });
    const room = this.resident.roomBeside(bytesOnDevice, this.plans.mostReadback(batch));
    await this.scratch.prepare(scratchLayout(plan), room);
    return submitMultiplication(
      this.gpu,
      { plan, chunks: cutChunks(plan, runs), input: isCentred ? centred(input, this.order) : input },
      {
        pipelines,
        scratch: this.scratch,
        pace: this.pace,
        limbs: this.layout.limbs,
        stageTimer: this.options.stageTimer,
        signal,
        onProgress: options.onProgress,
      },
    );
  }

  /** How field elements are multiplied unless a call says otherwise. */
  private get usualProducts(): Products {
    return this.options.products ?? this.gpu.products;
  }

  /**
   * The products with which an MSM adds bases to buckets; `INVALID_ARGUMENT` for a kind that the device does not
   * support.
   */
  private productsFor({ accumulation = this.usualProducts }: GpuMultiplyOptions): Products {
    const { possibleProducts } = this.gpu;
    if (possibleProducts.includes(accumulation)) return accumulation;
    throw new PippinError(
      'INVALID_ARGUMENT',
      `expected accumulation ${possibleProducts.map((each) => `'${each}'`).join(' or ')} on this GPU, got '${accumulation}'`,
      { hint: "leave accumulation out, or choose 'limbs', which every GPU has" },
    );
  }

  private get order(): bigint {
    return CURVES[this.curve].fr.modulus;
  }

  private get scalarBytes(): number {
    return CURVES[this.curve].scalarBytes;
  }

  /** If it fails, plans fall back to the model; a lost or faulty device rejects the first MSM. */
  private async measureRates(pipelines: ReadonlyMap<GpuKernel, StagePipeline>): Promise<void> {
    const rates = await measureRates(this.gpu, this.group, this.layout, pipelines, this.scalarBytes).catch(
      () => undefined,
    );
    if (rates !== undefined) this.plans.rates = rates;
  }

  /**
   * `OUT_OF_MEMORY` when MSMs of `points` points would not fit the part of a limited budget that is kept for
   * computations.
   */
  private expectWorkRoom(points: number): void {
    const { budget, leastWorkRoom } = this.gpu.memory;
    if (!budget.isLimited || points === 0) return;
    const room = leastWorkRoom - this.plans.mostReadback(1);
    this.plans.plan({ count: points, pointsPerBuffer: points, multiples: undefined }, room);
  }

  private throwIfDestroyed(): void {
    if (this.destroyed) throw new PippinError('DISPOSED', 'expected a GPU that is in use, got a destroyed one');
    this.gpu.throwIfLost();
  }
}

/** The inputs of a plan for a range of points in these runs. */
function outlineOf({ from, to }: BasesRange, runs: readonly BaseRun[], { multiples }: GpuBases): PlannedBases {
  return { count: to - from, pointsPerBuffer: Math.max(...runs.map(({ points }) => points)), multiples };
}
