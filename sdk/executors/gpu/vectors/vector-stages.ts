import extendShader from '../../../../shaders/polynomials/extend.wgsl';
import gatherShader from '../../../../shaders/polynomials/gather.wgsl';
import interleaveShader from '../../../../shaders/polynomials/interleave.wgsl';
import invertShader from '../../../../shaders/polynomials/invert.wgsl';
import nonzeroShader from '../../../../shaders/polynomials/nonzero.wgsl';
import programShader from '../../../../shaders/polynomials/program.wgsl';
import recurrenceShader from '../../../../shaders/polynomials/recurrence.wgsl';
import shiftShader from '../../../../shaders/polynomials/shift.wgsl';
import { PRODUCT_COST, SUM_COST } from '../polynomials/cost.js';
import { butterflyStage, type QuotientBuffer } from '../polynomials/quotient-stages.js';
import { twiddleStage } from '../polynomials/twiddle-table.js';
import { atomic, type GpuKernel, given, read, readWrite, stageDefiner } from '../runtime/stage.js';

/** The scratch buffers of operations on vectors, by contents. Elements have 8 words and are below 2 r. */
export type VectorBuffer =
  | QuotientBuffer
  /** The operands and intermediate results of a program, a column each. */
  | 'registers'
  /** Instructions and constants that the host sends. */
  | 'program'
  /** The powers of a transform's shift. */
  | 'powers'
  /** The levels of a recurrence. */
  | 'totals'
  /** Whether an element was not 0. */
  | 'flags';

const define = stageDefiner<VectorBuffer, never, 'field'>();

/** A part of a vector's elements, to which a program is applied. */
interface ProgramWork {
  readonly instructions: number;
  /** Elements of each register. */
  readonly rows: number;
  /** The rows that are computed: `first` to `end` - 1. */
  readonly first: number;
  readonly end: number;
  /** The element of the result that row 0 would give: below 0 where an earlier buffer has it. */
  readonly offset: number;
  readonly result: GPUBuffer;
}

/** The value of an expression, element by element. */
export const programStage = define({
  name: 'program',
  entry: 'threads',
  workgroupSize: 64,
  arithmetic: 'field',
  bindings: {
    program: read('program', 'vec4u'),
    registers: readWrite('registers', 'vec4u'),
    result: given('read_write', 'vec4u'),
  },
  params: ['instructions', 'rows', 'offset'],
  shader: programShader,
  dispatches: ({ instructions, rows, first, end, offset, result }: ProgramWork) => [
    {
      first,
      end,
      params: { instructions, rows, offset },
      buffers: { result },
      cost: instructions * PRODUCT_COST,
    },
  ],
});

/** Elements of a block of a recurrence. */
export const RECURRENCE_BLOCK = 16;

/** One level of a recurrence, in one direction: up, to the totals of its blocks, or down, to all its elements. */
export interface RecurrenceWork {
  /** Elements of the level, and blocks in all residue classes together. */
  readonly count: number;
  readonly blocks: number;
  readonly stride: number;
  readonly falls: boolean;
  readonly scans: boolean;
  /** Whether the blocks begin with what lies at `targetAt`, instead of constant 0. */
  readonly carries: boolean;
  /** Whether the level is a part of the totals, and where. */
  readonly nested: boolean;
  readonly sourceAt: number;
  readonly targetAt: number;
  /** The index of the constant factor of a falling accumulator. */
  readonly factor: number;
  readonly values: GPUBuffer;
  /** Undefined where nothing is written to it. */
  readonly result: GPUBuffer | undefined;
}

/** Products of the elements before each one, or Horner's method. */
export const recurrenceStage = define({
  name: 'recurrence',
  entry: 'threads',
  workgroupSize: 64,
  arithmetic: 'field',
  bindings: {
    values: given('read', 'vec4u'),
    constants: read('program', 'vec4u'),
    totals: readWrite('totals', 'vec4u'),
    result: given('read_write', 'vec4u'),
  },
  params: ['count', 'stride', 'falls', 'scans', 'carries', 'nested', 'sourceAt', 'targetAt', 'factor'],
  constants: { BLOCK: RECURRENCE_BLOCK },
  shader: recurrenceShader,
  dispatches: ({ blocks, falls, scans, carries, nested, values, result, ...work }: RecurrenceWork) => [
    {
      first: 0,
      end: blocks,
      params: { ...work, falls: Number(falls), scans: Number(scans), carries: Number(carries), nested: Number(nested) },
      // Every binding needs a buffer.
      buffers: { values, result: result ?? ('flags' as const) },
      cost: RECURRENCE_BLOCK * PRODUCT_COST,
    },
  ],
});

/** The permutation and the powers before or after the butterflies of a transform. */
interface ShiftWork {
  readonly log: number;
  readonly length: number;
  readonly lowBits: number;
  readonly rises: boolean;
  readonly values: GPUBuffer | 'values';
  readonly result: GPUBuffer;
}

export const shiftStage = define({
  name: 'shift',
  entry: 'threads',
  workgroupSize: 64,
  arithmetic: 'field',
  bindings: {
    values: given('read', 'vec4u'),
    powers: read('powers', 'vec4u'),
    result: given('read_write', 'vec4u'),
  },
  params: ['log', 'length', 'folds', 'lowBits', 'rises'],
  shader: shiftShader,
  dispatches: ({ log, length, lowBits, rises, values, result }: ShiftWork) => {
    const folds = Math.max(1, Math.ceil(length / 2 ** log));
    return [
      {
        first: 0,
        end: 2 ** log,
        params: { log, length, folds, lowBits, rises: Number(rises) },
        buffers: { values, result },
        cost: (folds + 1) * PRODUCT_COST,
      },
    ];
  },
});

/** The most elements that one thread inverts: their inversions share a power, of about 380 products. */
const INVERSION_BLOCK = 32;
const POWER_PRODUCTS = 380;

export const invertStage = define({
  name: 'invert',
  entry: 'threads',
  workgroupSize: 64,
  arithmetic: 'field',
  bindings: {
    values: given('read', 'vec4u'),
    constants: read('program', 'vec4u'),
    result: given('read_write', 'vec4u'),
  },
  params: ['count', 'threads'],
  shader: invertShader,
  dispatches: ({ count, ...buffers }: { count: number; values: GPUBuffer; result: GPUBuffer }) => {
    const threads = Math.ceil(count / INVERSION_BLOCK);
    const cost = (POWER_PRODUCTS + 3 * INVERSION_BLOCK) * PRODUCT_COST;
    return [{ first: 0, end: threads, params: { count, threads }, buffers, cost }];
  },
});

/** Rows first..end of additions, none of which takes the sum of another. */
interface ExtendWork {
  readonly first: number;
  readonly end: number;
  readonly rows: GPUBuffer;
  readonly factors: GPUBuffer;
  readonly values: GPUBuffer;
}

/** Sums of two multiples of a vector's elements each, which become other elements of it. */
export const extendStage = define({
  name: 'extend',
  entry: 'threads',
  workgroupSize: 64,
  arithmetic: 'field',
  bindings: { rows: given('read'), factors: given('read', 'vec4u'), values: given('read_write', 'vec4u') },
  params: [],
  shader: extendShader,
  dispatches: ({ first, end, ...buffers }: ExtendWork) => [{ first, end, params: {}, buffers, cost: 2 * PRODUCT_COST }],
});

/** The elements with given indices. */
export const gatherElementsStage = define({
  name: 'gather',
  entry: 'threads',
  workgroupSize: 64,
  arithmetic: 'field',
  bindings: { values: given('read', 'vec4u'), indices: given('read'), result: given('read_write', 'vec4u') },
  params: [],
  shader: gatherShader,
  dispatches: (work: { count: number; values: GPUBuffer; indices: GPUBuffer; result: GPUBuffer }) => {
    const { count, ...buffers } = work;
    return [{ first: 0, end: count, params: {}, buffers, cost: SUM_COST }];
  },
});

/** Elements `first` to `end` - 1 of one vector, at equal distances in another. */
interface InterleaveWork {
  readonly first: number;
  readonly end: number;
  readonly stride: number;
  /** Where element 0 would be in the result: below 0 where an earlier buffer has it. */
  readonly offset: number;
  readonly values: GPUBuffer;
  readonly result: GPUBuffer;
}

export const interleaveStage = define({
  name: 'interleave',
  entry: 'threads',
  workgroupSize: 64,
  arithmetic: 'field',
  bindings: { values: given('read', 'vec4u'), result: given('read_write', 'vec4u') },
  params: ['stride', 'offset'],
  shader: interleaveShader,
  dispatches: ({ first, end, stride, offset, ...buffers }: InterleaveWork) => [
    { first, end, params: { stride, offset }, buffers, cost: SUM_COST },
  ],
});

/** Whether an element from number `from` on is not 0. */
export const nonzeroStage = define({
  name: 'nonzero',
  entry: 'threads',
  workgroupSize: 64,
  arithmetic: 'field',
  bindings: { values: given('read', 'vec4u'), flags: atomic('flags') },
  params: [],
  shader: nonzeroShader,
  dispatches: ({ from, to, values }: { readonly from: number; readonly to: number; readonly values: GPUBuffer }) => [
    { first: from, end: to, params: {}, buffers: { values }, cost: SUM_COST },
  ],
});

/** The kernels of operations on vectors. */
export const VECTOR_KERNELS: readonly GpuKernel[] = [
  programStage,
  recurrenceStage,
  shiftStage,
  invertStage,
  extendStage,
  gatherElementsStage,
  interleaveStage,
  nonzeroStage,
  twiddleStage,
  butterflyStage,
];
