import { throwIfAborted, untilAborted } from '../../../base/abort.js';
import { PippinError } from '../../../base/errors.js';
import { BudgetExceeded } from '../../../base/memory-budget.js';
import type { SharedScalars } from '../../../bases/scalar-vector.js';
import { CURVES, type CurveId, SCALAR_BYTES } from '../../../curves/index.js';
import { wgslLimbs } from '../../../curves/limbs.js';
import { GpuScalars } from '../gpu-scalars.js';
import type { GpuDevice } from '../runtime/device.js';
import { Pace } from '../runtime/pace.js';
import type { StagePipeline } from '../runtime/pipelines.js';
import type { ResidentBuffers } from '../runtime/resident-buffers.js';
import { Scratch } from '../runtime/scratch.js';
import { layOut, lifetimesOf, type ScratchLayout, totalBytes } from '../runtime/scratch-layout.js';
import type { GpuKernel } from '../runtime/stage.js';
import type { StageTimer, StageTimes } from '../runtime/stage-timer.js';
import type { Step } from '../runtime/steps.js';
import { SUBMIT_PARAMS_BYTES } from '../runtime/submit-params.js';
import { submitSteps } from '../runtime/submitter.js';
import { polynomialKernelCode, polynomialKernelKey } from './compose.js';
import { GpuConstraints } from './gpu-constraints.js';
import { Pauses } from './pauses.js';
import type { QuotientBuffer } from './quotient-stages.js';
import { QUOTIENT_KERNELS, quotientBytes, quotientFactors, quotientSteps } from './quotient-steps.js';
import { elementBytes } from './scalar-field.js';
import { type ConstraintFacts, sortConstraints } from './sorted-constraints.js';
import { TRANSFORM_SHAPE, type TransformShape } from './transform-passes.js';
import { GpuTwiddleTable } from './twiddle-table.js';

export type { GpuConstraints } from './gpu-constraints.js';
export type { ConstraintFacts } from './sorted-constraints.js';

interface GpuQuotientOptions {
  /**
   * Bytes of GPU memory for constraints, tables, buffers and results together, within the device's budget; by default
   * the whole budget, or as many as the device's limits suggest.
   */
  readonly memoryBudget?: number | undefined;
  /**
   * Measures the GPU time of each stage of each computation, where the device supports it; this slows them down.
   * Provers do not use it.
   */
  readonly stageTimer?: typeof StageTimer | undefined;
  /** How NTTs are cut into passes; for tests and measurements. */
  readonly shape?: TransformShape | undefined;
}

export interface GpuQuotientCall {
  readonly signal?: AbortSignal | undefined;
  /** Called with the completed fraction of the work, from 0 to 1. */
  readonly onProgress?: ((fraction: number) => void) | undefined;
  /** A canonical scalar for each point of the coset, which is added to the value there modulo r. */
  readonly masks?: Uint8Array | undefined;
}

/** The memory budget where the device's has no limit: this many of its largest buffers, up to a bound. */
const DEFAULT_BUDGET_BUFFERS = 8;
const MAX_DEFAULT_BUDGET = 4 * 2 ** 30;

/** Bytes of the placeholder buffer for a system without coefficients. */
const SMALLEST_BUFFER = 16;

/**
 * The quotient polynomial on the GPU: from a witness to the scalars of the MSM over H, which stay on the GPU. All
 * computations on one device, MSMs included, are queued one after another. A device fault rejects with `DEVICE_LOST`,
 * `OUT_OF_MEMORY` or `INTERNAL`.
 */
export class GpuQuotient {
  private readonly pipelines: Promise<ReadonlyMap<GpuKernel, StagePipeline>>;
  private readonly scratch: Scratch<QuotientBuffer>;
  private readonly pace: Pace;
  private readonly twiddles: GpuTwiddleTable;
  private readonly memoryBudget: number;
  /** The largest buffer, in bytes, that can be bound as a whole. */
  private readonly maxBufferBytes: number;
  private readonly resident = new Set<ResidentBuffers>();
  private residentBytes = 0;
  private resultBytes = 0;
  private destroyed = false;
  private times: StageTimes | undefined;

  private constructor(
    private readonly gpu: GpuDevice,
    private readonly curve: CurveId,
    private readonly options: GpuQuotientOptions,
  ) {
    const { maxStorageBufferBindingSize, maxBufferSize } = gpu.limits;
    this.scratch = new Scratch(gpu);
    this.pace = new Pace(gpu.info.isSoftware);
    this.twiddles = new GpuTwiddleTable(gpu, curve);
    this.maxBufferBytes = Math.min(maxStorageBufferBindingSize, maxBufferSize);
    const { limit, isLimited } = gpu.memory.budget;
    const suggested = isLimited ? limit : Math.min(DEFAULT_BUDGET_BUFFERS * maxBufferSize, MAX_DEFAULT_BUDGET);
    this.memoryBudget = options.memoryBudget ?? suggested;
    this.pipelines = this.compile();
    // A failure rejects the first computation.
    this.pipelines.catch(() => undefined);
  }

  /**
   * Starts compiling the curve's kernels; the first constraints wait for them. `CURVE_MISMATCH` for a curve without
   * NTTs.
   */
  static async create(gpu: GpuDevice, curve: CurveId, options: GpuQuotientOptions = {}): Promise<GpuQuotient> {
    gpu.throwIfLost();
    if (CURVES[curve].transforms === undefined) {
      throw new PippinError('CURVE_MISMATCH', `expected a curve with transforms, got ${curve}`);
    }
    return new GpuQuotient(gpu, curve, options);
  }

  /** Fulfilled when the kernels are compiled; rejects if they cannot be. */
  get ready(): Promise<unknown> {
    return this.pipelines;
  }

  /** Bytes of constraints, tables, buffers and results on the GPU, without the device's staging memory. */
  get memoryBytes(): number {
    return this.residentBytes + this.twiddles.bytes + this.scratch.bytes + this.resultBytes;
  }

  /** Milliseconds per stage of the last computation; undefined unless measured. */
  get stageTimes(): StageTimes | undefined {
    return this.times;
  }

  /**
   * Loads the matrices A and B of a constraint system to the GPU. `section` has the entries of a .zkey's coefficient
   * section, 44 bytes each; it must not change meanwhile. `MALFORMED_FILE` names the first invalid entry;
   * `OUT_OF_MEMORY` when the system, or a vector of its quotient, does not fit.
   */
  async loadConstraints(
    section: Uint8Array,
    facts: ConstraintFacts,
    { signal }: Pick<GpuQuotientCall, 'signal'> = {},
  ): Promise<GpuConstraints> {
    this.throwIfDestroyed();
    throwIfAborted(signal);
    const log = this.logOfDomain(facts);
    const sorted = await sortConstraints(this.curve, section, facts, new Pauses(signal));
    this.throwIfDestroyed();
    const words = sorted.matrices.flatMap(({ entries, longPieces, joins, rows }) => [
      entries,
      longPieces.words,
      joins.words,
      rows.words,
    ]);
    const bytes = [...words, sorted.coefficients].reduce((sum, each) => sum + each.byteLength, 0);
    const { memory } = this.gpu;
    this.expectRoom(bytes + this.twiddles.missingBytes(log), 'constraints');
    this.expectWorkRoom(facts);
    this.expectBindable(sorted.coefficients.byteLength, 'coefficients');
    const factors = elementBytes(this.curve, quotientFactors(this.curve, facts.domainSize));
    const resident = bytes + factors.length + SMALLEST_BUFFER + this.twiddles.missingBytes(log);
    const lease = await memory.leaseResident(resident, 'constraints', signal);
    const upload = { maxBufferBytes: this.maxBufferBytes, lease, signal };
    const onRelease = (released: ResidentBuffers): void => this.forget(released);
    const uploading = GpuConstraints.upload(this.gpu, sorted, factors, facts, { ...upload, onRelease });
    // The bytes that its buffers have not taken.
    const constraints = await uploading.finally(() => lease.release());
    this.residentBytes += constraints.bytes;
    this.resident.add(constraints);
    try {
      await untilAborted(
        this.gpu.turns.run(async () => {
          this.throwIfDestroyed();
          await this.factorsOf(log, signal);
        }),
        signal,
      );
      return constraints;
    } catch (error) {
      constraints.release();
      throw error;
    }
  }

  /**
   * The values of (A w)(B w) - C w at the odd powers of a primitive 2n-th root of unity, where n is the domain size:
   * the scalars of the MSM over H. C w is the product of A w and B w on the domain. The caller releases them.
   *
   * @param witness the value of every signal. MSMs use the same copy on the device, unless their scalars are masked.
   */
  async compute(constraints: GpuConstraints, witness: SharedScalars, call: GpuQuotientCall = {}): Promise<GpuScalars> {
    const { signal } = call;
    throwIfAborted(signal);
    this.throwIfDestroyed();
    if (constraints.isReleased) throw new PippinError('DISPOSED', 'expected constraints on the GPU, got released ones');
    const bytes = constraints.facts.variables * SCALAR_BYTES;
    if (witness.bytes.length !== bytes) {
      throw new PippinError(
        'INVALID_LENGTH',
        `expected a witness of ${constraints.facts.variables} values (${bytes} bytes), got ${witness.bytes.length} bytes`,
      );
    }
    const turn = this.gpu.turns.run(() => this.submit(constraints, witness, call));
    const finished = turn.then((submitted) => submitted.finished);
    try {
      return await untilAborted(finished, signal);
    } catch (error) {
      finished.then(
        (scalars) => scalars.release(),
        () => undefined,
      );
      throw error;
    }
  }

  /** Frees all memory except results when the pending computations have ended; later ones reject with `DISPOSED`. */
  destroy(): void {
    this.destroyed = true;
    for (const constraints of this.resident) constraints.release();
    void this.gpu.turns.run(async () => {
      this.scratch.destroy();
      this.twiddles.destroy();
    });
  }

  private async submit(
    constraints: GpuConstraints,
    witness: SharedScalars,
    call: GpuQuotientCall,
  ): Promise<{ readonly finished: Promise<GpuScalars> }> {
    const { signal } = call;
    throwIfAborted(signal);
    const { domainSize } = constraints.facts;
    const twiddles = await this.factorsOf(Math.log2(domainSize), signal);
    const resultBytes = domainSize * SCALAR_BYTES;
    this.expectRoom(resultBytes + witness.bytes.length + (call.masks?.length ?? 0), 'scalars');
    const copy = await witness.on(this.gpu.device, () => GpuScalars.upload(this.gpu, witness.bytes, signal));
    const result = await GpuScalars.create(this.gpu, domainSize, () => {
      this.resultBytes -= resultBytes;
    });
    this.resultBytes += resultBytes;
    let masks: GpuScalars | undefined;
    try {
      masks = call.masks && (await GpuScalars.upload(this.gpu, call.masks, signal));
      const { shape = TRANSFORM_SHAPE } = this.options;
      const vectors = { witness: copy.buffer, masks: masks?.buffer, result: result.buffer };
      const steps = [...quotientSteps({ constraints, twiddles, shape, ...vectors })];
      const layout = layOut(quotientBytes(constraints), lifetimesOf(steps));
      const { finished } = await this.submitPrepared(steps, layout, call);
      return { finished: this.resultOf(finished, result) };
    } catch (error) {
      result.release();
      throw error;
    } finally {
      // In a separate turn, after the steps.
      masks?.release();
    }
  }

  /** The result of a computation once it is done; released if the computation fails. */
  private async resultOf(finished: Promise<StageTimes | undefined>, result: GpuScalars): Promise<GpuScalars> {
    try {
      this.times = await finished;
      return result;
    } catch (error) {
      result.release();
      throw error;
    }
  }

  /** At least 2^log twiddle factors, computed in a turn on the device. */
  private factorsOf(log: number, signal: AbortSignal | undefined): Promise<GPUBuffer> {
    const run = async (steps: readonly Step<QuotientBuffer>[]): Promise<void> => {
      await (await this.submitPrepared(steps, layOut({}, new Map()), { signal })).finished;
    };
    return this.twiddles.withAtLeast(log, run, signal);
  }

  /** Prepares the scratch and submits steps. */
  private async submitPrepared(
    steps: readonly Step<QuotientBuffer>[],
    layout: ScratchLayout<QuotientBuffer>,
    { signal, onProgress }: GpuQuotientCall,
  ): Promise<{ readonly finished: Promise<StageTimes | undefined> }> {
    const { gpu, scratch, pace } = this;
    const pipelines = await untilAborted(this.pipelines, signal);
    const left = Math.min(this.memoryBudget - this.memoryBytes + scratch.bytes, gpu.memory.workRoom);
    if (totalBytes(layout) > left) throw outOfMemory('buffers', totalBytes(layout), left);
    await scratch.prepare(layout, left);
    return submitSteps(gpu, steps, {
      pipelines,
      scratch,
      limbs: wgslLimbs(CURVES[this.curve].fr.bits),
      pace,
      stageTimer: this.options.stageTimer,
      // The steps have no uploads: the witness is on the device already.
      isSecret: false,
      signal,
      onProgress,
    });
  }

  private async compile(): Promise<ReadonlyMap<GpuKernel, StagePipeline>> {
    const compiled = QUOTIENT_KERNELS.map(async (kernel): Promise<[GpuKernel, StagePipeline]> => {
      const code = await polynomialKernelCode(this.curve, kernel);
      return [kernel, await this.gpu.pipelines.get(polynomialKernelKey(this.curve, kernel), kernel, code)];
    });
    return new Map(await Promise.all(compiled));
  }

  /** Frees released constraints when no computation uses them any more. */
  private forget(constraints: ResidentBuffers): void {
    this.resident.delete(constraints);
    void this.gpu.turns.run(async () => {
      constraints.free();
      this.residentBytes -= constraints.bytes;
    });
  }

  /** k for a domain of 2^k elements. */
  private logOfDomain({ domainSize, variables }: ConstraintFacts): number {
    const log = Math.log2(domainSize);
    // The coset needs a root of twice the order.
    const most = CURVES[this.curve].fr.twoAdicity - 1;
    if (!Number.isInteger(log) || log < 0 || log > most) {
      throw new PippinError(
        'INVALID_ARGUMENT',
        `expected a domain of 2^k elements with k from 0 to ${most}, got ${domainSize}`,
      );
    }
    this.expectBindable(domainSize * SCALAR_BYTES, `${domainSize} elements`);
    this.expectBindable(variables * SCALAR_BYTES, `${variables} signals`);
    return log;
  }

  private expectBindable(bytes: number, what: string): void {
    if (bytes > this.maxBufferBytes) throw outOfMemory(what, bytes, this.maxBufferBytes);
  }

  /** `OUT_OF_MEMORY` when a computation would not fit the part of a limited budget that is kept for computations. */
  private expectWorkRoom({ domainSize, variables }: ConstraintFacts): void {
    const { budget, leastWorkRoom } = this.gpu.memory;
    // The witness, the result, and the three vectors that it is computed from.
    const bytes = (variables + 4 * domainSize) * SCALAR_BYTES + SUBMIT_PARAMS_BYTES;
    if (budget.isLimited && bytes > leastWorkRoom) throw outOfMemory('buffers', bytes, leastWorkRoom);
  }

  private expectRoom(bytes: number, what: string): void {
    const left = Math.min(this.memoryBudget - this.memoryBytes, this.gpu.memory.workRoom);
    if (bytes > left) throw outOfMemory(what, bytes, left);
  }

  private throwIfDestroyed(): void {
    if (this.destroyed) throw new PippinError('DISPOSED', 'expected a GPU that is in use, got a destroyed one');
    this.gpu.throwIfLost();
  }
}

function outOfMemory(what: string, bytes: number, limit: number): BudgetExceeded {
  return new BudgetExceeded(
    `expected at most ${limit} bytes of ${what} on the GPU, got ${bytes}`,
    'give a larger memoryBudget, or use the wasm backend',
  );
}
