import { untilAborted } from '../../../base/abort.js';
import type { GpuDevice } from '../runtime/device.js';
import type { StageTimes } from '../runtime/stage-timer.js';
import { type Submission, submitSteps } from '../runtime/submit-steps.js';
import type { DigitInput } from './digit-input.js';
import { msmSteps, type PointChunk } from './msm-steps.js';
import { bitSumsBytes, type MsmPlan } from './plan.js';
import type { MsmBuffer } from './stages/msm-stage.js';

/** Multiplications that are planned. */
export interface Multiplication {
  readonly plan: MsmPlan;
  readonly chunks: readonly PointChunk[];
  readonly input: DigitInput;
}

export interface BitSums {
  /** A canonical accumulator for each bit of each row of each multiplication. */
  readonly sums: Uint8Array;
  readonly stageTimes: StageTimes | undefined;
}

/**
 * Submits multiplications up to their bit sums, which are read back by a single map, with a scratch that is laid out by `scratchLayout` of the
 * plan. The steps of others may be submitted as soon as the promise is fulfilled; `finished` is fulfilled when these are done. Nothing that
 * follows from the scalars stays in the scratch.
 */
export async function submitMultiplication(
  gpu: GpuDevice,
  { plan, chunks, input }: Multiplication,
  submission: Omit<Submission<MsmBuffer>, 'isSecret'>,
): Promise<{ readonly finished: Promise<BitSums> }> {
  const size = bitSumsBytes(plan);
  const readback = await gpu.readbacks.take(size);
  let finished: Promise<StageTimes | undefined>;
  try {
    ({ finished } = await submitSteps(
      gpu,
      [
        ...msmSteps(plan, chunks, input),
        { kind: 'read back', buffer: 'bitSums', size, target: readback },
        { kind: 'wipe' },
      ],
      { ...submission, isSecret: true },
    ));
  } catch (error) {
    gpu.readbacks.drop(readback);
    throw error;
  }
  const sums = untilAborted(gpu.readbacks.read(readback, size), submission.signal);
  return {
    finished: Promise.all([sums, finished]).then(([bytes, stageTimes]) => ({ sums: bytes, stageTimes })),
  };
}
