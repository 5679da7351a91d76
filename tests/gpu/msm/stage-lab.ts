import type { CurveId } from '../../../sdk/curves/index.js';
import { type Products, stageCode, stageKey } from '../../../sdk/gpu/msm/compose.js';
import type { MsmPlan } from '../../../sdk/gpu/msm/plan.js';
import { pointLayout } from '../../../sdk/gpu/msm/point-layout.js';
import { type DeviceOptions, type GpuDevice, openDevice } from '../../../sdk/gpu/runtime/device.js';
import { BufferUsage, MapMode } from '../../../sdk/gpu/runtime/flags.js';
import { Pace } from '../../../sdk/gpu/runtime/pace.js';
import { Pipelines, type StagePipeline } from '../../../sdk/gpu/runtime/pipelines.js';
import { Scratch } from '../../../sdk/gpu/runtime/scratch.js';
import type { Dispatch, ScratchRole, Stage } from '../../../sdk/gpu/runtime/stage.js';
import { SUBMIT_PARAMS_BYTES } from '../../../sdk/gpu/runtime/submit-params.js';
import { Submitter } from '../../../sdk/gpu/runtime/submitter.js';

/** Each curve with each way of multiplying where bases are added. */
export const VARIANTS = [
  { curve: 'bn254', products: 'limbs' },
  { curve: 'bn254', products: 'bytes' },
  { curve: 'bls12-377', products: 'limbs' },
  { curve: 'bls12-377', products: 'bytes' },
] as const;

/** Runs single stages on the GPU between buffers that the test fills and reads. */
export class StageLab {
  readonly scratch: Scratch;
  private readonly extra: GPUBuffer[] = [];

  constructor(
    readonly gpu: GpuDevice,
    private readonly compile: (stage: Stage) => Promise<StagePipeline>,
    private readonly limbs: number,
  ) {
    this.scratch = new Scratch(gpu);
  }

  /** Buffers of the given words, filled with them. */
  async fill(contents: Partial<Record<ScratchRole, Uint32Array | number>>): Promise<void> {
    const sizes = Object.entries(contents).map(([role, c]) => [role, 4 * (typeof c === 'number' ? c : c.length)]);
    this.scratch.destroy();
    const all = { ...Object.fromEntries(sizes), params: SUBMIT_PARAMS_BYTES };
    await this.scratch.prepare(all, Number.POSITIVE_INFINITY);
    for (const [role, words] of Object.entries(contents)) {
      const buffer = this.scratch.get(role as ScratchRole);
      this.gpu.device.queue.writeBuffer(
        buffer,
        0,
        typeof words === 'number' ? new Uint32Array(buffer.size / 4) : words,
      );
    }
  }

  /** A buffer of bases. */
  bases(words: Uint32Array): GPUBuffer {
    const { device } = this.gpu;
    const buffer = device.createBuffer({ size: words.byteLength, usage: BufferUsage.STORAGE | BufferUsage.COPY_DST });
    device.queue.writeBuffer(buffer, 0, words);
    this.extra.push(buffer);
    return buffer;
  }

  async run(dispatches: readonly Dispatch[], pace = new Pace(true)): Promise<void> {
    const compiled = new Map<Stage, StagePipeline>();
    for (const { stage } of dispatches) compiled.set(stage, await this.compile(stage));
    const submitter = new Submitter(this.gpu, {
      pipeline: (stage) => compiled.get(stage)!,
      buffer: (role) => this.scratch.get(role),
      limbs: this.limbs,
      pace,
    });
    await submitter.submit(dispatches.map((dispatch) => ({ kind: 'dispatch', dispatch })));
    await submitter.finish();
    submitter.close();
  }

  async read(role: ScratchRole): Promise<Uint32Array> {
    const { device } = this.gpu;
    const source = this.scratch.get(role);
    const target = device.createBuffer({ size: source.size, usage: BufferUsage.MAP_READ | BufferUsage.COPY_DST });
    const encoder = device.createCommandEncoder();
    encoder.copyBufferToBuffer(source, 0, target, 0, source.size);
    device.queue.submit([encoder.finish()]);
    await target.mapAsync(MapMode.READ);
    const words = new Uint32Array(target.getMappedRange()).slice();
    target.destroy();
    return words;
  }

  destroy(): void {
    this.scratch.destroy();
    for (const buffer of this.extra) buffer.destroy();
  }
}

/** A device on which an error that nobody looks for ends the process: no test may leave one. */
export async function openTestDevice(options?: DeviceOptions): Promise<GpuDevice> {
  const gpu = await openDevice(await dawn(), options);
  gpu.device.addEventListener('uncapturederror', (event) => {
    throw new Error(`uncaptured WebGPU error: ${event.error.message}`);
  });
  return gpu;
}

function compileStage(pipelines: Pipelines, curve: CurveId, stage: Stage, products: Products): Promise<StagePipeline> {
  return pipelines.get(stageKey(curve, stage, products), stage, stageCode(curve, stage, products));
}

/** A lab for the stages that need no curve. */
export async function openLab(): Promise<StageLab> {
  const gpu = await openTestDevice();
  const pipelines = new Pipelines(gpu);
  return new StageLab(gpu, (stage) => compileStage(pipelines, 'bn254', stage, 'limbs'), 0);
}

/** A lab for the stages that add points. */
export async function openCurveLab(curve: CurveId, products: Products): Promise<StageLab> {
  const gpu = await openTestDevice();
  const pipelines = new Pipelines(gpu);
  return new StageLab(gpu, (stage) => compileStage(pipelines, curve, stage, products), pointLayout(curve).limbs);
}

/** The instance is kept: Dawn dies when it is collected. */
let instance: Promise<GPU> | undefined;

export function dawn(): Promise<GPU> {
  instance ??= import('webgpu').then(({ create, globals }) => {
    Object.assign(globalThis, globals);
    return create([]);
  });
  return instance;
}

/** A plan with the given cuts, for stages that are tested by themselves. */
export function shape(plan: Partial<MsmPlan> & Pick<MsmPlan, 'windowBits' | 'windows'>): MsmPlan {
  return {
    bucketsPerWindow: 1 << (plan.windowBits - 1),
    windowsPerPass: plan.windows,
    chunkPoints: 1,
    points: 1,
    batch: 1,
    batchPerPass: 1,
    digitsFrom: 'scalars',
    pieceLength: 16,
    sumBytes: 0,
    ...plan,
  };
}
