import { PippinError } from '../../../base/errors.js';
import { BudgetExceeded } from '../../../base/memory-budget.js';
import { MAX_WINDOW_BITS, MIN_WINDOW_BITS, windowCount } from '../../../bases/digits.js';
import type { Reduction } from '../../../bases/multiples.js';
import { SCALAR_BYTES } from '../../../curves/index.js';
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
  /** The most points in one buffer of bases: chunks end there. */
  readonly pointsPerBuffer: number;
  readonly scalarBits: number;
  /** Bytes of a full-length scalar: 32 when left out. */
  readonly scalarBytes?: number | undefined;
  readonly sumBytes: number;
  /** The cost of a mixed addition, in mixed G1 additions (`ADDITION_COST`): 1 when left out. */
  readonly additionCost?: number | undefined;
  /** Bytes that the MSM's buffers may take, excluding the bases. */
  readonly memoryBudget: number;
  /** The largest buffer, in bytes, that can be created and bound. */
  readonly maxBufferBytes: number;
  /** G1 additions done in the time of one: the number of threads that run concurrently. */
  readonly concurrency: number;
  /** G1 additions done in the time of uploading one scalar. */
  readonly uploadCost: number;
  /** 4 to 20; chosen by the cost model when left out. */
  readonly windowBits?: number | undefined;
  /**
   * Multiples of each point among the bases: 1, only the points, when left out. Multiples are made for one window size,
   * which `windowBits` must then give; `pointsPerBuffer` counts points with all their multiples.
   */
  readonly multiples?: number | undefined;
  /**
   * The rows of buckets for which the multiples were made; by default as few as possible. Short scalars may need fewer.
   */
  readonly rows?: number | undefined;
  /** Buckets with more than this many times the mean number of entries are cut into pieces. */
  readonly largeBucketFactor?: number | undefined;
  /**
   * Chunks of equal size into which the points are cut, or more where memory requires it; chosen by cost when left out.
   */
  readonly chunks?: number | undefined;
  /** How the windows of a row are reduced together, where points have multiples: `merged` when left out. */
  readonly reduction?: Reduction | undefined;
}

/** Chunks are not cut below this many points. */
const MIN_CHUNK = 256;

/** Shorter pieces would cost more in merging than they gain in load balance. */
const MIN_PIECE_LENGTH = 16;

/**
 * Sequential additions that a chunk costs besides its work: the tails of its dispatches, and folding and merging for
 * skewed scalars.
 */
const CHUNK_LATENCY = 40;

/** The most chunks where memory does not require more. */
const MAX_OVERLAPPED_CHUNKS = 8;

/**
 * The cheapest plan that fits: windows of 4 to 20 bits, in as many passes and chunks as the memory requires.
 * `INVALID_ARGUMENT` for windows out of range, `OUT_OF_MEMORY` when not even one row of buckets and the smallest chunk
 * fit.
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

/** The cheapest plan, and its cost in mixed G1 additions; undefined when none fits. */
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

/** The points of the largest allowed chunk. */
function longestChunk({ points, pointsPerBuffer, chunks = 1 }: PlanRequest): number {
  return Math.min(Math.ceil(points / chunks), pointsPerBuffer);
}

function smallestChunk(request: PlanRequest): number {
  return Math.min(longestChunk(request), MIN_CHUNK);
}

/**
 * The plans that fit: with fewer and fewer MSMs per pass, then with fewer rows and the largest chunks; with all rows
 * also with smaller chunks, since the GPU works on one while the next is uploaded. A requested number of chunks is
 * exceeded only where memory requires it.
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

/**
 * The plan of a pass if it fits: with short full pieces, or, since these need more memory, with full pieces of the
 * largest length.
 */
function fittingPlan(request: PlanRequest, windowBits: number, pass: Pass): MsmPlan | undefined {
  const plan = shapePlan(request, windowBits, pass);
  return [plan, { ...plan, fullLength: plan.pieceLength }].find((each) => fits(each, request));
}

function fits(plan: MsmPlan, { memoryBudget, maxBufferBytes }: PlanRequest): boolean {
  const layout = scratchLayout(plan);
  return totalBytes(layout) <= memoryBudget && largestBytes(layout) <= maxBufferBytes;
}

/** The extent of one pass. */
interface Pass {
  readonly batch: number;
  readonly rows: number;
  readonly points: number;
}

/** Rows of buckets per MSM: one per window, or one for as many windows as each point has multiples. */
function rowCount({ scalarBits, multiples = 1, rows }: PlanRequest, windowBits: number): number {
  const windows = windowCount(scalarBits, windowBits);
  return Math.min(windows, rows ?? Math.ceil(windows / multiples));
}

function shapePlan(request: PlanRequest, windowBits: number, pass: Pass): MsmPlan {
  const windows = windowCount(request.scalarBits, windowBits);
  const rows = rowCount(request, windowBits);
  const multiples = Math.ceil(windows / rows);
  // Without multiples a row has one window, and both reductions are the same.
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
    scalarBytes: request.scalarBytes ?? SCALAR_BYTES,
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

/**
 * The most entries per thread: enough for nearly every bucket of uniformly distributed digits to be one piece (three
 * standard deviations above the mean).
 */
function pieceLengthFor(entriesPerBucket: number): number {
  return boundedLength(entriesPerBucket + 3 * Math.sqrt(entriesPerBucket));
}

/**
 * Entries of a full piece: not many more than a bucket of uniformly distributed digits has, so that large buckets
 * occupy as many threads.
 */
function fullLengthFor(entriesPerBucket: number): number {
  return boundedLength(1.25 * entriesPerBucket);
}

function boundedLength(length: number): number {
  return Math.min(Math.max(Math.ceil(length), MIN_PIECE_LENGTH), MAX_PIECE_LENGTH);
}

/**
 * The cost of a plan in mixed G1 additions: the work of all threads, or the longest chain of a single thread times the
 * `concurrency` when there are too few threads to fill the device. A dispatch costs about the time of one such
 * addition.
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
  // Assumes uniformly distributed digits.
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
  // Later chunks load and continue the buckets; only the first chunk's upload is not overlapped.
  const again = (chunks - 1) * parallel(Math.min(buckets, entries), 1);
  const upload = uploadCost * Math.min(points, plan.chunkPoints) * plan.batchPerPass;
  return upload + passes * (chunks * chunkCost + again + reduceCost);
}
