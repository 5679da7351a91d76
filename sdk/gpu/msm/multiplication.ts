import { untilAborted } from '../../abort.js';
import type { MsmOptions } from '../../msm/backend.js';
import type { GpuDevice } from '../runtime/device.js';
import type { Pace } from '../runtime/pace.js';
import type { StagePipeline } from '../runtime/pipelines.js';
import type { Scratch } from '../runtime/scratch.js';
import type { Kernel } from '../runtime/stage.js';
import { StageTimer, type StageTimes } from '../runtime/stage-timer.js';
import { workOf } from '../runtime/steps.js';
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

/**
 * Submits multiplications up to their bit sums, which are read back by a single map. The steps of others may be submitted as soon as the promise
 * is fulfilled; `finished` is fulfilled when these are done. Nothing that follows from the scalars stays in the scratch.
 */
export async function submitMultiplication(
  gpu: GpuDevice,
  { plan, chunks, input, pipelines, scratch, pace, limbs, measureStages }: Multiplication,
  { signal, onProgress }: Pick<MsmOptions, 'signal' | 'onProgress'>,
): Promise<{ readonly finished: Promise<BitSums> }> {
  const size = bitSumsBytes(plan);
  const readback = await gpu.readbacks.take(size);
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
    isSecret: true,
  });
  try {
    await submitter.submit([
      ...msmSteps(plan, chunks, input),
      { kind: 'read back', buffer: 'bitSums', size, target: readback },
      { kind: 'wipe' },
    ]);
  } catch (error) {
    submitter.close();
    timer?.destroy();
    gpu.readbacks.drop(readback);
    // Nothing wiped what it holds.
    scratch.destroy();
    throw error;
  }
  const sums = gpu.readbacks.read(readback, size);
  const finished = Promise.all([untilAborted(sums, signal), submitter.finish()])
    .then(([bytes]) => ({ sums: bytes, stageTimes: timer?.stageTimes }))
    .finally(() => timer?.destroy());
  // If a submit was refused, it may be the one that was to wipe the scratch, which others may have in use by now.
  finished.catch(() => gpu.turns.run(async () => scratch.destroy()));
  return { finished };
}
