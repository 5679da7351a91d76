import { accumulateShares, accumulateStage } from './accumulate.js';
import { countDigits, countStage } from './count.js';
import { type DigitInput, SLICE_POINTS } from './digit-input.js';
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
export type Chunk = Pick<Job, 'firstPoint' | 'points' | 'bases' | 'baseIndex'>;

/** Cuts the points into chunks of about the same size, each within one buffer. */
export function cutChunks(plan: MsmPlan, buffers: readonly { buffer: GPUBuffer; points: number }[]): Chunk[] {
  const chunks: Chunk[] = [];
  let firstPoint = 0;
  for (const { buffer, points } of buffers) {
    const size = Math.ceil(points / Math.ceil(points / plan.chunkPoints));
    for (let baseIndex = 0; baseIndex < points; baseIndex += size) {
      const count = Math.min(size, points - baseIndex);
      chunks.push({ firstPoint: firstPoint + baseIndex, points: count, bases: buffer, baseIndex });
    }
    firstPoint += points;
  }
  return chunks;
}

/** The multiplication, from its scalars to a sum for each window in `windowSums`. */
export function* msmSteps(plan: MsmPlan, chunks: readonly Chunk[], input: DigitInput): Generator<Step> {
  for (let firstWindow = 0; firstWindow < plan.windows; firstWindow += plan.windowsPerPass) {
    const windows = Math.min(plan.windowsPerPass, plan.windows - firstWindow);
    const jobs = chunks.map((chunk, i): Job => ({ ...chunk, plan, firstWindow, windows, continued: i > 0 }));
    // The scalars of a single chunk are still there from the first pass.
    const resident = input.brings === 'scalars' && chunks.length === 1 && firstWindow > 0;
    yield { kind: 'clear', role: 'buckets' };
    for (const job of jobs) {
      yield { kind: 'clear', role: 'counters' };
      for (let from = 0; from < job.points; from += SLICE_POINTS) {
        const to = Math.min(from + SLICE_POINTS, job.points);
        if (!resident) yield { kind: 'upload', run: (write) => input.upload(job, from, to, write) };
        if (input.brings === 'scalars') yield run(cutDigits(job, from, to));
        yield run(countDigits(job, from, to));
      }
      yield* scanCounters(job).map(run);
      yield run(scatterPoints(job));
      yield run(accumulateShares(job));
      yield* mergeSlots(job).map(run);
    }
    yield* reduceBuckets(jobs[0]!).map(run);
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
