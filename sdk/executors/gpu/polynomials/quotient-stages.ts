import butterflyShader from '../../../../shaders/quotient/butterflies.wgsl';
import joinShader from '../../../../shaders/quotient/join-rows.wgsl';
import multiplyShader from '../../../../shaders/quotient/multiply.wgsl';
import sumShader from '../../../../shaders/quotient/sum-entries.wgsl';
import { given, read, stageDefiner } from '../runtime/stage.js';
import { BUTTERFLY_COST, ENTRY_COST, MULTIPLY_COST, SUM_COST } from './cost.js';
import type { EntryRun, RowJoin } from './gpu-constraints.js';
import { MAX_TILE_LOG, type TransformPass } from './transform-passes.js';

/** The scratch buffers of a quotient, by what they hold: elements of the scalar field of 8 words, each below 2 r. */
export type QuotientBuffer =
  /** The sums of the pieces of long rows. */
  | 'partials'
  /** A w, B w and their product; then their values on the coset, up to a factor. */
  | 'a'
  | 'b'
  | 'c';

/** Declares a stage of a quotient. Its buffers depend on more than a plan (`quotientBytes`). */
export const defineQuotientStage = stageDefiner<QuotientBuffer, never, 'field'>();

/** An element-wise product, from which a vector may be subtracted, times a constant; and a vector that may be added to it. */
interface MultiplyWork {
  readonly count: number;
  readonly subtracted?: QuotientBuffer;
  readonly added?: GPUBuffer | undefined;
  /** Constants, and the number of the one that the result is multiplied by. */
  readonly factors: GPUBuffer;
  readonly factor: number;
  readonly result: QuotientBuffer | GPUBuffer;
}

/** Element i of the result: (a_i b_i / R - c_i) f / R + m_i, canonical. */
export const multiplyStage = defineQuotientStage({
  name: 'multiply',
  entry: 'threads',
  workgroupSize: 64,
  arithmetic: 'field',
  bindings: {
    a: read('a', 'vec4u'),
    b: read('b', 'vec4u'),
    subtracted: given('read', 'vec4u'),
    added: given('read', 'vec4u'),
    factors: given('read', 'vec4u'),
    result: given('read_write', 'vec4u'),
  },
  params: ['products', 'subtracts', 'adds', 'factor'],
  shader: multiplyShader,
  dispatches: ({ count, subtracted, added, factors, factor, result }: MultiplyWork) => [
    {
      first: 0,
      end: count,
      params: {
        products: 2,
        subtracts: subtracted === undefined ? 0 : 1,
        adds: added === undefined ? 0 : 1,
        factor,
      },
      // Something must be bound; without a vector to subtract or to add it is not read.
      buffers: { subtracted: subtracted ?? 'a', added: added ?? ('a' as const), factors, result },
      cost: MULTIPLY_COST,
    },
  ],
});

const THREADS = 256;

/** A pass over 2^log elements: down through its levels, which is part of an inverse transform, or up, or down and up. */
interface ButterflyPass extends TransformPass {
  readonly log: number;
  readonly data: QuotientBuffer;
  /** At least 2^log of them. */
  readonly factors: GPUBuffer;
  readonly falls: boolean;
  readonly rises: boolean;
}

/**
 * Some levels of transforms in place: of an inverse one, from natural to bit-reversed order and without the division by the size, or of one
 * from there to the values at the odd powers of a primitive root of twice the order, in natural order. The shift to the coset lies in the
 * factors and costs no product.
 */
export const butterflyStage = defineQuotientStage({
  name: 'butterflies',
  entry: 'workgroups',
  workgroupSize: THREADS,
  arithmetic: 'field',
  bindings: { data: given('read_write', 'vec4u'), factors: given('read', 'vec4u') },
  params: ['low', 'levels', 'columns', 'falling', 'rising'],
  constants: { TILE: 2 ** MAX_TILE_LOG },
  shader: butterflyShader,
  dispatches: ({ log, data, factors, low, levels, columns, falls, rises }: ButterflyPass) => {
    const falling = falls ? levels : 0;
    const rising = rises ? levels : 0;
    return [
      {
        first: 0,
        end: 2 ** (log - levels - columns) * THREADS,
        params: { low, levels, columns, falling, rising },
        buffers: { data, factors },
        cost: Math.max(1, falling + rising) * BUTTERFLY_COST,
      },
    ];
  },
});

/** A sum for each piece of some entries. */
interface EntryWork {
  readonly run: EntryRun;
  readonly coefficients: GPUBuffer;
  readonly witness: GPUBuffer;
  readonly sums: QuotientBuffer;
}

/** Adds up the entries of pieces: coefficient times 2^512 mod r, times the signal's value, divided by R. */
export const sumEntriesStage = defineQuotientStage({
  name: 'sum-entries',
  entry: 'threads',
  workgroupSize: 64,
  arithmetic: 'field',
  bindings: {
    pieces: given('read', 'vec2u'),
    entries: given('read', 'vec2u'),
    coefficients: given('read', 'vec4u'),
    witness: given('read', 'vec4u'),
    sums: given('read_write', 'vec4u'),
  },
  params: [],
  shader: sumShader,
  dispatches: ({ run: { pieces, entries, spans }, coefficients, witness, sums }: EntryWork) =>
    spans.map(({ from, to, length }) => ({
      first: from,
      end: to,
      params: {},
      buffers: { pieces, entries, coefficients, witness, sums },
      cost: length * ENTRY_COST,
    })),
});

/** Adds up the partial sums of long rows. */
export const joinRowsStage = defineQuotientStage({
  name: 'join-rows',
  entry: 'threads',
  workgroupSize: 64,
  arithmetic: 'field',
  bindings: { rows: given('read', 'vec2u'), partials: read('partials', 'vec4u'), sums: given('read_write', 'vec4u') },
  params: [],
  shader: joinShader,
  dispatches: ({ join: { rows, spans }, sums }: { readonly join: RowJoin; readonly sums: QuotientBuffer }) =>
    spans.map(({ from, to, length }) => ({
      first: from,
      end: to,
      params: {},
      buffers: { rows, sums },
      cost: length * SUM_COST,
    })),
});
