import { PippinError } from '../errors.js';
import { windowCount } from '../msm/digits.js';
import { SLOTS_PER_SHARE, shareCount } from './accumulate.js';
import { DIGIT_COST } from './digits.js';
import { FULL_ADDITION_COST, MERGED_SHARES } from './merge.js';
import { STAGES } from './pipeline.js';
import { reductionOperations } from './reduce.js';
import { type ScratchBytes, totalBytes } from './scratch.js';

/** How a multiplication is cut up. */
export interface MsmPlan {
  /** Bits of a window: the c of Pippenger's method. */
  readonly windowBits: number;
  readonly windows: number;
  /** 2^(c-1), since digits are signed. */
  readonly bucketsPerWindow: number;
  /** Windows that are worked on together. Each pass runs over all the points again. */
  readonly windowsPerPass: number;
  /** At most so many points are sorted and added to the buckets at a time. */
  readonly chunkPoints: number;
  /** Entries of the sorted list that one thread adds up. */
  readonly share: number;
  /** For each round of the reduction, the bits of the bucket numbers that it takes away; their sum is c - 1. */
  readonly reduceSteps: readonly number[];
  /** Bytes of an accumulator. */
  readonly sumBytes: number;
}

export interface PlanRequest {
  readonly points: number;
  /** The most points that lie in one buffer of bases: chunks end there. */
  readonly pointsPerBuffer: number;
  readonly scalarBits: number;
  readonly sumBytes: number;
  /** Bytes that the buffers of the multiplication may take, the bases not among them. */
  readonly memoryBudget: number;
  /** Bytes that one buffer may have and be bound with. */
  readonly maxBufferBytes: number;
  /** Additions that the device does in the time that one takes: the threads that it runs at once. */
  readonly concurrency: number;
  /** 4 to 20; the best by the cost model when left out. */
  readonly windowBits?: number | undefined;
}

export const MIN_WINDOW_BITS = 4;
export const MAX_WINDOW_BITS = 20;

/** Below this many points a chunk is not cut smaller. */
const MIN_CHUNK = 256;

/** The bytes of every buffer that a plan works in. */
export function scratchBytes(plan: MsmPlan): ScratchBytes {
  return Object.assign({}, ...STAGES.map((stage) => stage.bytes(plan)));
}

/**
 * The plan of least cost among those that fit: windows of 4 to 20 bits, in as many passes and chunks as the memory asks for.
 * `INVALID_ARGUMENT` for windows out of range, `OUT_OF_MEMORY` when not even one window of the smallest chunk fits.
 */
export function planMsm(request: PlanRequest): MsmPlan {
  const { windowBits } = request;
  if (windowBits !== undefined && !isWindowBits(windowBits)) {
    throw new PippinError('INVALID_ARGUMENT', `expected windowBits to be an integer from 4 to 20, got ${windowBits}`);
  }
  let best: { plan: MsmPlan; cost: number } | undefined;
  for (let c = windowBits ?? MIN_WINDOW_BITS; c <= (windowBits ?? MAX_WINDOW_BITS); c++) {
    for (const plan of fittingPlans(request, c)) {
      const cost = planCost(plan, request);
      if (best === undefined || cost < best.cost) best = { plan, cost };
    }
  }
  if (best !== undefined) return best.plan;
  const smallest = shapePlan(request, windowBits ?? MIN_WINDOW_BITS, 1, smallestChunk(request));
  throw new PippinError(
    'OUT_OF_MEMORY',
    `expected at least ${totalBytes(scratchBytes(smallest))} bytes for the buffers of a multiplication of ` +
      `${request.points} points, got ${request.memoryBudget} (at most ${request.maxBufferBytes} in one buffer)`,
    { hint: 'give a larger memoryBudget, smaller windows, or use the wasm backend' },
  );
}

function isWindowBits(bits: number): boolean {
  return Number.isInteger(bits) && bits >= MIN_WINDOW_BITS && bits <= MAX_WINDOW_BITS;
}

function smallestChunk({ points, pointsPerBuffer }: PlanRequest): number {
  return Math.min(points, pointsPerBuffer, MIN_CHUNK);
}

/** For each number of windows in a pass, the plan with the largest chunks that fit. */
function* fittingPlans(request: PlanRequest, windowBits: number): Generator<MsmPlan> {
  const windows = windowCount(request.scalarBits, windowBits);
  const longest = Math.min(request.points, request.pointsPerBuffer);
  let previous = 0;
  for (let passes = 1; passes <= windows; passes++) {
    const windowsPerPass = Math.ceil(windows / passes);
    if (windowsPerPass === previous) continue;
    previous = windowsPerPass;
    for (let cuts = 1; ; cuts *= 2) {
      const chunkPoints = Math.max(Math.ceil(longest / cuts), smallestChunk(request));
      const plan = shapePlan(request, windowBits, windowsPerPass, chunkPoints);
      if (fits(plan, request)) {
        yield plan;
        break;
      }
      if (chunkPoints === smallestChunk(request)) break;
    }
  }
}

function fits(plan: MsmPlan, { memoryBudget, maxBufferBytes }: PlanRequest): boolean {
  const bytes = scratchBytes(plan);
  return totalBytes(bytes) <= memoryBudget && Object.values(bytes).every((size) => size <= maxBufferBytes);
}

function shapePlan(request: PlanRequest, windowBits: number, windowsPerPass: number, chunkPoints: number): MsmPlan {
  return {
    windowBits,
    windows: windowCount(request.scalarBits, windowBits),
    bucketsPerWindow: 1 << (windowBits - 1),
    windowsPerPass,
    chunkPoints,
    share: shareFor(chunkPoints * windowsPerPass, request.concurrency),
    reduceSteps: reduceStepsFor(windowBits - 1, windowsPerPass, request.concurrency),
    sumBytes: request.sumBytes,
  };
}

/**
 * Entries a thread: few while there are too few threads to fill the device, more when the slots would take too much
 * memory. On an H200 32 was fastest at 2^20 entries and more, 64 within 3% from 2^24 on (pipeline.md's measurements).
 */
function shareFor(entries: number, concurrency: number): number {
  if (entries >= 512 * concurrency) return 64;
  return entries >= 64 * concurrency ? 32 : 16;
}

/** Rounds of two bits while they fill the device, then of one bit: fewer additions one after the other. */
function reduceStepsFor(bits: number, windows: number, concurrency: number): number[] {
  const steps: number[] = [];
  for (let left = bits; left > 0; ) {
    const step = left >= 2 && windows * 2 ** (left - 2) >= 2 * concurrency ? 2 : 1;
    steps.push(step);
    left -= step;
  }
  return steps;
}

/**
 * The cost of a plan in mixed point additions: what all threads do, or the longest chain of a single thread times the
 * `concurrency` when there are not enough threads to fill the device.
 */
export function planCost(plan: MsmPlan, { points, concurrency }: Pick<PlanRequest, 'points' | 'concurrency'>): number {
  const passes = Math.ceil(plan.windows / plan.windowsPerPass);
  const chunks = Math.ceil(points / plan.chunkPoints);
  const parallel = (threads: number, operations: number) => Math.max(threads, concurrency) * operations;

  const entries = Math.min(points, plan.chunkPoints) * plan.windowsPerPass;
  let chunkCost = 3 * DIGIT_COST * entries;
  let shares = shareCount(plan.chunkPoints, plan.windowsPerPass, plan.share);
  chunkCost += parallel(shares, plan.share);
  while (shares > 1) {
    shares = Math.ceil(shares / MERGED_SHARES);
    chunkCost += parallel(shares, (SLOTS_PER_SHARE * MERGED_SHARES) / 2 - 1) * FULL_ADDITION_COST;
  }

  let reduceCost = 0;
  let left = plan.windowBits - 1;
  for (const [round, step] of plan.reduceSteps.entries()) {
    left -= step;
    const operations = reductionOperations(step, round === 0) * FULL_ADDITION_COST;
    reduceCost += parallel(plan.windowsPerPass * 2 ** left, operations);
  }
  return passes * (chunks * chunkCost + reduceCost);
}
