import { type DigitInput, scalarInput, sliceScalars } from '../../../sdk/executors/gpu/msm/digit-input.js';
import type { MsmPlan } from '../../../sdk/executors/gpu/msm/plan.js';
import { accumulateStage, foldStage } from '../../../sdk/executors/gpu/msm/stages/accumulate.js';
import { collectStage, reduceStage } from '../../../sdk/executors/gpu/msm/stages/bucket-reduction.js';
import {
  countStages,
  scanAddStage,
  scanStage,
  scatterStages,
} from '../../../sdk/executors/gpu/msm/stages/counting-sort.js';
import type { DigitSlice } from '../../../sdk/executors/gpu/msm/stages/digit-stage.js';
import type { PassChunk } from '../../../sdk/executors/gpu/msm/stages/pass-chunk.js';
import { dealStage, tallyStage } from '../../../sdk/executors/gpu/msm/stages/pieces.js';
import { type Stage, U32_BYTES } from '../../../sdk/executors/gpu/runtime/stage.js';
import type { Step } from '../../../sdk/executors/gpu/runtime/steps.js';
import { clear, type Part, type Parts, run, type Strategy, type StrategyBuffer, type Task } from './strategy.js';

/** The stages by which digits are counted and placed. */
export interface DigitPair {
  readonly count: Stage<StrategyBuffer, MsmPlan, DigitSlice>;
  readonly scatter: Stage<StrategyBuffer, MsmPlan, DigitSlice>;
}

/** The counting sort, with any stages that count and place digits, and whatever brings what they are cut from. */
export function countingSort(
  { count, scatter }: DigitPair,
  bring: (slice: DigitSlice, task: Task) => Iterable<Step<StrategyBuffer>>,
  kernels: Part['kernels'] = [],
): Part {
  return {
    kernels: [...kernels, count, scanStage, scanAddStage, scatter],
    *steps(chunk, task) {
      yield clear('counters');
      const { scalarBytes } = chunk.plan;
      const scalarWords = scalarBytes / U32_BYTES;
      const most = sliceScalars(scalarBytes);
      for (let from = 0; from < chunk.points; from += most) {
        const slice = { chunk, from, to: Math.min(from + most, chunk.points), scalarWords };
        yield* bring(slice, task);
        yield* run(count.dispatches(slice));
      }
      yield* run(scanStage.dispatches(chunk));
      yield* run(scanAddStage.dispatches(chunk));
      yield* run(scatter.dispatches({ chunk, from: 0, to: chunk.points, scalarWords }));
    },
  };
}

/** Brings scalars as they are; later passes find those of the first. */
export function* bringScalars(slice: DigitSlice, { scalars }: Task): Generator<Step<StrategyBuffer>, void> {
  const input: DigitInput = scalarInput(scalars, slice.chunk.plan.scalarBytes);
  if (slice.chunk.firstRow === 0) yield* input.bring(slice);
}

export const SHIPPED_PARTS: Parts = {
  sort: countingSort({ count: countStages.scalars, scatter: scatterStages.scalars }, bringScalars),
  accumulate: {
    kernels: [tallyStage, dealStage, accumulateStage, foldStage],
    *steps(chunk: PassChunk) {
      yield clear('buckets');
      yield clear('bins');
      yield clear('pieces');
      for (const stage of [tallyStage, dealStage, accumulateStage, foldStage]) yield* run(stage.dispatches(chunk));
    },
  },
  reduce: {
    leaves: 'bits',
    kernels: [reduceStage, collectStage],
    *steps(chunk) {
      yield* run(reduceStage.dispatches(chunk));
      yield* run(collectStage.dispatches(chunk));
    },
  },
};

/** What all others are compared with: the shipped stages in one chunk. */
export const shipped: Strategy = {
  name: 'shipped',
  replaces: 'nothing',
  source: 'Pippin: digits by the GPU, pieces by falling length, reduction by halving (ICICLE)',
  parts: () => ({}),
};
