import { untilAborted } from '../../abort.js';
import type { MsmOptions } from '../../msm/backend.js';
import type { GpuDevice } from '../runtime/device.js';
import { MapMode } from '../runtime/flags.js';
import type { Pace } from '../runtime/pace.js';
import type { StagePipeline } from '../runtime/pipelines.js';
import type { Scratch } from '../runtime/scratch.js';
import type { Stage } from '../runtime/stage.js';
import { StageTimer, type StageTimes } from '../runtime/stage-timer.js';
import { MAX_DISPATCHES } from '../runtime/submit-params.js';
import { type Step, Submitter } from '../runtime/submitter.js';
import type { DigitInput } from './digit-input.js';
import { type Chunk, msmSteps, workOf } from './pipeline.js';
import type { MsmPlan } from './plan.js';

/** One multiplication that is planned and has its buffers. */
export interface Multiplication {
  readonly plan: MsmPlan;
  readonly chunks: readonly Chunk[];
  readonly input: DigitInput;
  readonly pipelines: ReadonlyMap<Stage, StagePipeline>;
  readonly scratch: Scratch;
  readonly pace: Pace;
  /** The first word of the kernels' `Params`. */
  readonly limbs: number;
  readonly measureStages: boolean;
}

export interface BitSums {
  /** A canonical accumulator for each bit of each window of each multiplication. */
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
    pipeline: (stage) => pipelines.get(stage)!,
    buffer: (role) => scratch.get(role),
    limbs,
    pace,
    signal,
    timer,
    onWork: (work) => {
      done += work;
      onProgress?.(Math.min(1, done / total));
    },
  });
  const size = plan.windows * plan.windowBits * plan.batch * plan.sumBytes;
  const readback = scratch.get('readback');
  let isMapped = false;
  try {
    const copy: Step = { kind: 'copy', role: 'bitSums', target: 'readback', size };
    await submitter.submit([...msmSteps(plan, chunks, input), copy]);
    const mapped = gpu.whileAlive(readback.mapAsync(MapMode.READ, 0, size));
    await Promise.all([submitter.finish(), untilAborted(mapped, signal)]);
    isMapped = true;
    return { sums: new Uint8Array(readback.getMappedRange(0, size)).slice(), stageTimes: timer?.stageTimes };
  } finally {
    submitter.close();
    timer?.destroy();
    if (isMapped) readback.unmap();
    else scratch.drop('readback');
  }
}
