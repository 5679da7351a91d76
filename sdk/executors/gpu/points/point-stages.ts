import butterflyShader from '../../../../shaders/ceremony/butterfly.wgsl';
import ladderShader from '../../../../shaders/ceremony/ladder.wgsl';
import multiplesShader from '../../../../shaders/ceremony/multiples.wgsl';
import normalizeShader from '../../../../shaders/ceremony/normalize.wgsl';
import { type GpuKernel, given, read, readWrite, stageDefiner } from '../runtime/stage.js';

/** The scratch buffers of products of points, by contents. Accumulators have four coordinates, affine points two. */
export type PointBuffer =
  /** Affine points, as they are prepared, that are multiplied; and that products are added to. */
  | 'bases'
  | 'addends'
  /** Recoded scalars, of 8 words. */
  | 'scalars'
  /** The first multiples of each point, as accumulators; then the results of butterflies. */
  | 'multiples'
  /** The products, as accumulators. */
  | 'sums'
  /** The affine products. */
  | 'points'
  /** The exponent of an inversion. */
  | 'exponent';

/** Multiples of each point that are computed before its product. */
export const MULTIPLES = 8;
/** Windows of 4 bits of a recoded scalar. */
const WINDOWS = 64;

/** The work of an addition or doubling and of a product, in the unit of `Pace`, a point addition. */
const ADDITION_COST = 1;
const PRODUCT_COST = 0.1;

const define = stageDefiner<PointBuffer, never, 'points'>();

/** Points that are multiplied together. */
export interface PointRun {
  readonly count: number;
}

/** The first multiples of each point. */
export const multiplesStage = define({
  name: 'multiples',
  entry: 'threads',
  workgroupSize: 64,
  arithmetic: 'points',
  bindings: { bases: read('bases'), multiples: readWrite('multiples') },
  params: ['rows'],
  constants: { MULTIPLES },
  shader: multiplesShader,
  dispatches: ({ count }: PointRun) => [
    { first: 0, end: count, params: { rows: count }, cost: MULTIPLES * ADDITION_COST },
  ],
});

/** Each point times its scalar. */
export const ladderStage = define({
  name: 'ladder',
  entry: 'threads',
  workgroupSize: 64,
  arithmetic: 'points',
  bindings: { multiples: read('multiples'), scalars: read('scalars'), sums: readWrite('sums') },
  params: ['rows', 'stride'],
  constants: { WINDOWS },
  shader: ladderShader,
  dispatches: ({ count, stride }: PointRun & { readonly stride: 0 | 1 }) => [
    { first: 0, end: count, params: { rows: count, stride }, cost: 5 * WINDOWS * ADDITION_COST },
  ],
});

/** The sum and the difference of each addend and product. */
export const pointButterflyStage = define({
  name: 'butterfly',
  entry: 'threads',
  workgroupSize: 64,
  arithmetic: 'points',
  bindings: { bases: read('addends'), sums: read('sums'), multiples: readWrite('multiples') },
  params: ['rows'],
  shader: butterflyShader,
  dispatches: ({ count }: PointRun) => [{ first: 0, end: count, params: { rows: count }, cost: 2 * ADDITION_COST }],
});

/** Accumulators of one thread, which share an inversion. */
const NORMALIZED_TOGETHER = 32;

interface Normalization extends PointRun {
  readonly exponentBits: number;
  /** The accumulators. */
  readonly of: 'sums' | 'multiples';
}

/** The affine points of accumulators. */
export const normalizeStage = define({
  name: 'normalize',
  entry: 'threads',
  workgroupSize: 64,
  arithmetic: 'points',
  bindings: { sums: given('read'), exponent: read('exponent'), points: readWrite('points') },
  params: ['count', 'threads', 'exponentBits'],
  shader: normalizeShader,
  dispatches: ({ count, exponentBits, of }: Normalization) => {
    const threads = Math.ceil(count / NORMALIZED_TOGETHER);
    const products = 1.5 * exponentBits + 7 * NORMALIZED_TOGETHER;
    const params = { count, threads, exponentBits };
    return [{ first: 0, end: threads, params, buffers: { sums: of }, cost: products * PRODUCT_COST }];
  },
});

export const POINT_KERNELS: readonly GpuKernel[] = [multiplesStage, ladderStage, pointButterflyStage, normalizeStage];
