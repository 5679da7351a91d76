import type { CurveId } from '../../../../sdk/curves/index.js';
import { inverse, mod } from '../../../../sdk/curves/modular.js';
import { DIGIT_COST } from '../../../../sdk/executors/gpu/msm/cost.js';
import { bucketCount, digitCount, type MsmPlan } from '../../../../sdk/executors/gpu/msm/plan.js';
import { pointLayout } from '../../../../sdk/executors/gpu/msm/point-layout.js';
import {
  atomic,
  type Binding,
  given,
  read,
  readWrite,
  U32_BYTES,
} from '../../../../sdk/executors/gpu/runtime/stage.js';
import { shippedShape } from '../../gpu-field/field-shape.js';
import { constant } from '../../gpu-field/inversions.js';
import { fieldInverse, INVERSION_PARAMS, inversionParams } from '../lib/field-inverse.js';
import { defineStrategyStage, type StrategyBuffer } from '../strategy.js';
import firstPoints from './first-points.wgsl';
import inversesShader from './inverses.wgsl';
import kinds from './kinds.wgsl';
import laterPoints from './later-points.wgsl';
import {
  type Extent,
  extentOf,
  type LevelTuning,
  type LevelWork,
  mostPairs,
  outOf,
  placesAfter,
  threadsOf,
} from './level-work.js';
import pairsShader from './pairs.wgsl';
import places from './places.wgsl';
import productsShader from './products.wgsl';
import sumsShader from './sums.wgsl';
import { consecutive, interleaved, vectorsOf } from './vectors.js';

/** Costs of an addition's product of denominators, of the rest of it, and of a workgroup's inversion by thread. */
const PRODUCT_COST = 0.1;
const SUM_COST = 0.5;
const INVERSION_COST = 8;

/** The first level takes bases by the sorted list, later ones the points that the level before has left. */
export type LevelKind = 'first' | 'later';

/** The bindings of points, and the WGSL that loads them. */
const POINTS = {
  first: { bindings: { bases: given('read', 'vec4u'), sorted: read('sorted') }, code: firstPoints },
  later: { bindings: { bases: given('read', 'vec4u') }, code: laterPoints },
} as const satisfies Record<LevelKind, { bindings: Record<string, Binding>; code: string }>;

function pointsCode(curve: CurveId, kind: LevelKind): string {
  const vectors = `const VECTORS = ${vectorsOf(curve)}u;`;
  return [vectors, consecutive(curve, 'base_coordinate', 'bases'), POINTS[kind].code].join('\n');
}

/** The points that a level takes. */
function takenBy({ chunk, level }: LevelWork): StrategyBuffer | GPUBuffer {
  return level === 0 ? chunk.bases : outOf(level - 1);
}

/** Lists the additions of a level, and copies the points without a partner. */
export function pairsStage(curve: CurveId, kind: LevelKind) {
  const { baseBytes } = pointLayout(curve, 'g1');
  return defineStrategyStage({
    name: `affine-levels-${kind}-pairs`,
    entry: 'workgroups',
    workgroupSize: 256,
    arithmetic: 'bases',
    bindings: {
      ...(POINTS[kind].bindings as typeof POINTS.later.bindings),
      offsets: read('counters'),
      pairs: readWrite('pairs', 'vec2u'),
      pairCounts: atomic('pairCounts'),
      next: given('read_write', 'vec4u'),
    },
    params: ['level', 'bucketCount'],
    libraries: [places, pointsCode(curve, kind), consecutive(curve, 'next_coordinate', 'next', true)],
    shader: pairsShader,
    bytes: (plan) => {
      const extent = planExtent(plan);
      return {
        points: placesAfter(1, extent) * baseBytes,
        nextPoints: placesAfter(2, extent) * baseBytes,
        pairs: capacityOf(plan) * 2 * U32_BYTES,
        pairCounts: MAX_LEVELS * U32_BYTES,
      };
    },
    dispatches: (work: LevelWork) => {
      const extent = extentOf(work.chunk);
      return [
        {
          first: 0,
          end: placesAfter(work.level + 1, extent),
          params: { level: work.level, bucketCount: extent.buckets },
          buffers: { bases: takenBy(work), next: outOf(work.level) },
          cost: DIGIT_COST,
        },
      ];
    },
  });
}

/** Multiplies up the denominators of a level's additions, thread by thread. */
export function productsStage(curve: CurveId, kind: LevelKind, tuning: LevelTuning) {
  const { words } = pointLayout(curve, 'g1');
  return defineStrategyStage({
    name: `affine-levels-${kind}-products`,
    entry: 'threads',
    workgroupSize: 64,
    arithmetic: 'bases',
    bindings: {
      ...(POINTS[kind].bindings as typeof POINTS.later.bindings),
      pairs: read('pairs', 'vec2u'),
      pairCounts: read('pairCounts'),
      products: readWrite('products', 'vec4u'),
      totals: readWrite('totals', 'vec4u'),
    },
    params: ['level', 'threads', 'capacity'],
    libraries: [
      pointsCode(curve, kind),
      kinds,
      interleaved(curve, 'product', 'products', true),
      interleaved(curve, 'total', 'totals', true),
    ],
    shader: productsShader,
    bytes: (plan) => ({
      products: capacityOf(plan) * words * U32_BYTES,
      totals: mostThreads(plan, tuning) * words * U32_BYTES,
    }),
    dispatches: (work: LevelWork) => [
      { ...overThreads(work, tuning, PRODUCT_COST), buffers: { bases: takenBy(work) } },
    ],
  });
}

/** Inverts the threads' totals. */
export function inversesStage(curve: CurveId, tuning: LevelTuning) {
  const shape = shippedShape(curve);
  const { p, r } = shape;
  const ofBytes = 2n ** BigInt(32 * pointLayout(curve, 'g1').words);
  const factor = mod(ofBytes * ofBytes * inverse(r, p), p);
  return defineStrategyStage({
    name: 'affine-levels-inverses',
    entry: 'workgroups',
    workgroupSize: INVERSION_THREADS,
    arithmetic: 'points',
    bindings: { pairCounts: read('pairCounts'), totals: readWrite('totals', 'vec4u') },
    params: ['level', 'threads', 'parts', ...INVERSION_PARAMS],
    constants: { MOST_PARTS },
    libraries: [
      fieldInverse(curve),
      `fn inverse_factor() -> Field {
  return ${constant(shape, factor)};
}
`,
      interleaved(curve, 'total', 'totals', true),
    ],
    shader: inversesShader,
    dispatches: (work: LevelWork) => {
      const threads = threadsOf(work.level, extentOf(work.chunk), tuning);
      return [
        {
          first: 0,
          end: Math.ceil(threads / tuning.parts / INVERSION_THREADS) * INVERSION_THREADS,
          params: { level: work.level, threads, parts: tuning.parts, ...inversionParams(curve) },
          cost: INVERSION_COST,
        },
      ];
    },
  });
}

/** Adds the pairs of a level. */
export function sumsStage(curve: CurveId, kind: LevelKind, tuning: LevelTuning) {
  return defineStrategyStage({
    name: `affine-levels-${kind}-sums`,
    entry: 'threads',
    workgroupSize: 64,
    arithmetic: 'bases',
    bindings: {
      ...(POINTS[kind].bindings as typeof POINTS.later.bindings),
      pairs: read('pairs', 'vec2u'),
      pairCounts: read('pairCounts'),
      products: read('products', 'vec4u'),
      totals: read('totals', 'vec4u'),
      next: given('read_write', 'vec4u'),
    },
    params: ['level', 'threads', 'capacity'],
    libraries: [
      pointsCode(curve, kind),
      kinds,
      interleaved(curve, 'product', 'products', false),
      interleaved(curve, 'total', 'totals', false),
      consecutive(curve, 'next_coordinate', 'next', true),
    ],
    shader: sumsShader,
    dispatches: (work: LevelWork) => [
      { ...overThreads(work, tuning, SUM_COST), buffers: { bases: takenBy(work), next: outOf(work.level) } },
    ],
  });
}

/** Threads of a workgroup that inverts: its tree takes 64 bytes a thread, for 381 bits 96. */
const INVERSION_THREADS = 128;

/** The most totals of a thread that inverts. */
const MOST_PARTS = 16;

const MAX_LEVELS = 32;

function planExtent(plan: MsmPlan): Extent {
  return { entries: digitCount(plan), buckets: bucketCount(plan) };
}

/** The most additions of any level. */
function capacityOf(plan: MsmPlan): number {
  return Math.max(mostPairs(0, planExtent(plan)), mostPairs(1, planExtent(plan)));
}

function mostThreads(plan: MsmPlan, tuning: LevelTuning): number {
  return Math.max(threadsOf(0, planExtent(plan), tuning), threadsOf(1, planExtent(plan), tuning));
}

/** A run of the kernels that go through the list of additions. */
function overThreads({ chunk, level }: LevelWork, tuning: LevelTuning, costOfPair: number) {
  const extent = extentOf(chunk);
  const threads = threadsOf(level, extent, tuning);
  const capacity = capacityOf(chunk.plan);
  const cost = (mostPairs(level, extent) / threads) * costOfPair;
  return { first: 0, end: threads, params: { level, threads, capacity }, cost };
}
