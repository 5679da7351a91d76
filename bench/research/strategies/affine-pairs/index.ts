import { pointForm } from '../../../../sdk/bases/prepared.js';
import type { CurveId } from '../../../../sdk/curves/index.js';
import { bucketCount, digitCount, type MsmPlan } from '../../../../sdk/executors/gpu/msm/plan.js';
import { pointLayout } from '../../../../sdk/executors/gpu/msm/point-layout.js';
import { bucketsOf, digitsOf, type PassChunk } from '../../../../sdk/executors/gpu/msm/stages/pass-chunk.js';
import { given, read, readWrite, U32_BYTES } from '../../../../sdk/executors/gpu/runtime/stage.js';
import { fieldInverse, INVERSION_PARAMS, inversionParams } from '../lib/field-inverse.js';
import { storeBase } from '../lib/store-base.js';
import { clear, defineStrategyStage, type Part, run, type Strategy, type StrategyBuffer } from '../strategy.js';
import firstPoints from './first-points.wgsl';
import laterPoints from './later-points.wgsl';
import shader from './level.wgsl';
import { productStore, productWords } from './products.js';

/**
 * Additions that share an inversion: on an H200 more were held back by memory (docs/strategies/gpu-accumulation.md).
 */
const PAIRS = 16;

/** Costs of an affine addition and of an inversion, in additions of a base in XYZZ coordinates. */
const PAIR_COST = 0.7;
const INVERSION_COST = 4;

/** Places of what comes out of a level: `placeOf` in level.wgsl behind the last bucket, at most. */
function placesAfter(level: number, entries: number, buckets: number): number {
  return Math.floor(entries / 2 ** (level + 1)) + buckets;
}

/**
 * Levels after which the largest bucket that there can be has one point; two at least, so that every plan has the same
 * buffers.
 */
function levelCount({ points, multiples }: MsmPlan): number {
  return Math.max(2, Math.ceil(Math.log2(points * multiples)));
}

interface Level {
  readonly chunk: PassChunk;
  readonly level: number;
}

/** Where the points that come out of a level lie. */
function outOf(level: number): StrategyBuffer {
  return level % 2 === 0 ? 'points' : 'nextPoints';
}

function firstStage(curve: CurveId) {
  return defineStrategyStage({
    ...stageOf(curve, firstPoints),
    name: 'affine-pairs-first',
    bindings: { bases: given('read'), sorted: read('sorted'), ...BINDINGS },
    bytes: (plan) => {
      const { baseBytes } = pointLayout(curve, 'g1');
      const entries = digitCount(plan);
      const buckets = bucketCount(plan);
      const threads = Math.ceil(placesAfter(0, entries, buckets) / PAIRS);
      return {
        buckets: buckets * plan.sumBytes,
        points: placesAfter(0, entries, buckets) * baseBytes,
        nextPoints: placesAfter(1, entries, buckets) * baseBytes,
        products: productWords(curve, threads, PAIRS) * U32_BYTES,
      };
    },
    dispatches: (chunk: PassChunk) => [
      { ...dispatchOf(curve, { chunk, level: 0 }), buffers: { bases: chunk.bases, nextPoints: outOf(0) } },
    ],
  });
}

function laterStage(curve: CurveId) {
  return defineStrategyStage({
    ...stageOf(curve, laterPoints),
    name: 'affine-pairs-later',
    bindings: { bases: given('read'), ...BINDINGS },
    dispatches: ({ chunk, level }: Level) => [
      {
        ...dispatchOf(curve, { chunk, level }),
        buffers: { bases: outOf(level - 1), nextPoints: outOf(level) },
      },
    ],
  });
}

const BINDINGS = {
  offsets: read('counters'),
  nextPoints: given('read_write'),
  products: readWrite('products'),
  buckets: readWrite('buckets'),
} as const;

/** What the stages of the first level and of the later ones have in common. */
function stageOf(curve: CurveId, points: string) {
  return {
    entry: 'threads',
    workgroupSize: 64,
    arithmetic: 'points',
    params: ['level', 'bucketCount', ...INVERSION_PARAMS],
    constants: { PAIRS },
    libraries: [fieldInverse(curve), storeBase(curve, 'next', 'next_points'), productStore(curve), points],
    shader,
  } as const;
}

function dispatchOf(curve: CurveId, { chunk, level }: Level) {
  return {
    first: 0,
    end: Math.ceil(placesAfter(level, digitsOf(chunk), bucketsOf(chunk)) / PAIRS),
    params: { level, bucketCount: bucketsOf(chunk), ...inversionParams(curve) },
    cost: PAIRS * PAIR_COST + INVERSION_COST,
  };
}

function pairTree(curve: CurveId): Part {
  const first = firstStage(curve);
  const later = laterStage(curve);
  return {
    kernels: [first, later],
    *steps(chunk) {
      yield clear('buckets');
      yield* run(first.dispatches(chunk));
      for (let level = 1; level < levelCount(chunk.plan); level++) yield* run(later.dispatches({ chunk, level }));
    },
  };
}

export const affinePairs: Strategy = {
  name: 'affine pairs',
  replaces: 'accumulation',
  source:
    "a tree of affine additions in each bucket, 16 to an inversion (Aztec's WebGPU backend of 2026; Montgomery's trick)",
  isFor: (curve) => pointForm(curve, 'g1') === 'weierstrass',
  parts: (curve) => ({ accumulate: pairTree(curve) }),
};
