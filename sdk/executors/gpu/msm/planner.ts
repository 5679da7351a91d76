import { PippinError } from '../../../base/errors.js';
import { BudgetExceeded } from '../../../base/memory-budget.js';
import { MAX_WINDOW_BITS, MIN_WINDOW_BITS, windowCount } from '../../../bases/digits.js';
import type { Reduction } from '../../../bases/multiples.js';
import { largestBytes, totalBytes } from '../runtime/scratch-layout.js';
import { DIGIT_COST, FULL_ADDITION_COST } from './cost.js';
import { scratchLayout } from './msm-memory.js';
import type { DigitsFrom } from './plan.js';
import { type MsmPlan, setsPerRow } from './plan.js';
import { fullPieces, MAX_PIECE_LENGTH } from './stages/pieces.js';

export interface PlanRequest {
  readonly points: number;
  readonly batch: number;
  readonly digitsFrom: DigitsFrom;
  /** The most points that lie in one buffer of bases: chunks end there. */
  readonly pointsPerBuffer: number;
  readonly scalarBits: number;
  readonly sumBytes: number;
  /** The cost of adding a base to a sum, in such additions of G1 (`ADDITION_COST`): 1 when left out. */
  readonly additionCost?: number | undefined;
  /** Bytes that the buffers of the multiplication may take, the bases not among them. */
  readonly memoryBudget: number;
  /** Bytes that one buffer may have and be bound with. */
  readonly maxBufferBytes: number;
  /** Additions of G1 that the device does in the time that one takes: the threads that it runs at once. */
  readonly concurrency: number;
  /** Additions of G1 that the device does in the time that a scalar takes to reach it. */
  readonly uploadCost: number;
  /** 4 to 20; the best by the cost model when left out. */
  readonly windowBits?: number | undefined;
  /**
   * Multiples of each point among the bases: 1, the points alone, when left out. They are multiples for windows of one size, which
   * `windowBits` must give then; `pointsPerBuffer` are points with all their multiples.
   */
  readonly multiples?: number | undefined;
  /** The rows of buckets for which the multiples were made; by default as few as they allow. Short scalars may need fewer. */
  readonly rows?: number | undefined;
  /** Buckets of more than so many times the mean number of entries are cut into pieces. */
  readonly largeBucketFactor?: number | undefined;
  /** Chunks of equal size into which the points are cut, or more where memory needs it; chosen by cost when left out. */
  readonly chunks?: number | undefined;
  /** How the windows of a row are reduced together, where points have multiples: `merged` when left out. */
  readonly reduction?: Reduction | undefined;
}

/** Below this many points a chunk is not cut smaller. */
const MIN_CHUNK = 256;

/** Shorter pieces would leave more to merge than they spread. */
const MIN_PIECE_LENGTH = 16;

/**
 * Additions one after the other that a chunk costs beside its work: the tails of its dispatches, and folding and merging
 * when the scalars are skewed.
 */
const CHUNK_LATENCY = 40;

/** Chunks into which the points are cut at most where memory does not ask for it. */
const MAX_OVERLAPPED_CHUNKS = 8;

/**
 * The plan of least cost among those that fit: windows of 4 to 20 bits, in as many passes and chunks as the memory asks for.
 * `INVALID_ARGUMENT` for windows out of range, `OUT_OF_MEMORY` when not even one row of buckets and the smallest chunk fit.
 */
export function planMsm(request: PlanRequest): MsmPlan {
  const { windowBits } = request;
  if (windowBits !== undefined && !isWindowBits(windowBits)) {
    throw new PippinError('INVALID_ARGUMENT', `expected windowBits to be an integer from 4 to 20, got ${windowBits}`);
  }
  const best = cheapestPlan(request);
  if (best !== undefined) return best.plan;
  const pass = { batch: 1, rows: 1, points: smallestChunk(request) };
  const smallest = shapePlan(request, windowBits ?? MIN_WINDOW_BITS, pass);
  throw new BudgetExceeded(
    `expected at least ${totalBytes(scratchLayout(smallest))} bytes for the buffers of a multiplication of ` +
      `${request.points} points, got ${request.memoryBudget} (at most ${request.maxBufferBytes} in one buffer)`,
    'give a larger memoryBudget, smaller windows, or use the wasm backend',
  );
}

/** The plan of least cost, and its cost in mixed point additions of G1; undefined when none fits. */
export function cheapestPlan(request: PlanRequest): { readonly plan: MsmPlan; readonly cost: number } | undefined {
  const { windowBits } = request;
  let best: { plan: MsmPlan; cost: number } | undefined;
  for (let c = windowBits ?? MIN_WINDOW_BITS; c <= (windowBits ?? MAX_WINDOW_BITS); c++) {
    for (const plan of fittingPlans(request, c)) {
      const cost = planCost(plan, request);
      if (best === undefined || cost < best.cost) best = { plan, cost };
    }
  }
  return best;
}

function isWindowBits(bits: number): boolean {
  return Number.isInteger(bits) && bits >= MIN_WINDOW_BITS && bits <= MAX_WINDOW_BITS;
}

/** The points of the largest chunk that may be taken. */
function longestChunk({ points, pointsPerBuffer, chunks = 1 }: PlanRequest): number {
  return Math.min(Math.ceil(points / chunks), pointsPerBuffer);
}

function smallestChunk(request: PlanRequest): number {
  return Math.min(longestChunk(request), MIN_CHUNK);
}

/**
 * The plans that fit: with fewer and fewer multiplications at a time, and then with fewer rows and the largest chunks; with
 * all rows also with smaller chunks, since the GPU works on one while the next is on its way. A number of chunks that was asked for is exceeded only
 * where memory needs it.
 */
function* fittingPlans(request: PlanRequest, windowBits: number): Generator<MsmPlan> {
  const rows = rowCount(request, windowBits);
  const longest = longestChunk(request);
  if (longest === request.points) {
    for (let batch = request.batch; batch > 1; batch = Math.ceil(batch / 2)) {
      const plan = fittingPlan(request, windowBits, { batch, rows, points: longest });
      if (plan === undefined) continue;
      yield plan;
      return;
    }
  }
  let previous = 0;
  for (let passes = 1; passes <= rows; passes++) {
    const rowsPerPass = Math.ceil(rows / passes);
    if (rowsPerPass === previous) continue;
    previous = rowsPerPass;
    for (let cuts = 1; ; cuts *= 2) {
      const points = Math.max(Math.ceil(longest / cuts), smallestChunk(request));
      const plan = fittingPlan(request, windowBits, { batch: 1, rows: rowsPerPass, points });
      if (plan !== undefined) {
        yield plan;
        if (passes > 1 || cuts >= MAX_OVERLAPPED_CHUNKS || request.chunks !== undefined) break;
      }
      if (points === smallestChunk(request)) break;
    }
  }
}

/** The plan of a pass if it fits: with short full pieces, or, since these need more memory, with ones of the largest length. */
function fittingPlan(request: PlanRequest, windowBits: number, pass: Pass): MsmPlan | undefined {
  const plan = shapePlan(request, windowBits, pass);
  return [plan, { ...plan, fullLength: plan.pieceLength }].find((each) => fits(each, request));
}

function fits(plan: MsmPlan, { memoryBudget, maxBufferBytes }: PlanRequest): boolean {
  const layout = scratchLayout(plan);
  return totalBytes(layout) <= memoryBudget && largestBytes(layout) <= maxBufferBytes;
}

/** What is worked on at a time. */
interface Pass {
  readonly batch: number;
  readonly rows: number;
  readonly points: number;
}

/** Rows of buckets of a multiplication: one for each window, or for as many windows as each point has multiples. */
function rowCount({ scalarBits, multiples = 1, rows }: PlanRequest, windowBits: number): number {
  const windows = windowCount(scalarBits, windowBits);
  return Math.min(windows, rows ?? Math.ceil(windows / multiples));
}

function shapePlan(request: PlanRequest, windowBits: number, pass: Pass): MsmPlan {
  const windows = windowCount(request.scalarBits, windowBits);
  const rows = rowCount(request, windowBits);
  const multiples = Math.ceil(windows / rows);
  // Without multiples a row has one window, and both ways are the same.
  const reduction = multiples > 1 ? (request.reduction ?? 'merged') : 'merged';
  const entriesPerSet = pass.points * (reduction === 'merged' ? multiples : 1);
  const entriesPerBucket = entriesPerSet / 2 ** (windowBits - 1);
  const { largeBucketFactor } = request;
  const pieceLength =
    largeBucketFactor === undefined
      ? pieceLengthFor(entriesPerBucket)
      : boundedLength(largeBucketFactor * entriesPerBucket);
  return {
    points: request.points,
    batch: request.batch,
    batchPerPass: pass.batch,
    digitsFrom: request.digitsFrom,
    windowBits,
    windows,
    multiples,
    rows,
    bucketsPerRow: 1 << (windowBits - 1),
    reduction,
    rowsPerPass: pass.rows,
    chunkPoints: pass.points,
    pieceLength,
    fullLength: Math.min(fullLengthFor(entriesPerBucket), pieceLength),
    sumBytes: request.sumBytes,
    additionCost: request.additionCost ?? 1,
  };
}

/** Entries a thread at most: so many that nearly every bucket of evenly spread digits has one piece (three standard deviations above the mean). */
function pieceLengthFor(entriesPerBucket: number): number {
  return boundedLength(entriesPerBucket + 3 * Math.sqrt(entriesPerBucket));
}

/** Entries of a full piece: not many more than a bucket of evenly spread digits has, so that large buckets occupy as many threads. */
function fullLengthFor(entriesPerBucket: number): number {
  return boundedLength(1.25 * entriesPerBucket);
}

function boundedLength(length: number): number {
  return Math.min(Math.max(Math.ceil(length), MIN_PIECE_LENGTH), MAX_PIECE_LENGTH);
}

/**
 * The cost of a plan in mixed point additions of G1: what all threads do, or the longest chain of a single thread times the
 * `concurrency` when there are not enough threads to fill the device. A dispatch costs about the time of such an addition.
 */
function planCost(
  plan: MsmPlan,
  { points, concurrency, uploadCost }: Pick<PlanRequest, 'points' | 'concurrency' | 'uploadCost'>,
): number {
  const rows = plan.rowsPerPass * plan.batchPerPass;
  const parallel = (threads: number, additions: number) =>
    Math.max(threads, concurrency) * additions * plan.additionCost;

  const entries = Math.min(points, plan.chunkPoints) * plan.multiples * rows;
  const sets = setsPerRow(plan);
  const buckets = rows * plan.bucketsPerRow * sets;
  // As if the digits were spread evenly.
  const full = (entries / buckets > plan.pieceLength ? fullPieces(entries / buckets, plan.fullLength) : 0) * buckets;
  const pieces = full + Math.min(entries, buckets);
  let chunkCost = 2 * DIGIT_COST * (entries + buckets) + CHUNK_LATENCY * concurrency * plan.additionCost;
  chunkCost += parallel(pieces, entries / pieces);
  chunkCost += full * FULL_ADDITION_COST * plan.additionCost;

  let reduceCost = sets > 1 ? parallel(buckets / sets, (sets - 1) * FULL_ADDITION_COST) + concurrency : 0;
  for (let round = 1; round < plan.windowBits; round++) {
    reduceCost += parallel((rows * round * plan.bucketsPerRow) / 2 ** round, FULL_ADDITION_COST) + concurrency;
  }
  const passes = Math.ceil(plan.rows / plan.rowsPerPass) * Math.ceil(plan.batch / plan.batchPerPass);
  const chunks = Math.ceil(points / plan.chunkPoints);
  // The buckets of later chunks begin with what they hold; and only the first chunk's scalars are waited for.
  const again = (chunks - 1) * parallel(Math.min(buckets, entries), 1);
  const upload = uploadCost * Math.min(points, plan.chunkPoints) * plan.batchPerPass;
  return upload + passes * (chunks * chunkCost + again + reduceCost);
}
