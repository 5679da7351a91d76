import { MAX_WINDOW_BITS, windowCount } from '../../../bases/digits.js';
import {
  chooseMultiples,
  type MeasuredSum,
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
  /** Bytes of a buffer that can be bound as a whole. */
  readonly maxBufferBytes: number;
  /** What was measured for MSMs of about so many points; undefined where nothing was. */
  readonly measuredFor?: ((points: number) => MeasuredSum | undefined) | undefined;
}

/** What a plan depends on of the bases. */
export type PlannedBases = Pick<GpuBases, 'count' | 'pointsPerBuffer' | 'multiples'>;

/** The fields of `Tuning` that decide plans. */
type PlanTuning = Pick<Tuning, 'windowBits' | 'largeBucketFactor' | 'chunks' | 'reduction'>;

/** What else than the bases a plan depends on. */
export interface PlanOptions extends PlanTuning, Partial<Pick<PlanRequest, 'batch' | 'digitsFrom'>> {
  readonly scalarBits?: number | undefined;
  /** Whether the scalars are on the device already. */
  readonly isOnDevice?: boolean | undefined;
}

/**
 * The rates of a device that was not measured. Hardware: those of an H200, which has 16 896 lanes, takes 4 ns for a scalar's way and does 1.6
 * additions a nanosecond. Software: two cores.
 */
const USUAL_RATES: Readonly<Record<'hardware' | 'software', DeviceRates>> = {
  hardware: { concurrency: 16_384, uploadCost: 6 },
  software: { concurrency: 16, uploadCost: 0 },
};

/** What was measured to be best is not taken if its plan costs so many times what the model's costs: it was for other conditions. */
const CREDIBLE = 2;

/** Plans that are remembered. */
const MAX_PLANS = 32;

/** The plans of the multiplications over a group on a device. `room` is the memory that they may take, in bytes. */
export class GroupPlans {
  readonly layout: PointLayout;
  private readonly plans = new Map<string, MsmPlan>();
  /** What the costs of plans follow. Plans that were asked for before are not changed by it. */
  rates: DeviceRates;

  constructor(readonly on: GroupOnDevice) {
    this.layout = pointLayout(on.curve, on.group);
    this.rates = USUAL_RATES[on.isSoftware ? 'software' : 'hardware'];
  }

  /** The plan that multiplications with these bases follow. */
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
      // Digits from elsewhere may have a window more than those for which multiples were made.
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
    // A prover asks for the same few plans again and again.
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

  /** More bytes than so many multiplications read back: the sums of all bits of a scalar, and of two more windows. */
  mostReadback(batch: number): number {
    return batch * (CURVES[this.on.curve].fr.bits + 2 * MAX_WINDOW_BITS) * this.layout.sumBytes;
  }

  /** What every plan of the group starts from. */
  facts(digitsFrom: DigitsFrom, isOnDevice: boolean, scalarBits?: number) {
    const { bits } = CURVES[this.on.curve].fr;
    // Scalars are centred on the device, which takes a bit from the longest. Digits from elsewhere may be of any scalar.
    const most = bits - 1;
    const { group, maxBufferBytes } = this.on;
    const { concurrency, uploadCost } = this.rates;
    return {
      scalarBits: digitsFrom === 'scalars' ? Math.min(scalarBits ?? most, most) : bits,
      sumBytes: this.layout.sumBytes,
      additionCost: ADDITION_COST[group],
      maxBufferBytes,
      concurrency,
      uploadCost: isOnDevice ? 0 : uploadCost,
    };
  }
}

/** The plan with what was measured to be best, if there is one that fits and is credible; otherwise the model's. */
function planByMeasured(request: PlanRequest, measured: MeasuredSum | undefined): MsmPlan {
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

/** What multiples are to be made of, and the memory that there is. */
export interface MultiplesRequest {
  readonly points: number;
  /** Points of all bases, these among them, that get as many multiples each at the same time. */
  readonly together: number;
  /** Bytes that the bases with their multiples, and the buffers of a multiplication, may take. */
  readonly room: number;
  /** Bytes of these that the bases with their multiples may take; all if it is left out. */
  readonly residentRoom?: number;
}

/** The multiples with which a multiplication of so many points costs least (see `chooseMultiples`), as it was measured or by the model. */
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
      // Bases lie in one buffer with their multiples.
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
