import { CURVES, type CurveId, type GroupId } from '../../curves/index.js';
import { chooseMultiples, type MultiplesChoice, type MultiplesTuning, type Precompute } from '../../msm/multiples.js';
import type { Tuning } from '../../msm/tuning.js';
import { ADDITION_COST } from './cost.js';
import type { GpuBases } from './gpu-bases.js';
import type { MsmPlan } from './plan.js';
import { cheapestPlan, type PlanRequest, planMsm } from './planner.js';
import { type PointLayout, pointLayout } from './point-layout.js';

/** A group on a device. */
export interface GroupOnDevice {
  readonly curve: CurveId;
  readonly group: GroupId;
  readonly isSoftware: boolean;
  /** Bytes of a buffer that can be bound as a whole. */
  readonly maxBufferBytes: number;
  /** The window for a sum of so many points, where it is known from measurements; undefined for the cost model's. */
  readonly windowFor?: ((points: number) => number | undefined) | undefined;
}

/** What a plan depends on of the bases. */
export type PlannedBases = Pick<GpuBases, 'count' | 'pointsPerBuffer' | 'multiples'>;

/** The fields of `Tuning` that decide plans. */
type PlanTuning = Pick<Tuning, 'windowBits' | 'largeBucketFactor' | 'chunks' | 'reduction'>;

/** What else than the bases a plan depends on. */
export interface PlanOptions extends PlanTuning, Partial<Pick<PlanRequest, 'batch' | 'digitsFrom'>> {
  readonly scalarBits?: number | undefined;
  /** Whether the scalars are on the device already, and the bytes that they take there of the budget. */
  readonly isOnDevice?: boolean | undefined;
  readonly bytesOnDevice?: number | undefined;
}

/**
 * Additions in the time that a scalar takes to reach the device. Measured on an H200: 4 ns beside 1.6 additions a nanosecond.
 * A slow device loses a few percent by it, and only where a multiplication takes it seconds.
 */
const UPLOAD_COST = { hardware: 6, software: 0 } as const;

/** A window that was measured to be best is not taken if its plan costs so many times what the model's costs: it was for other conditions. */
const CREDIBLE = 2;

/** Plans that are remembered. */
const MAX_PLANS = 32;

/** Threads that a device runs at once: those of a large GPU (an H200 has 16 896), or of a software adapter on two cores. */
const CONCURRENCY = { hardware: 16_384, software: 16 } as const;

/** The plans of the multiplications over a group on a device. `room` is the memory that they may take, in bytes. */
export class GroupPlans {
  private readonly layout: PointLayout;
  private readonly plans = new Map<string, MsmPlan>();

  constructor(private readonly on: GroupOnDevice) {
    this.layout = pointLayout(on.curve, on.group);
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
      bytesOnDevice = 0,
    }: PlanOptions = {},
  ): MsmPlan {
    const isForMultiples = windowBits === undefined || windowBits === multiples?.windowBits;
    const request: PlanRequest = {
      points: count,
      batch,
      digitsFrom,
      pointsPerBuffer,
      memoryBudget: room - bytesOnDevice,
      ...this.facts(isOnDevice, scalarBits),
      windowBits: windowBits ?? multiples?.windowBits,
      multiples: isForMultiples ? multiples?.multiples : 1,
      rows: isForMultiples ? multiples?.rows : undefined,
      largeBucketFactor,
      chunks,
      reduction,
    };
    // A prover asks for the same few plans again and again.
    const measured = request.windowBits === undefined ? this.on.windowFor?.(count) : undefined;
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
   * The multiples with which a multiplication of so many points costs least (see `chooseMultiples`).
   *
   * @param together points of all bases, these among them, that get as many multiples each at the same time.
   */
  planMultiples(
    points: number,
    together: number,
    room: number,
    precompute: Precompute,
    { windowBits, reduction }: MultiplesTuning = {},
  ): MultiplesChoice {
    return chooseMultiples(precompute, (multiples) => {
      const found = cheapestPlan({
        points,
        batch: 1,
        digitsFrom: 'scalars',
        pointsPerBuffer: this.pointsPerBuffer(multiples),
        memoryBudget: room - together * multiples * this.layout.baseBytes,
        ...this.facts(false),
        windowBits,
        multiples,
        reduction,
      });
      if (found === undefined) return undefined;
      const { plan, cost } = found;
      return { plan: { windowBits: plan.windowBits, rows: plan.rows, multiples: plan.multiples }, cost };
    });
  }

  /** The most points that lie in one buffer with so many multiples of each. */
  private pointsPerBuffer(multiples: number): number {
    return Math.floor(this.on.maxBufferBytes / (multiples * this.layout.baseBytes));
  }

  /** What every plan of the group starts from. */
  private facts(isOnDevice: boolean, scalarBits = CURVES[this.on.curve].fr.bits) {
    const { group, isSoftware, maxBufferBytes } = this.on;
    const kind = isSoftware ? 'software' : 'hardware';
    return {
      scalarBits,
      sumBytes: this.layout.sumBytes,
      additionCost: ADDITION_COST[group],
      maxBufferBytes,
      concurrency: CONCURRENCY[kind],
      uploadCost: isOnDevice ? 0 : UPLOAD_COST[kind],
    };
  }
}

/** The plan with the window that was measured to be best, if there is one that fits and is credible; otherwise the model's. */
function planByMeasured(request: PlanRequest, measured: number | undefined): MsmPlan {
  if (measured === undefined) return planMsm(request);
  const byModel = cheapestPlan(request);
  const byMeasured = cheapestPlan({ ...request, windowBits: measured });
  if (byModel === undefined || byMeasured === undefined) return planMsm(request);
  return byMeasured.cost <= CREDIBLE * byModel.cost ? byMeasured.plan : byModel.plan;
}
