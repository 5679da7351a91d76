import type { CoordinateValue } from '../curves/point-bytes.js';
import type { CallOptions, NumberForm } from './call-options.js';
import type { Report } from './reports.js';
import type { MsmTuning } from './tuning.js';

/** A coordinate: an integer below p, or the two integers c0 and c1 of a coordinate c0 + c1 u in F_p^2. */
export type Coordinate = CoordinateValue;

/** An affine point. The neutral element has zero coordinates, except on Edwards-BLS12, where it is (0, 1). */
export interface MsmPoint {
  /** The coordinate x, canonical. */
  readonly x: Coordinate;
  /** The coordinate y, canonical. */
  readonly y: Coordinate;
  /** Whether it is the neutral element. */
  readonly infinity: boolean;
  /** The point in the boundary form of `BasesRequest.points`. */
  readonly bytes: Uint8Array;
}

/**
 * How an MSM is checked that a GPU has computed alone. GPUs and drivers are sometimes wrong, and a dropped point leaves
 * a result on the curve. A result that fails its check is never returned. MSMs of the workers need no such check, and
 * proofs are verified by pairings instead.
 *
 * - `random`, the default: a random linear combination. The GPU computes a second, shorter MSM over the same bases,
 *   whose scalars the workers derive from the digits of all scalars with secret random weights and masks. A wrong
 *   result that is independent of these passes with probability 2^-40 at most. It protects against faults, not against
 *   a malicious GPU. It costs an MSM of 73-bit scalars per call, whatever the batch size, or a full MSM where bases
 *   have precomputed multiples; and, while bases are loaded, an MSM of 73-bit scalars on the workers. With
 *   `sharedBases: false` it is `recompute`.
 * - `recompute`: the workers compute every MSM as well, concurrently, and the results are compared. It protects against
 *   any GPU. The call takes at least as long as on the workers, which keep a copy of the bases from then on.
 * - `curve`: only that each result is on the curve. It costs next to nothing, and most faults pass. It suits a caller
 *   who verifies what is computed from the results.
 */
export type MsmCheck = 'curve' | 'random' | 'recompute';

/**
 * The former name of `MsmCheck`.
 *
 * @deprecated Removed in the version after 0.1; write `MsmCheck`.
 */
export type SumCheck = MsmCheck;

/** Options of `msm`. */
export interface MsmOptions extends CallOptions {
  /**
   * The most bits of a scalar, from 1 to the bit length of the group's order (ICICLE's `bitsize`). By default it is
   * found from the scalars; if it is given, a scalar of more bits is refused (`INVALID_SCALAR`). MSMs of short scalars
   * have fewer windows.
   *
   * @defaultValue found from the scalars
   */
  readonly bitSize?: number;
  /**
   * The form of the scalars (ICICLE's `are_scalars_montgomery_form`). Each must be below r in either form
   * (`INVALID_SCALAR`). In Montgomery form R is 2^256, on MNT4-753 2^768. `bitSize` bounds the scalars themselves, not
   * what is written.
   *
   * @defaultValue `canonical`
   */
  readonly scalarsForm?: NumberForm;
  /**
   * How the MSM is computed; no choice changes the result.
   *
   * @defaultValue the `tuning` of the bases
   */
  readonly tuning?: MsmTuning;
  /**
   * How the result is checked if a GPU computes it; see `MsmCheck`.
   *
   * @defaultValue `random`
   */
  readonly check?: MsmCheck;
  /**
   * Whether the work must be independent of the scalars; defaults to the prover's option. Without it, scalars that are
   * 0, short or equal make an MSM faster, so that its time reveals something about them. With true each scalar is
   * masked by a secret random number. The MSM of the masked scalars, which are uniform whatever the scalars are, is
   * computed as usual; then a multiple of the MSM of the masks is subtracted. The first such call over loaded bases
   * computes the latter (and again where a GPU's may not be relied on), and takes about twice as long as later ones.
   * Each call takes as long as one with random scalars: `bitSize` bounds the scalars without making the MSM shorter.
   * What time still reveals is in docs/security.md.
   *
   * @defaultValue the prover's option, which is false
   */
  readonly constantWork?: boolean;
  /**
   * With true the scalars are moved instead of copied, and the caller's array is empty afterwards. A view of a part of
   * a buffer is still copied.
   *
   * @defaultValue false
   */
  readonly transfer?: boolean;
}

/** What `msm` gives: the point, and how it was computed. */
export interface MsmResult extends MsmPoint {
  /** What computed it, and how long it took. */
  readonly report: Report;
}

/** Options of `msmBatch`. */
export interface MsmBatchOptions extends MsmOptions {
  /** The number of MSMs in the call, 1 to 65 536. */
  readonly batchSize: number;
  /**
   * With true, every MSM is over all the bases (ICICLE's `are_points_shared_in_batch`). With false each has its own
   * bases: with n = `Bases.count` / `batchSize`, MSM b, from 0 on, takes bases b n to b n + n - 1 and the scalars of
   * the same numbers, so that there are as many scalars as bases. `INVALID_LENGTH` if `batchSize` does not divide their
   * number.
   *
   * @defaultValue true
   */
  readonly sharedBases?: boolean;
}

/** What `msmBatch` gives. */
export interface MsmBatchResult {
  /** The results of the MSMs, in their order. */
  readonly points: readonly MsmPoint[];
  /** The report of the whole call. */
  readonly report: Report;
}
