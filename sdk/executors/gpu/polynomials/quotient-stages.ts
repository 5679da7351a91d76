import butterflyShader from '../../../../shaders/quotient/butterflies.wgsl';
import joinShader from '../../../../shaders/quotient/join-rows.wgsl';
import multiplyShader from '../../../../shaders/quotient/multiply.wgsl';
import sumShader from '../../../../shaders/quotient/sum-entries.wgsl';
import { given, read, stageDefiner } from '../runtime/stage.js';
import { BUTTERFLY_COST, ENTRY_COST, MULTIPLY_COST, SUM_COST } from './cost.js';
import type { EntryRun, RowJoin } from './gpu-constraints.js';
import { MAX_TILE_LOG, type TransformPass } from './transform-passes.js';

/** The scratch buffers of a quotient, by contents: elements of the scalar field, 8 words each, below 2 r. */
export type QuotientBuffer =
  /** The partial sums of long rows, one per piece. */
  | 'partials'
  /** A w, B w and their product; then the values on the coset, up to a constant factor. */
  | 'a'
  | 'b'
  | 'c'
  /** A vector that is transformed by itself. */
  | 'values';

/** Declares a stage of a quotient. Its buffers depend on more than a plan (`quotientBytes`). */
export const defineQuotientStage = stageDefiner<QuotientBuffer, never, 'field'>();

/** An element-wise product, minus an optional vector, times a constant, plus an optional vector. */
interface MultiplyWork {
  readonly count: number;
  readonly subtracted?: QuotientBuffer;
  readonly added?: GPUBuffer | undefined;
  /** Constants, and the index of the one to multiply by. */
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
      // Every binding needs a buffer; without a vector to subtract or add, `a` is bound and not read there.
      buffers: { subtracted: subtracted ?? 'a', added: added ?? ('a' as const), factors, result },
      cost: MULTIPLY_COST,
    },
  ],
});

const THREADS = 256;

/**
 * A pass over 2^log elements: down through its levels, which is part of an inverse NTT, or up, which is part of a coset
 * NTT, or both.
 */
interface ButterflyPass extends TransformPass {
  readonly log: number;
  readonly data: QuotientBuffer | GPUBuffer;
  /** At least 2^log of them. */
  readonly factors: GPUBuffer;
  readonly falls: boolean;
  readonly rises: boolean;
}

/**
 * Some levels of NTTs, in place: an inverse NTT, from natural to bit-reversed order and without the division by the
 * size, or a coset NTT, from bit-reversed to natural order, which evaluates at the odd powers of a primitive root of
 * twice the order. The twiddle factors include the shift to the coset, which costs no extra product.
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

/** A run of entries to add up, with one sum per piece. */
interface EntryWork {
  readonly run: EntryRun;
  readonly coefficients: GPUBuffer;
  readonly witness: GPUBuffer;
  readonly sums: QuotientBuffer;
}

/** Adds up the entries of pieces: the Montgomery product of coefficient times 2^512 mod r and the signal's value. */
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
