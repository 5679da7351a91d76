import { MAX_WINDOW_BITS, windowCount } from '../../../bases/digits.js';
import {
  chooseMultiples,
  type MeasuredMsm,
  type MultiplesChoice,
  type MultiplesCost,
  type MultiplesTuning,
  type Precompute,
  type Tuning,
} from '../../../bases/multiples.js';
import { CURVES, type CurveId, type GroupId } from '../../../curves/index.js';
import { ADDITION_COST } from './cost.js';
import type { DeviceRates } from './device-rates.js';
import type { GpuBases } from './gpu-bases.js';
import type { DigitsFrom, MsmPlan } from './plan.js';
import { cheapestPlan, type PlanRequest, planMsm } from './planner.js';
import { type PointLayout, pointLayout } from './point-layout.js';

/** A group on a device. */
export interface GroupOnDevice {
  readonly curve: CurveId;
  readonly group: GroupId;
  readonly isSoftware: boolean;
  /** The largest buffer, in bytes, that can be bound as a whole. */
  readonly maxBufferBytes: number;
  /** The measurements for MSMs of about this many points; undefined if there are none. */
  readonly measuredFor?: ((points: number) => MeasuredMsm | undefined) | undefined;
}

/** The properties of bases that a plan depends on. */
export type PlannedBases = Pick<GpuBases, 'count' | 'pointsPerBuffer' | 'multiples'>;

/** The fields of `Tuning` that affect plans. */
type PlanTuning = Pick<Tuning, 'windowBits' | 'largeBucketFactor' | 'chunks' | 'reduction'>;

/** What a plan depends on apart from the bases. */
export interface PlanOptions extends PlanTuning, Partial<Pick<PlanRequest, 'batch' | 'digitsFrom'>> {
  readonly scalarBits?: number | undefined;
  /** Whether the scalars are on the device already. */
  readonly isOnDevice?: boolean | undefined;
}

/**
 * The rates of a device that was not measured. Hardware: an H200, with 16 896 lanes, 4 ns to upload a scalar and 1.6
 * additions per nanosecond. Software: two cores.
 */
const USUAL_RATES: Readonly<Record<'hardware' | 'software', DeviceRates>> = {
  hardware: { concurrency: 16_384, uploadCost: 6 },
  software: { concurrency: 16, uploadCost: 0 },
};

/**
 * A measured optimum is ignored if its plan costs more than this many times the model's plan: it was measured under
 * other conditions.
 */
const CREDIBLE = 2;

/** Cached plans. */
const MAX_PLANS = 32;

/** The plans of MSMs over a group on a device. `room` is the memory that they may take, in bytes. */
export class GroupPlans {
  readonly layout: PointLayout;
  private readonly plans = new Map<string, MsmPlan>();
  /** The rates behind the plan costs. A change does not affect cached plans made before. */
  rates: DeviceRates;

  constructor(readonly on: GroupOnDevice) {
    this.layout = pointLayout(on.curve, on.group);
    this.rates = USUAL_RATES[on.isSoftware ? 'software' : 'hardware'];
  }

  /** The plan of MSMs with these bases. */
  plan(
    { count, pointsPerBuffer, multiples }: PlannedBases,
    room: number,
    {
      windowBits,
      largeBucketFactor,
      chunks,
      reduction,
      scalarBits,
      batch = 1,
      digitsFrom = 'scalars',
      isOnDevice = false,
    }: PlanOptions = {},
  ): MsmPlan {
    const facts = this.facts(digitsFrom, isOnDevice, scalarBits);
    const isForMultiples =
      multiples !== undefined &&
      (windowBits ?? multiples.windowBits) === multiples.windowBits &&
      // Digits cut elsewhere may have one window more than the multiples were made for.
      windowCount(facts.scalarBits, multiples.windowBits) <= multiples.rows * multiples.multiples;
    const request: PlanRequest = {
      points: count,
      batch,
      digitsFrom,
      pointsPerBuffer,
      memoryBudget: room,
      ...facts,
      windowBits: windowBits ?? (isForMultiples ? multiples.windowBits : undefined),
      multiples: isForMultiples ? multiples.multiples : 1,
      rows: isForMultiples ? multiples.rows : undefined,
      largeBucketFactor,
      chunks,
      reduction,
    };
    // A prover requests the same few plans repeatedly.
    const known = isForMultiples ? undefined : this.on.measuredFor?.(count);
    const measured = [undefined, known?.windowBits].includes(request.windowBits) ? known : undefined;
    const key = JSON.stringify([request, measured]);
    let plan = this.plans.get(key);
    if (plan === undefined) {
      plan = planByMeasured(request, measured);
      if (this.plans.size >= MAX_PLANS) this.plans.clear();
      this.plans.set(key, plan);
    }
    return plan;
  }

  /**
   * An upper bound of the readback of `batch` MSMs, in bytes: bit sums for all bits of a scalar and two more windows.
   */
  mostReadback(batch: number): number {
    return batch * (CURVES[this.on.curve].fr.bits + 2 * MAX_WINDOW_BITS) * this.layout.sumBytes;
  }

  /** The inputs common to all plans of the group. */
  facts(digitsFrom: DigitsFrom, isOnDevice: boolean, scalarBits?: number) {
    const { fr, scalarBytes } = CURVES[this.on.curve];
    const { bits } = fr;
    // Scalars are centred on the device, which shortens the longest by one bit. Digits cut elsewhere may be of any
    // scalar.
    const most = bits - 1;
    const { group, maxBufferBytes } = this.on;
    const { concurrency, uploadCost } = this.rates;
    return {
      scalarBits: digitsFrom === 'scalars' ? Math.min(scalarBits ?? most, most) : bits,
      scalarBytes,
      sumBytes: this.layout.sumBytes,
      additionCost: ADDITION_COST[group],
      maxBufferBytes,
      concurrency,
      uploadCost: isOnDevice ? 0 : uploadCost,
    };
  }
}

/** The plan by the measured optimum, if it fits and is credible; otherwise the model's. */
function planByMeasured(request: PlanRequest, measured: MeasuredMsm | undefined): MsmPlan {
  if (measured?.windowBits === undefined) return planMsm(request);
  const byModel = cheapestPlan(request);
  const { windowBits, chunks, largeBucketFactor } = measured;
  const byMeasured = cheapestPlan({
    ...request,
    windowBits,
    chunks: request.chunks ?? chunks,
    largeBucketFactor: request.largeBucketFactor ?? largeBucketFactor,
  });
  if (byModel === undefined || byMeasured === undefined) return planMsm(request);
  return byMeasured.cost <= CREDIBLE * byModel.cost ? byMeasured.plan : byModel.plan;
}

/** The points to precompute multiples of, and the available memory. */
export interface MultiplesRequest {
  readonly points: number;
  /** Points of all bases, including these, that get this many multiples each at the same time. */
  readonly together: number;
  /** Bytes that the bases with their multiples and an MSM's buffers may take. */
  readonly room: number;
  /** The part of these bytes that the bases with their multiples may take; by default all. */
  readonly residentRoom?: number;
}

/**
 * The multiples with which an MSM of `points` points costs least (see `chooseMultiples`), by measurement or by the
 * model.
 */
export function planGpuMultiples(
  plans: GroupPlans,
  { points, together, room, residentRoom = room }: MultiplesRequest,
  precompute: Precompute,
  { windowBits: wanted, reduction }: MultiplesTuning = {},
): MultiplesChoice {
  const { baseBytes } = plans.layout;
  const { measuredFor, maxBufferBytes } = plans.on;
  const byModel = (multiples: number, windowBits = wanted): MultiplesCost | undefined => {
    const bytes = together * multiples * baseBytes;
    if (bytes > residentRoom) return undefined;
    const found = cheapestPlan({
      points,
      batch: 1,
      digitsFrom: 'scalars',
      // Bases are in one buffer with their multiples.
      pointsPerBuffer: Math.floor(maxBufferBytes / (multiples * baseBytes)),
      memoryBudget: room - bytes,
      ...plans.facts('scalars', false),
      windowBits,
      multiples,
      reduction,
    });
    if (found === undefined) return undefined;
    const { plan, cost } = found;
    return { plan: { windowBits: plan.windowBits, rows: plan.rows, multiples: plan.multiples }, cost };
  };
  const { ms, withMultiples } = measuredFor?.(points) ?? {};
  const isMeasured = precompute === 'auto' && wanted === undefined && reduction !== 'cross-window';
  if (!isMeasured || ms === undefined || withMultiples === undefined) return chooseMultiples(precompute, byModel);
  return chooseMultiples(precompute, (multiples) => {
    const row = multiples === 1 ? { ms } : withMultiples.find((each) => each.multiples === multiples);
    const found = row && byModel(multiples, 'windowBits' in row ? row.windowBits : undefined);
    return found && { plan: found.plan, cost: row.ms };
  });
}
