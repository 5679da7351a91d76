import type { PreparedBases } from '../../../sdk/bases/prepared.js';
import type { CurveId } from '../../../sdk/curves/index.js';
import { msmKernelCode, msmKernelKey } from '../../../sdk/executors/gpu/msm/compose.js';
import { pointLayout } from '../../../sdk/executors/gpu/msm/point-layout.js';
import type { GpuDevice } from '../../../sdk/executors/gpu/runtime/device.js';
import { Pace } from '../../../sdk/executors/gpu/runtime/pace.js';
import type { StagePipeline } from '../../../sdk/executors/gpu/runtime/pipelines.js';
import { Scratch } from '../../../sdk/executors/gpu/runtime/scratch.js';
import type { GpuKernel } from '../../../sdk/executors/gpu/runtime/stage.js';
import { StageTimer, type StageTimes } from '../../../sdk/executors/gpu/runtime/stage-timer.js';
import { submitSteps } from '../../../sdk/executors/gpu/runtime/submitter.js';
import { BaseCopies } from './copies/base-copies.js';
import { copiesOf, kernelsOf, partsOf, planStrategy, type StrategyPlan, strategySteps } from './plan-strategy.js';
import type { Parts, Strategy, StrategyBuffer } from './strategy.js';

/** So large that no multiplication has passes that it could do without. */
const MEMORY_BUDGET = 16 * 2 ** 30;

/** What a multiplication leaves to the host: sum over i of 2^(i windowBits) S_i. */
export interface StrategySums {
  readonly sums: Uint8Array;
  readonly windowBits: number;
  /** Milliseconds of GPU time by stage; undefined unless they are measured. */
  readonly stageTimes: StageTimes | undefined;
}

/** Bases on the device, with the copies that the strategy asks for. */
export interface StrategyBases extends StrategyPlan {
  readonly buffer: GPUBuffer;
}

/** Multiplications over G1 of a curve by a strategy. */
export class StrategyMsm {
  private readonly scratch: Scratch<StrategyBuffer>;
  private readonly pace: Pace;

  private constructor(
    private readonly gpu: GpuDevice,
    private readonly curve: CurveId,
    private readonly strategy: Strategy,
    private readonly parts: Parts,
    private readonly pipelines: ReadonlyMap<GpuKernel, StagePipeline>,
    private readonly copies: BaseCopies,
    private readonly memoryBudget: number,
  ) {
    this.scratch = new Scratch(gpu);
    this.pace = new Pace(gpu.info.isSoftware);
  }

  /**
   * Compiles the kernels. `memoryBudget`: bytes that the buffers of a multiplication may take, the bases not among
   * them.
   */
  static async create(
    gpu: GpuDevice,
    curve: CurveId,
    strategy: Strategy,
    memoryBudget = MEMORY_BUDGET,
  ): Promise<StrategyMsm> {
    const parts = partsOf(strategy, curve);
    const compiled = kernelsOf(parts).map(async (kernel): Promise<[GpuKernel, StagePipeline]> => {
      const code = await msmKernelCode(curve, 'g1', kernel, gpu.products);
      return [kernel, await gpu.pipelines.get(msmKernelKey(curve, 'g1', kernel, gpu.products), kernel, code)];
    });
    return new StrategyMsm(
      gpu,
      curve,
      strategy,
      parts,
      new Map(await Promise.all(compiled)),
      new BaseCopies(gpu, curve),
      memoryBudget,
    );
  }

  /** Plans multiplications with prepared points, and brings these to the device. To be released. */
  async load(prepared: PreparedBases, windowBits?: number): Promise<StrategyBases> {
    const { gpu, curve, strategy, parts } = this;
    const planned = planStrategy(gpu, curve, strategy, parts, prepared.kept, this.memoryBudget, windowBits);
    const buffer = await this.copies.make(prepared.points, prepared.kept, copiesOf(strategy, planned.plan));
    return { ...planned, buffer };
  }

  async multiply(
    { plan, layout, buffer }: StrategyBases,
    scalars: Uint8Array,
    measureStages = false,
  ): Promise<StrategySums> {
    const { gpu, curve, parts, scratch, pace, pipelines } = this;
    const ofBits = parts.reduce.leaves === 'bits';
    const size = plan.rows * (ofBits ? plan.windowBits : 1) * plan.sumBytes;
    await scratch.prepare(layout, this.memoryBudget);
    const readback = await gpu.readbacks.take(size);
    const { finished } = await submitSteps(
      gpu,
      [
        ...strategySteps(parts, plan, buffer, { curve, scalars }),
        { kind: 'read back', buffer: 'bitSums', size, target: readback },
      ],
      {
        pipelines,
        scratch,
        pace,
        limbs: pointLayout(curve, 'g1').limbs,
        stageTimer: measureStages ? StageTimer : undefined,
        isSecret: false,
        signal: undefined,
        onProgress: undefined,
      },
    ).catch((error) => {
      gpu.readbacks.drop(readback);
      throw error;
    });
    const [sums, stageTimes] = await Promise.all([gpu.readbacks.read(readback, size), finished]);
    return { sums, windowBits: ofBits ? 1 : plan.windowBits, stageTimes };
  }

  /** Bytes of all buffers but the bases. */
  get scratchBytes(): number {
    return this.scratch.bytes;
  }

  destroy(): void {
    this.scratch.destroy();
  }
}
