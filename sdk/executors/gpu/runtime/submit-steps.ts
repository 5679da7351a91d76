import type { GpuDevice } from './device.js';
import type { Pace } from './pace.js';
import type { StagePipeline } from './pipelines.js';
import type { Scratch } from './scratch.js';
import type { GpuKernel } from './stage.js';
import type { StageTimer, StageTimes } from './stage-timer.js';
import { type Step, workOf } from './steps.js';
import { MAX_DISPATCHES } from './submit-params.js';
import { Submitter } from './submitter.js';

/** What a computation's steps are submitted with. */
export interface Submission<Buffer extends string> {
  readonly pipelines: ReadonlyMap<GpuKernel, StagePipeline>;
  /** Memory that is prepared for the steps. */
  readonly scratch: Scratch<Buffer>;
  /** `limbs` of every kernel's `Params`. */
  readonly limbs: number;
  readonly pace: Pace;
  /** Measures the GPU time of each stage, where the device can; undefined to measure nothing. */
  readonly stageTimer: typeof StageTimer | undefined;
  /** Whether staging memory is wiped when what it held has been uploaded. */
  readonly isSecret: boolean;
  readonly signal: AbortSignal | undefined;
  /** Called with the fraction of the steps' work that is done, from 0 to 1. */
  readonly onProgress: ((fraction: number) => void) | undefined;
}

/**
 * Submits the steps of a computation, in its turn on the device. Fulfilled when all are queued: then the steps of others may follow, in the same
 * scratch. `finished` is fulfilled when the device is done with them. After a failure the scratch is destroyed, since the last steps, which
 * wipe it, may be what failed.
 */
export async function submitSteps<Buffer extends string>(
  gpu: GpuDevice,
  steps: readonly Step<Buffer>[],
  { pipelines, scratch, limbs, pace, stageTimer: Timer, isSecret, signal, onProgress }: Submission<Buffer>,
): Promise<{ readonly finished: Promise<StageTimes | undefined> }> {
  const timer = Timer !== undefined && gpu.has('timestamp-query') ? new Timer(gpu, MAX_DISPATCHES) : undefined;
  const total = workOf(steps);
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
    isSecret,
  });
  try {
    await submitter.submit(steps);
  } catch (error) {
    submitter.close();
    timer?.destroy();
    scratch.destroy();
    throw error;
  }
  const finished = submitter
    .finish()
    .then(() => timer?.stageTimes)
    .finally(() => timer?.destroy());
  // Others may have the scratch in use by now.
  finished.catch(() => gpu.turns.run(async () => scratch.destroy()));
  return { finished };
}
