import { FULL_ADDITION_COST } from '../../../../sdk/executors/gpu/msm/cost.js';
import type { PassChunk } from '../../../../sdk/executors/gpu/msm/stages/pass-chunk.js';
import { read, readWrite } from '../../../../sdk/executors/gpu/runtime/stage.js';
import type { Step } from '../../../../sdk/executors/gpu/runtime/steps.js';
import { defineStrategyStage, run, type StrategyBuffer, type StrategyKernel } from '../strategy.js';
import halveShader from './halve.wgsl';
import leaveShader from './leave-rows.wgsl';

/** Arrays of sums that lie one behind the other in `partials`. */
export interface SumArrays {
  readonly count: number;
  /** Places of an array. */
  readonly length: number;
  /** The first so many places of each are halved: an even number. */
  readonly halved: number;
}

export const halveStage = defineStrategyStage({
  name: 'strategy-halve',
  entry: 'threads',
  workgroupSize: 64,
  arithmetic: 'points',
  bindings: { slots: readWrite('partials') },
  params: ['length', 'half'],
  shader: halveShader,
  dispatches: ({ count, length, halved }: SumArrays) => [
    { first: 0, end: (count * halved) / 2, params: { length, half: halved / 2 }, cost: FULL_ADDITION_COST },
  ],
});

const leaveRowsStage = defineStrategyStage({
  name: 'strategy-leave-rows',
  entry: 'threads',
  workgroupSize: 64,
  arithmetic: 'points',
  bindings: { slots: read('partials'), bitSums: readWrite('bitSums') },
  params: ['firstRow', 'length'],
  shader: leaveShader,
  bytes: (plan) => ({ bitSums: plan.rows * plan.sumBytes }),
  dispatches: ({ chunk, length }: { readonly chunk: PassChunk; readonly length: number }) => [
    { first: 0, end: chunk.rows, params: { firstRow: chunk.firstRow, length }, cost: 1 },
  ],
});

export const ROW_SUM_KERNELS: readonly StrategyKernel[] = [halveStage, leaveRowsStage];

/** Adds up an array of `length` sums for each row, a power of 2, and leaves the rows' sums as the result. */
export function* rowSums(chunk: PassChunk, length: number): Generator<Step<StrategyBuffer>, void> {
  for (let halved = length; halved > 1; halved /= 2) {
    yield* run(halveStage.dispatches({ count: chunk.rows, length, halved }));
  }
  yield* run(leaveRowsStage.dispatches({ chunk, length }));
}
