import { SCALAR_BYTES } from '../../../curves/index.js';
import { type Lifetimes, layOut, lifetimesOf, type ScratchLayout } from '../runtime/scratch-layout.js';
import { scalarInput } from './digit-input.js';
import { keepsSource, MSM_KERNELS, passSteps } from './msm-steps.js';
import type { MsmPlan } from './plan.js';
import type { MsmBuffer } from './stages/msm-stage.js';
import type { PassChunk } from './stages/pass-chunk.js';

/** A small pass with every step that any pass has, in the same order. */
const EXAMPLE: PassChunk = {
  plan: {
    points: 2048,
    batch: 1,
    batchPerPass: 1,
    digitsFrom: 'scalars',
    scalarBytes: SCALAR_BYTES,
    windowBits: 12,
    windows: 2,
    multiples: 2,
    rows: 1,
    bucketsPerRow: 2048,
    reduction: 'cross-window',
    rowsPerPass: 1,
    chunkPoints: 2048,
    pieceLength: 16,
    fullLength: 16,
    sumBytes: 4,
    additionCost: 1,
  },
  firstRow: 0,
  rows: 1,
  points: 2048,
  firstPoint: 0,
  batch: 1,
  firstOfBatch: 0,
  bases: {} as GPUBuffer,
  firstBase: 0,
  multipleStride: 2048,
  continued: false,
};

/** Buffers that persist across passes: each pass writes its own rows' bit sums. */
const CARRIED: readonly MsmBuffer[] = ['bitSums'];

/** The lifetime of each buffer in a pass: with scalars brought in every pass, or kept from the first one on. */
const LIFETIMES: Readonly<Record<'brought' | 'kept', Lifetimes<MsmBuffer>>> = {
  brought: lifetimesOf(passSteps([EXAMPLE], scalarInput(new Uint8Array(), SCALAR_BYTES)), CARRIED),
  kept: lifetimesOf(passSteps([EXAMPLE], scalarInput(new Uint8Array(), SCALAR_BYTES)), [...CARRIED, 'source']),
};

/** The scratch memory of a plan: each buffer has the largest size that a stage writing it asks for. */
export function scratchLayout(plan: MsmPlan): ScratchLayout<MsmBuffer> {
  const bytes: Partial<Record<MsmBuffer, number>> = {};
  for (const stage of MSM_KERNELS) {
    for (const [buffer, size] of Object.entries(stage.bytes(plan)) as [MsmBuffer, number][]) {
      bytes[buffer] = Math.max(size, bytes[buffer] ?? 0);
    }
  }
  return layOut(bytes, LIFETIMES[keepsSource(plan) ? 'kept' : 'brought']);
}
