import { bytesToBigint, joinBytes, writeBigint } from '../base/bytes.js';
import { PippinError } from '../base/errors.js';
import { wipe } from '../base/free-memory.js';
import { CURVES, type CurveId, type GroupId, pointBytes } from '../curves/index.js';
import { randomBytes } from '../curves/random.js';
import type { CheckScalarsArgs } from '../executors/workers/kernel/check-kernel.js';
import type { BatchScalars } from '../executors/workers/kernel/kernel-instance.js';
import type { KernelPool } from '../executors/workers/pool/pool.js';
import { eachBatchSlice, isGathered, SLICE_ELEMENTS } from '../executors/workers/pool/slices.js';
import type { RowPlan } from './backend.js';
import { type BasesOutline, type PointForm, preparedPointBytes } from './prepared.js';
import type { ScalarPieces } from './scalar-vector.js';

/** Scalars of the MSMs to be checked, and what the check draws for them. */
interface CheckRequest {
  readonly curve: CurveId;
  /** MSM after MSM. */
  readonly scalars: Uint8Array;
  readonly batch: number;
  readonly plan: RowPlan;
  readonly weights: CheckWeights;
  /** From which the masks of the points follow. */
  readonly key: Uint8Array;
}

/**
 * What trusted executors compute for the check by a random linear combination (docs/strategies/checked-msm.md). Points
 * are affine, in the boundary form.
 */
export interface CheckArithmetic {
  /** The MSM of prepared points and their masks. */
  maskSum(
    bases: BasesOutline,
    points: Uint8Array,
    key: Uint8Array,
    signal: AbortSignal | undefined,
  ): Promise<Uint8Array>;
  /** The check scalar of each point. The caller overwrites them. */
  checkScalars(request: CheckRequest, signal: AbortSignal | undefined): Promise<ScalarPieces>;
  /**
   * The random linear combination of the rows, whose weights are u64 below 2^40. `sums` holds the bit sums, `bits` of
   * each row; undefined if one is not on the curve.
   */
  combineRows(
    bases: Pick<BasesOutline, 'curve' | 'group' | 'form'>,
    sums: Uint8Array,
    bits: number,
    weights: Uint8Array,
    signal: AbortSignal | undefined,
  ): Promise<Uint8Array | undefined>;
}

/** Random bits of the weight of a row: an error passes the check with probability 2^-40 at most. */
export const WEIGHT_BITS = 40;

/** Bits of a check scalar of unreduced weights: a mask of 2^72 and 64 random bits, and weighted digits below 2^71. */
export const SHORT_CHECK_BITS = 73;

/** Bytes of a row's weight, a u64. */
const ROW_BYTES = 8;
/** Bytes of a limb of a window's weight. */
const LIMB_BYTES = 4;

/**
 * A bound of the weighted sum of digits in absolute value, which check scalars must not exceed
 * (wasm/msm/check-scalars.ts).
 */
const MAX_DIGIT_SUM = 2 ** 31;

/** The random factors of a check. They are secret until the MSMs that they check have been read back. */
interface CheckWeights {
  /** A u64 below 2^40 for each row of each multiplication. */
  readonly ofRows: Uint8Array;
  /** The weight of each window of each multiplication, in `limbs` u32. */
  readonly ofWindows: Uint8Array;
  readonly limbs: number;
  /**
   * Whether check scalars must be reduced below the group's order: where points have multiples, weights have the length
   * of the order.
   */
  readonly reduced: boolean;
}

/**
 * Draws the weights of the rows of `batch` MSMs. A window's weight is its row's weight times 2^(j rows c) for the
 * digits that take multiple j of their points. `INVALID_ARGUMENT` where so many digits could overflow a check scalar.
 */
export function drawWeights(
  curve: CurveId,
  { windowBits, windows, rows }: Omit<RowPlan, 'isCentred'>,
  batch: number,
): CheckWeights {
  const most = Math.ceil(MAX_DIGIT_SUM / (windows * 2 ** (windowBits - 1))) - 1;
  if (batch > most) {
    throw new PippinError(
      'INVALID_ARGUMENT',
      `expected at most ${most} MSMs with ${windows} windows of ${windowBits} bits to a check, got ${batch}`,
      { hint: 'take smaller windows, or fewer MSMs in a batch' },
    );
  }
  const ofRows = randomRows(batch * rows);
  if (windows <= rows) return { ofRows, ofWindows: ofRows, limbs: ROW_BYTES / LIMB_BYTES, reduced: false };
  const { fr, scalarBytes } = CURVES[curve];
  const ofWindows = new Uint8Array(batch * windows * scalarBytes);
  for (let m = 0; m < batch; m++) {
    for (let w = 0; w < windows; w++) {
      const weight = bytesToBigint(ofRows, (m * rows + (w % rows)) * ROW_BYTES, ROW_BYTES);
      const shift = BigInt(Math.floor(w / rows) * rows * windowBits);
      writeBigint(ofWindows, (m * windows + w) * scalarBytes, scalarBytes, (weight << shift) % fr.modulus);
    }
  }
  return { ofRows, ofWindows, limbs: scalarBytes / LIMB_BYTES, reduced: true };
}

/** So many random u64 below 2^40. */
function randomRows(count: number): Uint8Array {
  const bytes = randomBytes(count * ROW_BYTES);
  for (let row = 0; row < count; row++) bytes.fill(0, row * ROW_BYTES + WEIGHT_BITS / 8, (row + 1) * ROW_BYTES);
  return bytes;
}

/** What the check of MSMs needs of the workers. */
export function poolChecks(pool: KernelPool): CheckArithmetic {
  return {
    async maskSum({ curve, group, form }, points, key, signal) {
      const sums = await makeMaskSums(pool, { curve, group, form, points }, key, signal);
      if (sums.length === 0) return new Uint8Array(pointBytes(curve, group));
      return pool.call(curve, 'combine', { group, points: joinBytes(sums) }, { signal, urgent: true });
    },

    checkScalars: ({ curve, plan: { windowBits, windows, isCentred }, weights, ...given }, signal) => {
      const { ofWindows, limbs, reduced } = weights;
      const request = { ...given, windowBits, windows, isCentred, weights: ofWindows, limbs, reduced };
      return makeCheckScalars(pool, curve, request, signal);
    },

    combineRows: ({ curve, group, form }, sums, bits, weights, signal) =>
      pool.call(
        curve,
        'combineRows',
        { group, form, sums, bits, weights, weightBits: WEIGHT_BITS },
        { signal, urgent: true },
      ),
  };
}

/** Points of one job: enough for large windows, few enough that other work soon has its turn. */
const SLICE_POINTS = 1 << 13;

/**
 * Scalars of one job that need no copy: the worker's share where possible, since the coordinator, which hands out the
 * jobs, is busy with the upload to the GPU.
 */
const FEWEST_SCALARS = 1 << 11;
const MOST_SCALARS = 1 << 16;

/** What `checkScalars` of the kernel takes, for all points. */
type CheckScalarsRequest = Omit<CheckScalarsArgs, 'first' | 'stride'>;

/**
 * The check scalars of all points, as the workers make them slice by slice. The caller overwrites them. To gather tens
 * of megabytes in one array would take the coordinator longer than the GPU takes for the MSM.
 */
export async function makeCheckScalars(
  pool: KernelPool,
  curve: CurveId,
  { scalars, batch, ...request }: CheckScalarsRequest,
  signal: AbortSignal | undefined,
): Promise<ScalarPieces> {
  const { scalarBytes } = CURVES[curve];
  const made: { readonly first: number; readonly piece: Uint8Array }[] = [];
  const make = async (slice: BatchScalars, first: number): Promise<void> => {
    const piece = await pool.call(curve, 'checkScalars', { ...request, ...slice, batch, first }, { signal });
    made.push({ first, piece });
  };
  try {
    const share = Math.ceil(scalars.length / scalarBytes / pool.size);
    const own = Math.min(Math.max(share, FEWEST_SCALARS), MOST_SCALARS);
    const elements = isGathered({ scalars, batch }) ? SLICE_ELEMENTS : own;
    await eachBatchSlice(pool, { scalars, batch, scalarBytes }, make, signal, elements);
  } catch (error) {
    wipe(...made.map(({ piece }) => piece));
    throw error;
  }
  const pieces = made.toSorted((one, other) => one.first - other.first).map(({ piece }) => piece);
  const count = Math.max(1, scalars.length / (batch * scalarBytes));
  return { kind: 'pieces', pieces, scalarBytes: pieces.reduce((sum, { length }) => sum + length, 0) / count };
}

/** Prepared points. */
interface MaskedPoints {
  readonly curve: CurveId;
  readonly group: GroupId;
  readonly form: PointForm;
  readonly points: Uint8Array;
}

/** The MSM of points and masks, computed in slices in the background; the results are added up. */
export async function makeMaskSums(
  pool: KernelPool,
  { curve, group, form, points }: MaskedPoints,
  key: Uint8Array,
  signal: AbortSignal | undefined,
): Promise<Uint8Array[]> {
  const bytes = preparedPointBytes(curve, group);
  const count = points.length / bytes;
  const sums: Promise<Uint8Array>[] = [];
  for (let first = 0; first < count; first += SLICE_POINTS) {
    const slice = points.subarray(first * bytes, Math.min(first + SLICE_POINTS, count) * bytes);
    sums.push(pool.call(curve, 'maskSum', { group, form, points: slice, key, first }, { signal, background: true }));
  }
  return Promise.all(sums);
}
