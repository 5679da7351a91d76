import butterflyShader from '../../../../shaders/ceremony/butterfly.wgsl';
import ladderShader from '../../../../shaders/ceremony/ladder.wgsl';
import multiplesShader from '../../../../shaders/ceremony/multiples.wgsl';
import normalizeShader from '../../../../shaders/ceremony/normalize.wgsl';
import pairs from '../../../../shaders/ceremony/pairs.wgsl';
import { type Dispatch, type GpuKernel, given, read, readWrite, stageDefiner } from '../runtime/stage.js';
import { NOT_DIVIDED, onesOf, type PairRun } from './pair-run.js';

/** The scratch buffers of products of points, by contents. Accumulators have four coordinates, affine points two. */
export type PointBuffer =
  /** Affine points, as they are prepared, before and after a run. */
  | 'points'
  /** Recoded halves of factors, of 8 words. */
  | 'factors'
  /** The first multiples of each point, as accumulators; then the results of butterflies. */
  | 'multiples'
  /** The products, as accumulators. */
  | 'sums'
  /** The exponent of an inversion. */
  | 'exponent';

/** Multiples of each point that are computed before its product. */
export const MULTIPLES = 8;
/** Windows of 4 bits of half a factor, each of 4 doublings and an addition for each half. */
const WINDOWS = 32;
const STEPS_OF_WINDOW = 6;

/** The work of an addition or doubling and of a product, in the unit of `Pace`, a point addition. */
const ADDITION_COST = 1;
const PRODUCT_COST = 0.1;

const define = stageDefiner<PointBuffer, never, 'points'>();

/** What all kernels know about pairs (shaders/ceremony/pairs.wgsl). */
const PAIRS = {
  entry: 'threads',
  workgroupSize: 64,
  arithmetic: 'points',
  params: ['distance', 'blocks', 'firstBlock', 'skipped', 'step', 'divided', 'areRoots', 'offset', 'rows'],
  libraries: [pairs],
} as const;

/** A run's threads, one for each pair, of which those with the factor 1 have next to no work. */
function pairsOf(run: PairRun, cost: number) {
  const { offset, rows } = run;
  const share = (rows - onesOf(run)) / rows;
  return [{ first: offset, end: offset + rows, params: { ...run }, cost: Math.max(ADDITION_COST, share * cost) }];
}

/** The first multiples of the second points. */
const multiplesStage = define({
  ...PAIRS,
  name: 'multiples',
  bindings: { bases: read('points'), multiples: readWrite('multiples') },
  constants: { MULTIPLES, NOT_DIVIDED },
  shader: multiplesShader,
  dispatches: (run: PairRun) => pairsOf(run, MULTIPLES * ADDITION_COST),
});

/** Each second point times its factor. */
const ladderStage = define({
  ...PAIRS,
  name: 'ladder',
  bindings: { bases: read('points'), multiples: read('multiples'), factors: read('factors'), sums: readWrite('sums') },
  constants: { WINDOWS, NOT_DIVIDED },
  shader: ladderShader,
  dispatches: (run: PairRun) => pairsOf(run, STEPS_OF_WINDOW * WINDOWS * ADDITION_COST),
});

/** The sum and the difference of each first point and product. */
const pointButterflyStage = define({
  ...PAIRS,
  name: 'butterfly',
  bindings: { bases: read('points'), sums: read('sums'), multiples: readWrite('multiples') },
  constants: { NOT_DIVIDED },
  shader: butterflyShader,
  dispatches: (run: PairRun) => pairsOf(run, 2 * ADDITION_COST),
});

/** Accumulators of one thread, which share an inversion. */
const NORMALIZED_TOGETHER = 16;

interface Normalization {
  readonly run: PairRun;
  readonly exponentBits: number;
  /** The accumulators: products, or sums and differences. */
  readonly of: 'sums' | 'multiples';
}

/** The affine points of accumulators. */
const normalizeStage = define({
  ...PAIRS,
  name: 'normalize',
  bindings: { sums: given('read'), exponent: read('exponent'), points: readWrite('points') },
  params: [...PAIRS.params, 'count', 'threads', 'exponentBits'],
  constants: { NOT_DIVIDED },
  shader: normalizeShader,
  dispatches: ({ run, exponentBits, of }: Normalization) => {
    const count = of === 'sums' ? run.rows : 2 * run.rows;
    const threads = Math.ceil(count / NORMALIZED_TOGETHER);
    const products = 1.5 * exponentBits + 7 * NORMALIZED_TOGETHER;
    const params = { ...run, count, threads, exponentBits };
    return [{ first: 0, end: threads, params, buffers: { sums: of }, cost: products * PRODUCT_COST }];
  },
});

export const POINT_KERNELS: readonly GpuKernel[] = [multiplesStage, ladderStage, pointButterflyStage, normalizeStage];

/** The second points of a run's pairs become their products. */
export function productDispatches(run: PairRun, exponentBits: number): Dispatch<PointBuffer>[] {
  return [
    ...multiplesStage.dispatches(run),
    ...ladderStage.dispatches(run),
    ...normalizeStage.dispatches({ run, exponentBits, of: 'sums' }),
  ];
}

/** The points of a run's pairs become their sums and differences, the second points times their factors. */
export function butterflyDispatches(run: PairRun, exponentBits: number): Dispatch<PointBuffer>[] {
  return [
    ...multiplesStage.dispatches(run),
    ...ladderStage.dispatches(run),
    ...pointButterflyStage.dispatches(run),
    ...normalizeStage.dispatches({ run, exponentBits, of: 'multiples' }),
  ];
}
