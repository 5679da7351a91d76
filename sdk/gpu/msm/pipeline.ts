import type { Dispatch, Job, Stage } from '../runtime/stage.js';
import type { Step } from '../runtime/submitter.js';
import { accumulatePieces, accumulateStage } from './accumulate.js';
import { collectBits, collectStage } from './collect.js';
import { countDigits, countStages } from './count.js';
import { type DigitInput, SLICE_SCALARS } from './digit-input.js';
import { foldSlots, foldStage } from './fold.js';
import { mergeSlots, mergeStage } from './merge.js';
import { cutPieces, dealStage, tallyStage } from './pieces.js';
import type { MsmPlan } from './plan.js';
import { reduceBuckets, reduceStage } from './reduce.js';
import { scanAddStage, scanCounters, scanStage } from './scan.js';
import { scatterPoints, scatterStages } from './scatter.js';

/** The kernels, in the order of their work. */
export const STAGES: readonly Stage[] = [
  ...Object.values(countStages),
  scanStage,
  scanAddStage,
  ...Object.values(scatterStages),
  tallyStage,
  dealStage,
  accumulateStage,
  foldStage,
  mergeStage,
  reduceStage,
  collectStage,
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

/** The multiplications, from their scalars to a sum for each bit of each window in `bitSums`. */
export function* msmSteps(plan: MsmPlan, chunks: readonly Chunk[], input: DigitInput): Generator<Step> {
  for (let firstOfBatch = 0; firstOfBatch < plan.batch; firstOfBatch += plan.batchPerPass) {
    const batch = Math.min(plan.batchPerPass, plan.batch - firstOfBatch);
    for (let firstWindow = 0; firstWindow < plan.windows; firstWindow += plan.windowsPerPass) {
      const windows = Math.min(plan.windowsPerPass, plan.windows - firstWindow);
      const jobs = chunks.map(
        (chunk, i): Job => ({ ...chunk, plan, firstOfBatch, batch, firstWindow, windows, continued: i > 0 }),
      );
      yield* passSteps(jobs, input);
    }
  }
}

/** One pass over the points: some windows of some multiplications, chunk after chunk. */
function* passSteps(jobs: readonly Job[], input: DigitInput): Generator<Step> {
  yield { kind: 'clear', role: 'buckets' };
  for (const job of jobs) {
    // The scalars of a single chunk are still there from the first pass.
    const resident = input.digitsFrom === 'scalars' && jobs.length === 1 && job.firstWindow > 0;
    yield { kind: 'clear', role: 'counters' };
    const scalars = job.points * job.batch;
    for (let from = 0; from < scalars; from += SLICE_SCALARS) {
      const to = Math.min(from + SLICE_SCALARS, scalars);
      if (!resident) yield { kind: 'upload', run: (write) => input.upload(job, from, to, write) };
      yield run(countDigits(job, from, to));
    }
    yield* scanCounters(job).map(run);
    yield run(scatterPoints(job));
    yield { kind: 'clear', role: 'bins' };
    yield { kind: 'clear', role: 'pieces' };
    yield* cutPieces(job).map(run);
    yield run(accumulatePieces(job));
    yield* foldSlots(job).map(run);
    yield run(mergeSlots(job));
  }
  yield* reduceBuckets(jobs[0]!).map(run);
  yield run(collectBits(jobs[0]!));
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
