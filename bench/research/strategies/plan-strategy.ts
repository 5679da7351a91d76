import { PippinError } from '../../../sdk/base/errors.js';
import { MIN_WINDOW_BITS } from '../../../sdk/bases/digits.js';
import { CURVES, type CurveId } from '../../../sdk/curves/index.js';
import type { MsmPlan } from '../../../sdk/executors/gpu/msm/plan.js';
import { planMsm } from '../../../sdk/executors/gpu/msm/planner.js';
import { pointLayout } from '../../../sdk/executors/gpu/msm/point-layout.js';
import type { GpuDevice } from '../../../sdk/executors/gpu/runtime/device.js';
import {
  largestBytes,
  layOut,
  lifetimesOf,
  type ScratchLayout,
  totalBytes,
} from '../../../sdk/executors/gpu/runtime/scratch-layout.js';
import type { Step } from '../../../sdk/executors/gpu/runtime/steps.js';
import { SHIPPED_PARTS } from './shipped.js';
import type { Copies, Parts, Strategy, StrategyBuffer, StrategyKernel, Task } from './strategy.js';

/** A plan of one chunk, and the memory that it works in. */
export interface StrategyPlan {
  readonly plan: MsmPlan;
  readonly layout: ScratchLayout<StrategyBuffer>;
}

/** Threads that a device runs at once, as in sdk/executors/gpu/msm/gpu-msm.ts. */
const CONCURRENCY = { hardware: 16_384, software: 16 } as const;

/** The parts of a strategy, with the shipped ones where it has none of its own. */
export function partsOf({ parts }: Strategy, curve: CurveId): Parts {
  return { ...SHIPPED_PARTS, ...parts(curve) };
}

export function kernelsOf({ sort, accumulate, reduce }: Parts): StrategyKernel[] {
  return [...sort.kernels, ...accumulate.kernels, ...reduce.kernels];
}

export function copiesOf({ copies }: Strategy, plan: MsmPlan): Copies {
  return copies?.(plan) ?? { count: plan.multiples, doublings: plan.rows * plan.windowBits };
}

/**
 * The plan of a multiplication by a strategy: all points in one chunk, and as many rows of buckets at a time as the
 * device has memory for. The window is the one that suits the shipped pipeline, unless one is asked for.
 * `OUT_OF_MEMORY` when not even one row fits.
 */
export function planStrategy(
  gpu: GpuDevice,
  curve: CurveId,
  strategy: Strategy,
  parts: Parts,
  points: number,
  memoryBudget: number,
  askedBits?: number,
): StrategyPlan {
  const { maxStorageBufferBindingSize, maxBufferSize } = gpu.limits;
  const maxBufferBytes = Math.min(maxStorageBufferBindingSize, maxBufferSize);
  const request = {
    points,
    batch: 1,
    digitsFrom: 'scalars',
    pointsPerBuffer: points,
    scalarBits: CURVES[curve].fr.bits,
    sumBytes: pointLayout(curve, 'g1').sumBytes,
    memoryBudget: Number.POSITIVE_INFINITY,
    maxBufferBytes: Number.POSITIVE_INFINITY,
    concurrency: CONCURRENCY[gpu.info.isSoftware ? 'software' : 'hardware'],
    // Nothing is gained by beginning before all scalars are there, so the plan has one chunk.
    uploadCost: 0,
  } as const;
  const suited = askedBits ?? planMsm(request).windowBits;
  const windowBits = Math.min(suited, strategy.maxWindowBits ?? suited);
  const planned = planMsm({ ...request, windowBits, multiples: strategy.multiples });
  const shaped = strategy.shape?.(planned, curve) ?? planned;
  // Pieces are as long as suits the entries of a bucket: half as many buckets have twice as many.
  const sameBuckets = Math.max(Math.log2(shaped.bucketsPerRow) + 1, MIN_WINDOW_BITS);
  const { pieceLength, fullLength } =
    sameBuckets < windowBits ? planMsm({ ...request, windowBits: sameBuckets }) : planned;
  for (let passes = 1; ; passes *= 2) {
    const plan = {
      ...shaped,
      pieceLength,
      fullLength,
      chunkPoints: points,
      rowsPerPass: Math.ceil(shaped.rows / passes),
    };
    const layout = strategyLayout(parts, plan, curve);
    const fits = totalBytes(layout) <= memoryBudget && largestBytes(layout) <= maxBufferBytes;
    if (fits) return { plan, layout };
    if (plan.rowsPerPass === 1) {
      throw new PippinError(
        'OUT_OF_MEMORY',
        `expected at least ${totalBytes(layout)} bytes for the buffers of ${points} points, got ${memoryBudget} ` +
          `(${largestBytes(layout)} in one buffer, of which ${maxBufferBytes} can be bound)`,
      );
    }
  }
}

/** The steps of all passes over the points. */
export function* strategySteps(
  { sort, accumulate, reduce }: Parts,
  plan: MsmPlan,
  bases: GPUBuffer,
  task: Task,
): Generator<Step<StrategyBuffer>, void> {
  for (let firstRow = 0; firstRow < plan.rows; firstRow += plan.rowsPerPass) {
    const chunk = {
      plan,
      firstRow,
      rows: Math.min(plan.rowsPerPass, plan.rows - firstRow),
      points: plan.points,
      firstPoint: 0,
      batch: 1,
      firstOfBatch: 0,
      bases,
      firstBase: 0,
      multipleStride: plan.points,
      continued: false,
    };
    yield* sort.steps(chunk, task);
    yield* accumulate.steps(chunk, task);
    yield* reduce.steps(chunk, task);
  }
}

function strategyLayout(parts: Parts, plan: MsmPlan, curve: CurveId): ScratchLayout<StrategyBuffer> {
  const bytes: Partial<Record<StrategyBuffer, number>> = {};
  for (const kernel of kernelsOf(parts)) {
    for (const [buffer, size] of Object.entries(kernel.bytes(plan)) as [StrategyBuffer, number][]) {
      bytes[buffer] = Math.max(size, bytes[buffer] ?? 0);
    }
  }
  // All passes have the steps of a first and only one; those after it find the scalars that it brought.
  const onePass = { ...plan, rows: plan.rowsPerPass };
  const steps = strategySteps(parts, onePass, {} as GPUBuffer, { curve, scalars: new Uint8Array() });
  const carried: readonly StrategyBuffer[] = plan.rowsPerPass < plan.rows ? ['bitSums', 'source'] : ['bitSums'];
  return layOut(bytes, lifetimesOf(steps, carried));
}
