import { accumulateShares, accumulateStage } from './accumulate.js';
import { countDigits, countStage } from './count.js';
import { cutDigits, digitsStage } from './digits.js';
import { mergeSlots, mergeStage } from './merge.js';
import type { MsmPlan } from './plan.js';
import { reduceBuckets, reduceStage } from './reduce.js';
import { scanAddStage, scanCounters, scanStage } from './scan.js';
import { scatterPoints, scatterStage } from './scatter.js';
import type { Dispatch, Job, Stage } from './stage.js';
import type { Step } from './submitter.js';

/** The kernels, in the order of their work. */
export const STAGES: readonly Stage[] = [
  digitsStage,
  countStage,
  scanStage,
  scanAddStage,
  scatterStage,
  accumulateStage,
  mergeStage,
  reduceStage,
];

/** A run of points whose bases lie in one buffer. */
export interface Chunk {
  /** The first of them among all points, and among those of the buffer. */
  readonly from: number;
  readonly baseIndex: number;
  readonly points: number;
  readonly bases: GPUBuffer;
}

/** Where the digits come from. */
export interface DigitInput {
  /** Whether `upload` brings scalars, which the GPU then cuts into digits, or the digits themselves. */
  readonly brings: 'scalars' | 'digits';
  /** Points of one upload. */
  readonly slice: number;
  /** Brings what belongs to the job's points `from` to `to` - 1, `job.points` of them from the `first` of all on. */
  upload(job: Job, first: number, from: number, to: number): void | Promise<void>;
}

/** The multiplication from its scalars to a sum for each window in `windowSums`. */
export function* msmSteps(plan: MsmPlan, chunks: readonly Chunk[], input: DigitInput): Generator<Step> {
  for (let firstWindow = 0; firstWindow < plan.windows; firstWindow += plan.windowsPerPass) {
    const windows = Math.min(plan.windowsPerPass, plan.windows - firstWindow);
    yield { kind: 'clear', role: 'buckets' };
    for (const [i, chunk] of chunks.entries()) {
      const job: Job = { ...chunk, plan, firstWindow, windows, continued: i > 0 };
      const resident = input.brings === 'scalars' && chunks.length === 1 && firstWindow > 0;
      yield { kind: 'clear', role: 'counters' };
      for (let from = 0; from < job.points; from += input.slice) {
        const to = Math.min(from + input.slice, job.points);
        if (!resident) yield { kind: 'upload', run: () => input.upload(job, chunk.from, from, to) };
        if (input.brings === 'scalars') yield run(cutDigits(job, from, to));
        yield run(countDigits(job, from, to));
      }
      yield* scanCounters(job).map(run);
      yield run(scatterPoints(job));
      yield run(accumulateShares(job));
      yield* mergeSlots(job).map(run);
      if (i === chunks.length - 1) yield* reduceBuckets(job).map(run);
    }
  }
}

/** The work of some steps, in point additions. */
export function workOf(steps: Iterable<Step>): number {
  let work = 0;
  for (const step of steps) {
    if (step.kind === 'dispatch') work += (step.dispatch.end - step.dispatch.first) * step.dispatch.cost;
  }
  return work;
}

function run(dispatch: Dispatch): Step {
  return { kind: 'dispatch', dispatch };
}
