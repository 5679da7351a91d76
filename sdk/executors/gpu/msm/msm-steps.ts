import { untilAborted } from '../../../base/abort.js';
import type { GpuDevice } from '../runtime/device.js';
import type { Dispatch } from '../runtime/stage.js';
import type { StageTimes } from '../runtime/stage-timer.js';
import type { Step } from '../runtime/steps.js';
import { type Submission, submitSteps } from '../runtime/submitter.js';
import { type DigitInput, sliceScalars } from './digit-input.js';
import type { BaseRun } from './gpu-bases.js';
import { bitSumsBytes, type MsmPlan, setsPerRow } from './plan.js';
import { accumulateStage, foldStage } from './stages/accumulate.js';
import { collectStage, joinStage, reduceStage } from './stages/bucket-reduction.js';
import { centreStage } from './stages/centre.js';
import { countStages, scanAddStage, scanStage, scatterStages } from './stages/counting-sort.js';
import { gatherStage } from './stages/gather.js';
import type { MsmBuffer, MsmKernel } from './stages/msm-stage.js';
import type { PassChunk } from './stages/pass-chunk.js';
import { dealStage, tallyStage } from './stages/pieces.js';

/** The kernels, in execution order. */
export const MSM_KERNELS: readonly MsmKernel[] = [
  gatherStage,
  centreStage,
  ...Object.values(countStages),
  scanStage,
  scanAddStage,
  ...Object.values(scatterStages),
  tallyStage,
  dealStage,
  accumulateStage,
  foldStage,
  joinStage,
  reduceStage,
  collectStage,
];

/** The parts of a plan that decide which kernels an MSM needs. */
export type KernelChoice = Pick<MsmPlan, 'digitsFrom' | 'reduction'>;

/** The kernels of an MSM, in execution order. */
export function kernelsFor({ digitsFrom, reduction }: KernelChoice): MsmKernel[] {
  return MSM_KERNELS.filter(
    (kernel) =>
      (kernel.variant === undefined || kernel.variant === digitsFrom) &&
      (kernel !== joinStage || reduction === 'cross-window'),
  );
}

/** A run of points whose bases are in one buffer. */
type PointChunk = Pick<PassChunk, 'firstPoint' | 'points' | 'bases' | 'firstBase' | 'multipleStride'>;

/** Cuts the points of consecutive runs into chunks of about the same size, each within one run. */
export function cutChunks(plan: MsmPlan, runs: readonly BaseRun[]): PointChunk[] {
  const chunks: PointChunk[] = [];
  let firstOfRun = 0;
  for (const { buffer, first, points, multipleStride } of runs) {
    const size = Math.ceil(points / Math.ceil(points / plan.chunkPoints));
    for (let from = 0; from < points; from += size) {
      const count = Math.min(size, points - from);
      chunks.push({
        firstPoint: firstOfRun + from,
        points: count,
        bases: buffer,
        firstBase: first + from,
        multipleStride,
      });
    }
    firstOfRun += points;
  }
  return chunks;
}

/** The steps of MSMs, from the scalars to one bit sum for each bit of each row, in `bitSums`. */
export function* msmSteps(
  plan: MsmPlan,
  chunks: readonly PointChunk[],
  input: DigitInput,
): Generator<Step<MsmBuffer>, void> {
  for (let firstOfBatch = 0; firstOfBatch < plan.batch; firstOfBatch += plan.batchPerPass) {
    const batch = Math.min(plan.batchPerPass, plan.batch - firstOfBatch);
    for (let firstRow = 0; firstRow < plan.rows; firstRow += plan.rowsPerPass) {
      const rows = Math.min(plan.rowsPerPass, plan.rows - firstRow);
      const ofPass = chunks.map(
        (chunk, i): PassChunk => ({ ...chunk, plan, firstOfBatch, batch, firstRow, rows, continued: i > 0 }),
      );
      yield* passSteps(ofPass, input);
    }
  }
}

/**
 * Whether later passes reuse the scalars that the first one brought: possible with a single chunk, across the passes
 * over its rows.
 */
export function keepsSource({ digitsFrom, chunkPoints, points, rowsPerPass, rows }: MsmPlan): boolean {
  return digitsFrom === 'scalars' && chunkPoints >= points && rowsPerPass < rows;
}

/** One pass over the points: some rows of some MSMs, chunk by chunk. */
export function* passSteps(chunks: readonly PassChunk[], input: DigitInput): Generator<Step<MsmBuffer>, void> {
  yield clear('buckets');
  for (const chunk of chunks) {
    const { plan } = chunk;
    const isThere = keepsSource(plan) && chunk.firstRow > 0;
    yield clear('counters');
    const scalars = chunk.points * chunk.batch;
    const { scalarWords } = input;
    const most = sliceScalars(plan.scalarBytes);
    for (let from = 0; from < scalars; from += most) {
      const slice = { chunk, from, to: Math.min(from + most, scalars), scalarWords };
      if (!isThere) yield* input.bring(slice);
      yield* run(countStages[plan.digitsFrom].dispatches(slice));
    }
    yield* run(scanStage.dispatches(chunk));
    yield* run(scanAddStage.dispatches(chunk));
    yield* run(scatterStages[plan.digitsFrom].dispatches({ chunk, from: 0, to: scalars, scalarWords }));
    yield clear('bins');
    yield clear('pieces');
    yield* run(tallyStage.dispatches(chunk));
    yield* run(dealStage.dispatches(chunk));
    yield* run(accumulateStage.dispatches(chunk));
    yield* run(foldStage.dispatches(chunk));
  }
  if (setsPerRow(chunks[0]!.plan) > 1) yield* run(joinStage.dispatches(chunks[0]!));
  yield* run(reduceStage.dispatches(chunks[0]!));
  yield* run(collectStage.dispatches(chunks[0]!));
}

function clear(buffer: MsmBuffer): Step<MsmBuffer> {
  return { kind: 'clear', buffer };
}

function* run(dispatches: readonly Dispatch<MsmBuffer>[]): Generator<Step<MsmBuffer>, void> {
  for (const dispatch of dispatches) yield { kind: 'dispatch', dispatch };
}

/** Planned MSMs. */
interface Multiplication {
  readonly plan: MsmPlan;
  readonly chunks: readonly PointChunk[];
  readonly input: DigitInput;
}

export interface BitSums {
  /** A canonical accumulator for each bit of each row of each MSM. */
  readonly sums: Uint8Array;
  readonly stageTimes: StageTimes | undefined;
}

/**
 * Submits MSMs up to the readback of their bit sums, a single map. The scratch must have the plan's `scratchLayout`.
 * Other steps may be submitted as soon as the promise is fulfilled; `finished` is fulfilled when these are done.
 * Nothing derived from the scalars stays in the scratch.
 */
export async function submitMultiplication(
  gpu: GpuDevice,
  { plan, chunks, input }: Multiplication,
  submission: Omit<Submission<MsmBuffer>, 'isSecret'>,
): Promise<{ readonly finished: Promise<BitSums> }> {
  const size = bitSumsBytes(plan);
  const readback = await gpu.readbacks.take(size);
  let finished: Promise<StageTimes | undefined>;
  try {
    ({ finished } = await submitSteps(
      gpu,
      [
        ...msmSteps(plan, chunks, input),
        { kind: 'read back', buffer: 'bitSums', size, target: readback },
        { kind: 'wipe' },
      ],
      { ...submission, isSecret: true },
    ));
  } catch (error) {
    gpu.readbacks.drop(readback);
    throw error;
  }
  const sums = untilAborted(gpu.readbacks.read(readback, size), submission.signal);
  return {
    finished: Promise.all([sums, finished]).then(([bytes, stageTimes]) => ({ sums: bytes, stageTimes })),
  };
}
