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
import { quotientFactors } from './quotient-factors.js';
import type { QuotientBuffer } from './quotient-stages.js';
import { QUOTIENT_KERNELS, quotientBytes, quotientSteps } from './quotient-steps.js';
import { elementBytes } from './scalar-field.js';
import { type ConstraintFacts, sortConstraints } from './sorted-constraints.js';
import { TRANSFORM_SHAPE, type TransformShape } from './transform-passes.js';
import { GpuTwiddleTable } from './twiddle-table.js';

export type { GpuConstraints } from './gpu-constraints.js';
export type { ConstraintFacts } from './sorted-constraints.js';

interface GpuQuotientOptions {
  /**
   * Bytes of GPU memory for constraints, tables, buffers and results together, of the device's budget; by default all of that, or what the device's
   * limits suggest.
   */
  readonly memoryBudget?: number | undefined;
  /** Measures the GPU time of each stage of each computation, where the device can; they run slower for it. Provers measure nothing. */
  readonly stageTimer?: typeof StageTimer | undefined;
  /** How transforms are cut; for tests and measurements. */
  readonly shape?: TransformShape | undefined;
}

export interface GpuQuotientCall {
  readonly signal?: AbortSignal | undefined;
  /** Called with the done fraction of the work, from 0 to 1. */
  readonly onProgress?: ((fraction: number) => void) | undefined;
  /** A canonical scalar for each point of the domain, which is added to its value modulo r. */
  readonly masks?: Uint8Array | undefined;
}

/** What it may take where the device's memory is not limited: so many of its largest buffers, up to a bound. */
const DEFAULT_BUDGET_BUFFERS = 8;
const MAX_DEFAULT_BUDGET = 4 * 2 ** 30;

/** Bytes of the buffer that stands for coefficients where there are none. */
const SMALLEST_BUFFER = 16;

/**
 * The quotient polynomial on the GPU: the scalars of the MSM over H, from a witness. They stay on the GPU. Computations on one device
 * are queued one after another, multiplications among them. A fault of the device rejects with `DEVICE_LOST`, `OUT_OF_MEMORY` or `INTERNAL`.
 */
export class GpuQuotient {
  private readonly pipelines: Promise<ReadonlyMap<GpuKernel, StagePipeline>>;
  private readonly scratch: Scratch<QuotientBuffer>;
  private readonly pace: Pace;
  private readonly twiddles: GpuTwiddleTable;
  private readonly memoryBudget: number;
  /** Bytes of a buffer that can be bound as a whole. */
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
    // A failure shows in the first computation.
    this.pipelines.catch(() => undefined);
  }

  /** Begins to compile the curve's kernels; the first constraints wait for them. `CURVE_MISMATCH` for a curve without transforms. */
  static async create(gpu: GpuDevice, curve: CurveId, options: GpuQuotientOptions = {}): Promise<GpuQuotient> {
    gpu.throwIfLost();
    if (CURVES[curve].transforms === undefined) {
      throw new PippinError('CURVE_MISMATCH', `expected a curve with transforms, got ${curve}`);
    }
    return new GpuQuotient(gpu, curve, options);
  }

  /** Fulfilled when the kernels are compiled; rejects with the reason if they cannot be. */
  get ready(): Promise<unknown> {
    return this.pipelines;
  }

  /** Bytes that constraints, tables, buffers and results take on the GPU; the device's staging memory is not among them. */
  get memoryBytes(): number {
    return this.residentBytes + this.twiddles.bytes + this.scratch.bytes + this.resultBytes;
  }

  /** Milliseconds that the stages of the last computation took; undefined unless they are measured. */
  get stageTimes(): StageTimes | undefined {
    return this.times;
  }

  /**
   * Brings the matrices A and B of a constraint system to the GPU. `section` are the entries of a .zkey's coefficient section, 44 bytes each;
   * nobody writes into it meanwhile. `MALFORMED_FILE` names the first entry that is wrong; `OUT_OF_MEMORY` when the system, or a
   * vector of its quotient, does not fit.
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
    // What its buffers have not taken.
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
   * The values of (A w)(B w) - C w at the odd powers of a primitive 2n-th root of unity, n being the domain's size: the scalars of the
   * sum over H. C w is the product of the other two on the domain. The caller releases them.
   *
   * @param witness the value of every signal. Its copy on the device is the one that multiplications take, unless theirs is masked.
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

  /** Gives all memory but that of results back when the computations under way have ended; later ones reject with `DISPOSED`. */
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
      // In a turn of its own, after the steps.
      masks?.release();
    }
  }

  /** The result of a computation when it is done; it is released if that failed. */
  private async resultOf(finished: Promise<StageTimes | undefined>, result: GpuScalars): Promise<GpuScalars> {
    try {
      this.times = await finished;
      return result;
    } catch (error) {
      result.release();
      throw error;
    }
  }

  /** At least 2^log factors of transforms, in a turn on the device. */
  private factorsOf(log: number, signal: AbortSignal | undefined): Promise<GPUBuffer> {
    const run = async (steps: readonly Step<QuotientBuffer>[]): Promise<void> => {
      await (await this.submitPrepared(steps, layOut({}, new Map()), { signal })).finished;
    };
    return this.twiddles.withAtLeast(log, run, signal);
  }

  /** Submits steps in a scratch that is made ready for them. */
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
      // The steps upload nothing: the witness is on the device already.
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
    // The coset takes a root of twice the order.
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

  /** `OUT_OF_MEMORY` when a computation would not fit what a limited budget always has for computations. */
  private expectWorkRoom({ domainSize, variables }: ConstraintFacts): void {
    const { budget, leastWorkRoom } = this.gpu.memory;
    // The witness, the result, and three vectors that become it.
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
