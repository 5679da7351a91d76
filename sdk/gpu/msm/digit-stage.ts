import { type Dispatch, type Job, rowsOf, type ScratchRole, type Stage, U32_BYTES } from '../runtime/stage.js';
import { DIGIT_COST } from './cost.js';
import type { MsmPlan } from './plan.js';

/** Where the digits come from: the GPU cuts them from scalars, or they are brought as they are. */
export type DigitsFrom = 'scalars' | 'digits';

/** A stage that takes digits from either source: one kernel for each. */
export type DigitStages = Readonly<Record<DigitsFrom, Stage>>;

export function digitStages(stage: Omit<Stage, 'prelude' | 'workgroupSize'>): DigitStages {
  return {
    scalars: { ...stage, prelude: 'scalars', workgroupSize: 256 },
    digits: { ...stage, prelude: 'digits', workgroupSize: 256 },
  };
}

/** The stage's run over the scalars `from` to `to` - 1 of the chunk. */
export function dispatchDigits(
  stages: DigitStages,
  job: Job,
  from: number,
  to: number,
  buffers: readonly ScratchRole[],
): Dispatch {
  const { plan, points, firstWindow, windows, baseIndex } = job;
  return {
    stage: stages[plan.digitsFrom],
    first: from,
    end: to,
    params: [points, plan.windowBits, firstWindow, windows, plan.bucketsPerWindow, baseIndex],
    buffers: ['source', ...buffers],
    cost: DIGIT_COST * windows,
  };
}

/** Digits of all windows that are worked on together, at most. */
export function digitCount({ chunkPoints, windowsPerPass, batchPerPass }: MsmPlan): number {
  return chunkPoints * rowsOf({ windows: windowsPerPass, batch: batchPerPass });
}

/** Bytes of a buffer with a word for each digit. */
export function digitBytes(plan: MsmPlan): number {
  return digitCount(plan) * U32_BYTES;
}
