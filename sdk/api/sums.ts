import type { CoordinateValue } from '../curves/point-bytes.js';
import type { CallOptions, NumberForm } from './call-options.js';
import type { Report } from './reports.js';
import type { MsmTuning } from './tuning.js';

/** A coordinate: an integer below p, or the two integers c0 and c1 of a coordinate c0 + c1 u in F_p^2. */
export type Coordinate = CoordinateValue;

/** An affine point. The neutral element has zero coordinates, except on Edwards-BLS12, where it is (0, 1). */
export interface MsmPoint {
  readonly x: Coordinate;
  readonly y: Coordinate;
  /** Whether it is the neutral element. */
  readonly infinity: boolean;
  /** The point in the boundary form of `BasesRequest.points`. */
  readonly bytes: Uint8Array;
}

/**
 * How sums are checked that a GPU has computed by itself. GPUs and drivers are sometimes wrong, and a dropped point leaves a result that is on
 * the curve. A sum that fails its check is never returned. Sums of the workers are not checked further. Proofs need no such check: they are
 * verified by pairings before they are returned.
 *
 * - `random`, the default: the GPU computes one more, shorter sum over the same bases, whose scalars the workers make from the digits of all
 *   scalars with secret random weights and masks. A wrong result that does not depend on these passes with probability 2^-40 at most. It holds
 *   against faults, not against a GPU that is malicious. The price is a sum of 73-bit scalars for a call, however large its batch, or a whole sum
 *   where bases have multiples; and, while bases are loaded, a sum of 73-bit scalars on the workers. With `sharedBases: false` it is `recompute`.
 * - `recompute`: the workers compute all sums as well, at the same time, and the results are compared. It holds against any GPU. The call takes
 *   at least as long as on the workers, which keep a copy of the bases from then on.
 * - `curve`: only that each result is on the curve. It costs hardly anything, and most faults pass. It suits a caller who verifies
 *   what is made of the sums.
 */
export type SumCheck = 'curve' | 'random' | 'recompute';

export interface MsmOptions extends CallOptions {
  /**
   * The most bits that a scalar has, 1 to those of the group's order (ICICLE's `bitsize`). It is found when it is left out; given, a scalar of
   * more bits is refused (`INVALID_SCALAR`). Sums of short scalars have fewer windows.
   */
  readonly bitSize?: number;
  /**
   * The form of the scalars (ICICLE's `are_scalars_montgomery_form`), by default `canonical`. Each must be below r in either form
   * (`INVALID_SCALAR`). In Montgomery form R is 2^256, on MNT4-753 2^768. `bitSize` bounds the scalars themselves, not what is written.
   */
  readonly scalarsForm?: NumberForm;
  readonly tuning?: MsmTuning;
  /** How the result is checked if a GPU computes it; see `SumCheck`. Default `random`. */
  readonly check?: SumCheck;
  /**
   * Whether the work must not depend on the scalars; by default what the prover's option says. Otherwise scalars that are 0, short or equal make a
   * sum faster, so that its time tells something about them. With true each of them is masked by a secret random number, and the sum of the
   * masked ones, which are uniform whatever the scalars are, is computed in the usual way; a multiple of the sum of the masks is then
   * subtracted, which the first such call over loaded bases computes (and again if a GPU's may not be relied on). So that call takes about
   * twice as long as later ones, and each takes as long as one of random scalars. `bitSize` bounds the scalars, but does not make the sum shorter.
   * What time still tells is in docs/security.md.
   */
  readonly constantWork?: boolean;
}

export interface MsmResult extends MsmPoint {
  readonly report: Report;
}

export interface MsmBatchOptions extends MsmOptions {
  /** The number of multiplications in the call, 1 to 65 536. */
  readonly batchSize: number;
  /**
   * Default true: every multiplication is over all the bases (ICICLE's `are_points_shared_in_batch`). With false each has bases of its own: with
   * n = `Bases.count` / `batchSize`, multiplication b, from 0 on, takes the bases b n to b n + n - 1 and the scalars of the same numbers, so that
   * there are as many scalars as bases. `INVALID_LENGTH` if `batchSize` does not divide their number.
   */
  readonly sharedBases?: boolean;
}

export interface MsmBatchResult {
  /** The result of each multiplication, in their order. */
  readonly points: readonly MsmPoint[];
  /** The report of the whole call. */
  readonly report: Report;
}
