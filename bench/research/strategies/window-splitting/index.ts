import { FULL_ADDITION_COST } from '../../../../sdk/executors/gpu/msm/cost.js';
import type { MsmPlan } from '../../../../sdk/executors/gpu/msm/plan.js';
import type { PassChunk } from '../../../../sdk/executors/gpu/msm/stages/pass-chunk.js';
import { read, readWrite } from '../../../../sdk/executors/gpu/runtime/stage.js';
import { halveStage } from '../lib/row-sums.js';
import { defineStrategyStage, run, type Strategy, type StrategyKernel } from '../strategy.js';
import gatherShader from './gather.wgsl';
import splitShader from './split.wgsl';

/** Threads of a splitting, about: as many as a large GPU runs at once. */
const THREADS = 2 ** 14;

/** One splitting of all windows of a pass. */
interface Splitting {
  /** Bits of the windows that are split. */
  readonly bits: number;
  /** New buckets of all windows. */
  readonly targets: number;
  /**
   * Parts of the terms of a new bucket: a power of 2, and at most their number in a window of an even number of bits.
   */
  readonly parts: number;
}

/** The splittings of `rows` windows of `bucketBits` bits down to single bits. */
function splittings(rows: number, bucketBits: number): Splitting[] {
  const all: Splitting[] = [];
  let windows = rows;
  for (let bits = bucketBits; bits > 1; ) {
    const half = Math.ceil(bits / 2);
    windows *= 2;
    const targets = windows * 2 ** half;
    const wanted = 2 ** Math.ceil(Math.log2(Math.max(1, THREADS / targets)));
    all.push({ bits, targets, parts: Math.min(wanted, 2 ** (bits - half)) });
    bits = half;
  }
  return all;
}

function bucketBits({ bucketsPerRow }: MsmPlan): number {
  return Math.log2(bucketsPerRow);
}

const splitStage = defineStrategyStage({
  name: 'split-windows',
  entry: 'threads',
  workgroupSize: 64,
  arithmetic: 'points',
  bindings: { buckets: read('buckets'), slots: readWrite('partials') },
  params: ['bits', 'targets', 'parts'],
  shader: splitShader,
  bytes: (plan) => {
    const places = splittings(plan.rowsPerPass, bucketBits(plan)).map(({ targets, parts }) => targets * parts);
    const targets = splittings(plan.rowsPerPass, bucketBits(plan)).map((splitting) => splitting.targets);
    return { partials: Math.max(...places) * plan.sumBytes, buckets: Math.max(...targets) * plan.sumBytes };
  },
  dispatches: ({ bits, targets, parts }: Splitting) => [
    {
      first: 0,
      end: targets * parts,
      params: { bits, targets, parts },
      cost: (2 ** Math.ceil(bits / 2) / parts) * FULL_ADDITION_COST,
    },
  ],
});

/** Brings what a splitting has left back to `buckets`. */
const settleStage = defineStrategyStage({
  name: 'split-settle',
  entry: 'threads',
  workgroupSize: 256,
  bindings: { slots: read('partials'), buckets: readWrite('buckets') },
  params: [],
  shader: `fn run(t: u32) {
  buckets[t] = slots[t];
}
`,
  dispatches: ({ words }: { readonly words: number }) => [{ first: 0, end: words, params: {}, cost: 0.01 }],
});

const gatherStage = defineStrategyStage({
  name: 'split-gather',
  entry: 'threads',
  workgroupSize: 64,
  arithmetic: 'points',
  bindings: { buckets: read('buckets'), bitSums: readWrite('bitSums') },
  params: ['windowBits', 'bucketBits', 'firstRow'],
  shader: gatherShader,
  bytes: (plan) => ({ bitSums: plan.rows * plan.windowBits * plan.sumBytes }),
  dispatches: ({ plan, rows, firstRow }: PassChunk) => [
    {
      first: 0,
      end: rows * plan.windowBits,
      params: { windowBits: plan.windowBits, bucketBits: bucketBits(plan), firstRow },
      cost: FULL_ADDITION_COST,
    },
  ],
});

const KERNELS: readonly StrategyKernel[] = [splitStage, halveStage, settleStage, gatherStage];

export const windowSplitting: Strategy = {
  name: 'window splitting',
  replaces: 'reduction',
  source: 'Matter Labs, ZPrize 2022 and era-bellman-cuda; ICICLE has it from there',
  parts: () => ({
    reduce: {
      leaves: 'bits',
      kernels: KERNELS,
      *steps(chunk) {
        const { plan } = chunk;
        for (const splitting of splittings(chunk.rows, bucketBits(plan))) {
          const { targets, parts } = splitting;
          yield* run(splitStage.dispatches(splitting));
          const length = targets * parts;
          for (let halved = length; halved > targets; halved /= 2) {
            yield* run(halveStage.dispatches({ count: 1, length, halved }));
          }
          yield* run(settleStage.dispatches({ words: (targets * plan.sumBytes) / 4 }));
        }
        yield* run(gatherStage.dispatches(chunk));
      },
    },
  }),
};
