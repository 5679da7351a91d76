import joinShader from '../../../../shaders/quotient/join-rows.wgsl';
import sumShader from '../../../../shaders/quotient/sum-entries.wgsl';
import { given, read } from '../runtime/stage.js';
import { ENTRY_COST, SUM_COST } from './cost.js';
import type { EntryRun, RowJoin } from './gpu-constraints.js';
import { defineQuotientStage, type QuotientBuffer } from './quotient-stage.js';

/** A sum for each piece of some entries. */
export interface EntryWork {
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
