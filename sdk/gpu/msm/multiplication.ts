import { untilAborted } from '../../abort.js';
import type { MsmOptions } from '../../msm/backend.js';
import type { GpuDevice } from '../runtime/device.js';
import { MapMode } from '../runtime/flags.js';
import type { Pace } from '../runtime/pace.js';
import type { StagePipeline } from '../runtime/pipelines.js';
import type { Scratch } from '../runtime/scratch.js';
import type { Kernel } from '../runtime/stage.js';
import { StageTimer, type StageTimes } from '../runtime/stage-timer.js';
import { type Step, workOf } from '../runtime/steps.js';
import { MAX_DISPATCHES } from '../runtime/submit-params.js';
import { Submitter } from '../runtime/submitter.js';
import type { DigitInput } from './digit-input.js';
import type { MsmBuffer } from './msm-stage.js';
import { msmSteps, type PointChunk } from './msm-steps.js';
import { bitSumsBytes, type MsmPlan } from './plan.js';

/** Multiplications that are planned and have their buffers. */
export interface Multiplication {
  readonly plan: MsmPlan;
  readonly chunks: readonly PointChunk[];
  readonly input: DigitInput;
  readonly pipelines: ReadonlyMap<Kernel, StagePipeline>;
  /** Laid out by `scratchLayout` of the plan. */
  readonly scratch: Scratch<MsmBuffer>;
  readonly pace: Pace;
  /** `limbs` of the kernels' `Params`. */
  readonly limbs: number;
  readonly measureStages: boolean;
}

export interface BitSums {
  /** A canonical accumulator for each bit of each row of each multiplication. */
  readonly sums: Uint8Array;
  readonly stageTimes: StageTimes | undefined;
}

/** Runs multiplications up to their bit sums, which are read back by a single map. */
export async function runMultiplication(
  gpu: GpuDevice,
  { plan, chunks, input, pipelines, scratch, pace, limbs, measureStages }: Multiplication,
  { signal, onProgress }: Pick<MsmOptions, 'signal' | 'onProgress'>,
): Promise<BitSums> {
  const timer = measureStages && gpu.has('timestamp-query') ? new StageTimer(gpu, MAX_DISPATCHES) : undefined;
  const total = workOf(msmSteps(plan, chunks, input));
  let done = 0;
  const submitter = new Submitter(gpu, {
    pipeline: (kernel) => pipelines.get(kernel)!,
    scratch,
    limbs,
    pace,
    signal,
    timer,
    onWork: (work) => {
      done += work;
      onProgress?.(Math.min(1, done / total));
    },
  });
  const size = bitSumsBytes(plan);
  const { readback } = scratch;
  let isMapped = false;
  try {
    const readBack: Step<MsmBuffer> = { kind: 'read back', buffer: 'bitSums', size };
    await submitter.submit([...msmSteps(plan, chunks, input), readBack]);
    const mapped = gpu.whileAlive(readback.mapAsync(MapMode.READ, 0, size));
    await Promise.all([submitter.finish(), untilAborted(mapped, signal)]);
    isMapped = true;
    return { sums: new Uint8Array(readback.getMappedRange(0, size)).slice(), stageTimes: timer?.stageTimes };
  } finally {
    submitter.close();
    timer?.destroy();
    if (isMapped) readback.unmap();
    else scratch.dropReadback();
  }
}
