import { throwIfAborted, untilAborted } from '../../abort.js';
import { CURVES, type CurveId, type GroupId, SCALAR_BYTES } from '../../curves/index.js';
import { PippinError } from '../../errors.js';
import {
  type BasesLoadOptions,
  type BasesParts,
  type BasesRange,
  type BasesToLoad,
  type MsmOptions,
  type PartialSums,
  type PlannedBackend,
  type RowPlan,
  wholeRange,
  withParts,
  withPoints,
} from '../../msm/backend.js';
import type { MultiplesChoice, MultiplesTuning, Precompute } from '../../msm/multiples.js';
import type { PreparedBases } from '../../msm/prepared.js';
import {
  bytesOfScalars,
  type DeviceScalars,
  hostScalars,
  type ScalarVector,
  type SharedSlice,
  wipeCopy,
} from '../../msm/scalar-vector.js';
import type { MeasuredSum } from '../../msm/tuning.js';
import { GpuScalars } from '../gpu-scalars.js';
import type { GpuDevice, Products } from '../runtime/device.js';
import { Pace } from '../runtime/pace.js';
import type { StagePipeline } from '../runtime/pipelines.js';
import type { ResidentBuffers } from '../runtime/resident-buffers.js';
import { Scratch } from '../runtime/scratch.js';
import { type Kernel, U32_BYTES } from '../runtime/stage.js';
import type { StageTimes } from '../runtime/stage-timer.js';
import { centred } from './centre.js';
import { kernelCode, kernelKey } from './compose.js';
import { type DeviceRates, measureRates } from './device-rates.js';
import {
  type CutDigits,
  type DigitInput,
  type DigitSource,
  digitInput,
  gatheredInput,
  gpuScalarInput,
  scalarInput,
  sliceInput,
} from './digit-input.js';
import { type BaseRun, basesBytes, GpuBases } from './gpu-bases.js';
import { GPU_CAPABILITIES } from './gpu-capabilities.js';
import { GroupPlans, type PlannedBases, type PlanOptions } from './group-plans.js';
import { scratchLayout } from './msm-memory.js';
import type { MsmBuffer } from './msm-stage.js';
import { cutChunks, type KernelChoice, kernelsFor } from './msm-steps.js';
import { type BitSums, submitMultiplication } from './multiplication.js';
import type { MsmPlan } from './plan.js';
import { type PointLayout, pointLayout } from './point-layout.js';

export type { CutDigits, DigitSource } from './digit-input.js';
export { GpuBases } from './gpu-bases.js';

export interface GpuMsmOptions {
  /** Bytes of GPU memory for bases and buffers together; by default what the device's limits suggest. */
  readonly memoryBudget?: number | undefined;
  /** How field elements are multiplied where a kernel leaves the choice; by default as the device says. */
  readonly products?: Products | undefined;
  /** What was measured for sums of about so many points; undefined where nothing was, and plans follow the cost model. */
  readonly measuredFor?: ((points: number) => MeasuredSum | undefined) | undefined;
  /** Measures the device before the first multiplication, in 100 to 300 ms, so that plans follow it and not a model of another one. */
  readonly measureRates?: boolean | undefined;
  /** Cuts the digits of sums that are tuned to `digits: 'workers'`. */
  readonly cutDigits?: CutDigits | undefined;
  /** Measures the GPU time of each stage of each multiplication, where the device can; they run slower for it. */
  readonly measureStages?: boolean | undefined;
}

export interface GpuMultiplyOptions extends MsmOptions {
  /** Digits that are cut elsewhere, in place of those that the GPU cuts from the scalars. */
  readonly digitSource?: DigitSource | undefined;
}

/** The kernels of a multiplication, and how they multiply where they leave the choice. */
interface CompiledKernels extends KernelChoice {
  readonly products: Products;
}

/** What provers ask for. Other kernels are compiled when they are first needed. */
const USUAL_KERNELS: KernelChoice = { digitsFrom: 'scalars', reduction: 'merged' };

/** Scalars that multiplications share take at most this part of the memory that the bases leave: the rest is for buffers. */
const SHARE_OF_SCALARS = 4;

/** The memory budget unless the caller gives one: so many of the device's largest buffers, up to a bound. */
const DEFAULT_BUDGET_BUFFERS = 2;
const MAX_DEFAULT_BUDGET = 4 * 2 ** 30;

/**
 * sum k_i P_i over one group of a curve by Pippenger's bucket method on the GPU. Multiplications on one device are queued one after another,
 * and the next one's steps go to the device while the ones before are under way. A fault of the device rejects with `DEVICE_LOST`,
 * `OUT_OF_MEMORY` or `INTERNAL`.
 */
export class GpuMsm implements PlannedBackend<GpuBases> {
  readonly capabilities = GPU_CAPABILITIES;
  private readonly layout: PointLayout;
  private readonly pipelines = new Map<string, Promise<ReadonlyMap<Kernel, StagePipeline>>>();
  private readonly scratch: Scratch<MsmBuffer>;
  private readonly pace: Pace;
  private readonly memoryBudget: number;
  /** Bytes of a buffer that can be bound as a whole. */
  private readonly maxBufferBytes: number;
  private readonly resident = new Set<ResidentBuffers>();
  private residentBytes = 0;
  private destroyed = false;
  private times: StageTimes | undefined;
  private readonly plans: GroupPlans;
  /** Fulfilled when the kernels are compiled and the device has been measured; rejects with the reason if kernels cannot be compiled. */
  readonly ready: Promise<unknown>;

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
    this.plans = new GroupPlans({
      curve,
      group,
      isSoftware: gpu.info.isSoftware,
      maxBufferBytes: this.maxBufferBytes,
      measuredFor: options.measuredFor,
    });
    const compiled = this.pipelinesFor({ ...USUAL_KERNELS, products: this.usualProducts });
    this.ready = options.measureRates ? compiled.then((pipelines) => this.measureRates(pipelines)) : compiled;
    this.ready.catch(() => undefined);
  }

  /** Begins to compile the group's kernels; the first multiplication waits for them. `CURVE_MISMATCH` for G2 of a curve without it. */
  static async create(gpu: GpuDevice, curve: CurveId, group: GroupId, options: GpuMsmOptions = {}): Promise<GpuMsm> {
    gpu.throwIfLost();
    return new GpuMsm(gpu, curve, group, options);
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

  /** What the costs of plans follow: measured if the options ask for it and `ready` is fulfilled. */
  get rates(): DeviceRates {
    return this.plans.rates;
  }

  /** The windows and chunks that a sum of so many points takes when the caller names none. */
  usual(points: number): { readonly windowBits: number; readonly chunks: number } {
    const { windowBits, chunkPoints } = this.plan({ count: points, pointsPerBuffer: points, multiples: undefined });
    return { windowBits, chunks: Math.ceil(points / chunkPoints) };
  }

  /** The plan that multiplications with these bases follow. */
  plan(bases: PlannedBases, options?: PlanOptions): MsmPlan {
    return this.plans.plan(bases, this.room, options);
  }

  rowPlan(bases: GpuBases, batch: number, options: GpuMultiplyOptions): RowPlan {
    const { range = { from: 0, to: bases.count } } = options;
    const digitsFrom = this.cutsOnWorkers(bases, options) ? 'digits' : 'scalars';
    const outline = outlineOf(range, bases.runsOf(range), bases);
    const { windowBits, windows, rows } = this.plan(outline, { ...options, batch, digitsFrom });
    return { windowBits, windows, rows, isCentred: digitsFrom === 'scalars' };
  }

  /**
   * The multiples with which a multiplication of so many points costs least (see `chooseMultiples`).
   *
   * @param together points of all bases, these among them, that get as many multiples each at the same time.
   */
  planMultiples(points: number, together: number, precompute: Precompute, tuning?: MultiplesTuning): MultiplesChoice {
    return this.plans.planMultiples(points, together, this.room, precompute, tuning);
  }

  async load(given: BasesToLoad, range?: BasesRange, options: BasesLoadOptions = {}): Promise<GpuBases> {
    this.throwIfDestroyed();
    throwIfAborted(options.signal);
    const whole = wholeRange(given, range);
    return withPoints(given.points, async (points) => {
      this.throwIfDestroyed();
      const prepared = { ...given, points };
      this.checkPrepared(prepared);
      const { executor } = this.capabilities;
      return withParts(prepared, whole, executor, (parts) => this.loadParts(parts, given, whole, options));
    });
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
        ? this.inputOf(bases, range, scalars, batch, options)
        : { input: async () => digitInput(digitSource), copied: undefined };
    try {
      if (range.from >= range.to) return Array.from({ length: batch }, () => ({ kind: 'points', points: [] }));
      const turn = this.gpu.turns.run(() => this.submit(bases, range, input, batch, products, options));
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
    } finally {
      if (copied !== undefined) wipeCopy(copied, scalars);
    }
  }

  /** Gives all memory back when the multiplications under way have ended; later ones reject with `DISPOSED`. */
  destroy(): void {
    this.destroyed = true;
    for (const bases of this.resident) bases.release();
    void this.gpu.turns.run(async () => this.scratch.destroy());
  }

  private async submit(
    bases: GpuBases,
    range: BasesRange,
    bringInput: () => Promise<DigitInput>,
    batch: number,
    products: Products,
    options: GpuMultiplyOptions,
  ): Promise<{ readonly finished: Promise<BitSums> }> {
    const { signal, reduction = 'merged' } = options;
    throwIfAborted(signal);
    await untilAborted(this.ready, signal);
    const input = await bringInput();
    const { digitsFrom, isOnDevice, bytesOnDevice } = input;
    const pipelines = await untilAborted(this.pipelinesFor({ digitsFrom, reduction, products }), signal);
    const runs = bases.runsOf(range);
    const outline = outlineOf(range, runs, bases);
    const plan = this.plan(outline, { ...options, batch, digitsFrom, isOnDevice, bytesOnDevice });
    await this.scratch.prepare(scratchLayout(plan), this.room - bytesOnDevice);
    return submitMultiplication(
      this.gpu,
      { plan, chunks: cutChunks(plan, runs), input: digitsFrom === 'scalars' ? centred(input, this.order) : input },
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

  /**
   * What brings `count` scalars, those of all multiplications, when their turn has come. They are here or on the device. `copied` are the bytes on
   * the host that it takes, if it does.
   */
  private inputOf(
    bases: GpuBases,
    range: BasesRange,
    scalars: ScalarVector,
    batch: number,
    options: GpuMultiplyOptions,
  ): { readonly input: () => Promise<DigitInput>; readonly copied?: Uint8Array } {
    const { digits, signal } = options;
    const count = batch * (range.to - range.from);
    if (digits === 'workers' || (scalars.kind === 'host' && this.cutsOnWorkers(bases, options))) {
      return this.workersInput(scalars, count, signal);
    }
    if (scalars.kind === 'device') {
      const input = this.inputOnDevice(scalars, count);
      return { input: async () => input };
    }
    if (scalars.kind === 'shared' && scalars.count === count && this.takesCopyOf(scalars, count)) {
      return { input: () => this.sharedInput(bases, range, scalars, signal) };
    }
    const bytes = bytesOf(scalars, count);
    const arrived = scalars.kind === 'host' ? scalars.arrived : undefined;
    return { input: async () => scalarInput(bytes, arrived), copied: bytes };
  }

  /** Whether the workers cut the digits of scalars on the host: as the call says, or else as it was measured to be faster. */
  private cutsOnWorkers({ count, multiples }: GpuBases, { digits, scalarBits }: GpuMultiplyOptions): boolean {
    const { measuredFor, cutDigits } = this.options;
    if (digits !== undefined) return digits === 'workers';
    // It was measured with scalars of full length, and the workers cut all scalars as such.
    if (scalarBits !== undefined && scalarBits < CURVES[this.curve].fr.bits - 2) return false;
    return multiples === undefined && cutDigits !== undefined && measuredFor?.(count)?.digits === 'workers';
  }

  /** What brings digits that the workers cut. */
  private workersInput(
    scalars: ScalarVector,
    count: number,
    signal: AbortSignal | undefined,
  ): { readonly input: () => Promise<DigitInput>; readonly copied: Uint8Array } {
    const { cutDigits } = this.options;
    if (cutDigits === undefined) throw new PippinError('INTERNAL', 'expected workers that cut digits, got none');
    if (scalars.kind === 'device') {
      throw new PippinError('INVALID_ARGUMENT', "expected digits 'gpu' for scalars that lie on the GPU, got 'workers'");
    }
    const bytes = bytesOf(scalars, count);
    const source: DigitSource = (windowBits, from, to) =>
      cutDigits({ scalars: bytes.subarray(from * SCALAR_BYTES, to * SCALAR_BYTES), windowBits }, signal);
    return { input: async () => digitInput(source), copied: bytes };
  }

  /** Whether shared scalars may lie on the device as a whole: where they leave room for the buffers of a multiplication. */
  private takesCopyOf({ whole }: SharedSlice, points: number): boolean {
    const most = this.room / SHARE_OF_SCALARS;
    return whole.bytes.length <= Math.min(most, this.maxBufferBytes) && points * U32_BYTES <= this.maxBufferBytes;
  }

  private async sharedInput(
    bases: GpuBases,
    range: BasesRange,
    { whole, first, indices }: SharedSlice,
    signal: AbortSignal | undefined,
  ): Promise<DigitInput> {
    const scalars = await whole.on(this.gpu.device, () => GpuScalars.upload(this.gpu, whole.bytes, signal));
    if (indices === undefined) return sliceInput(scalars, first);
    return gatheredInput(scalars, first, bases.indices!, range.from);
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

  /** Bytes of the budget that the bases leave. */
  private get room(): number {
    return this.memoryBudget - this.residentBytes;
  }

  /** How field elements are multiplied unless a call names another way. */
  private get usualProducts(): Products {
    return this.options.products ?? this.gpu.products;
  }

  /** How a multiplication adds bases to buckets; `INVALID_ARGUMENT` for a way that the device does not have. */
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

  /** The kernels, compiled when they are first asked for. A failure shows in the multiplication that needs them. */
  private pipelinesFor(choice: CompiledKernels): Promise<ReadonlyMap<Kernel, StagePipeline>> {
    const key = `${choice.digitsFrom} ${choice.reduction} ${choice.products}`;
    let compiled = this.pipelines.get(key);
    if (compiled === undefined) {
      compiled = this.compile(choice);
      compiled.catch(() => undefined);
      this.pipelines.set(key, compiled);
    }
    return compiled;
  }

  private async compile({ products, ...choice }: CompiledKernels): Promise<ReadonlyMap<Kernel, StagePipeline>> {
    const { curve, group } = this;
    const { pipelines } = this.gpu;
    const compiled = kernelsFor(choice).map(async (kernel): Promise<[Kernel, StagePipeline]> => {
      const code = await kernelCode(curve, group, kernel, products);
      return [kernel, await pipelines.get(kernelKey(curve, group, kernel, products), kernel, code)];
    });
    return new Map(await Promise.all(compiled));
  }

  /** Where it fails, plans follow the model; a device that is lost or faulty shows in the first multiplication. */
  private async measureRates(pipelines: ReadonlyMap<Kernel, StagePipeline>): Promise<void> {
    const rates = await measureRates(this.gpu, this.group, this.layout, pipelines).catch(() => undefined);
    if (rates !== undefined) this.plans.rates = rates;
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

/** The bytes of host scalars; `INVALID_LENGTH` unless they are `count`. */
function bytesOf(scalars: Exclude<ScalarVector, DeviceScalars>, count: number): Uint8Array {
  const bytes = bytesOfScalars(scalars);
  if (bytes.length === count * SCALAR_BYTES) return bytes;
  throw new PippinError(
    'INVALID_LENGTH',
    `expected ${count * SCALAR_BYTES} bytes for ${count} scalars, got ${bytes.length}`,
  );
}

/** What a plan for the points of a range, which lie in these runs, depends on. */
function outlineOf({ from, to }: BasesRange, runs: readonly BaseRun[], { multiples }: GpuBases): PlannedBases {
  return { count: to - from, pointsPerBuffer: Math.max(...runs.map(({ points }) => points)), multiples };
}
