import type { CurveId, GroupId } from '../curves/index.js';
import type { BinarySource, NumberForm } from './call-options.js';
import type { Report } from './reports.js';
import type { LoadTuning, Precompute } from './tuning.js';

/** Which points `loadBases` is to load. */
export interface BasesRequest {
  /** The curve that the points are on. */
  readonly curve: CurveId;
  /**
   * The group that the points are of.
   *
   * @defaultValue `g1`
   */
  readonly group?: GroupId;
  /**
   * Affine points: x, then y, each little-endian in 32 (BN254, Edwards-BLS12, Grumpkin), 48 (BLS12-377, BLS12-381) or
   * 96 bytes (MNT4-753). A point of G2 is c0 and c1 of x, then c0 and c1 of y. The neutral element is all zero. On
   * Edwards-BLS12 they are points of the Edwards form, and (0, 1) is accepted as the neutral element, too.
   *
   * Each point must be on the curve and in the subgroup of prime order (`INVALID_POINT`); see `checkSubgroup`.
   */
  readonly points: BinarySource;
  /**
   * With true, all points are checked to lie in the subgroup of prime order, by a random linear combination, which
   * misses a point outside of it with probability 2^-40 at most. On BN254, Grumpkin and MNT4-753 every point of G1 lies
   * in it; elsewhere the check takes a quarter to two fifths of the time of an MSM over the points. Points in the cache
   * have passed the check and are not checked again. With false, points outside of the subgroup give meaningless
   * results.
   *
   * @defaultValue true
   */
  readonly checkSubgroup?: boolean;
  /**
   * The form of the coordinates (ICICLE's `are_points_montgomery_form`). Each must be below p in either form.
   *
   * @defaultValue `canonical`
   */
  readonly pointsForm?: NumberForm;
  /**
   * Precomputed multiples, which make later MSMs faster; see `Precompute`.
   *
   * @defaultValue 1
   */
  readonly precompute?: Precompute;
  /**
   * How MSMs over these bases are computed, where a call names nothing else.
   *
   * @defaultValue chosen for the device
   */
  readonly tuning?: LoadTuning;
  /**
   * A name of the caller's choice, which `Bases.id` repeats. The cache does not use it: it finds points by their
   * contents.
   *
   * @defaultValue undefined
   */
  readonly id?: string;
}

/** Loaded bases. Only the prover that loaded them can use them. */
export interface Bases {
  /** The curve that the points are on. */
  readonly curve: CurveId;
  /** The group that they are of. */
  readonly group: GroupId;
  /** The name that the caller gave them. */
  readonly id: string | undefined;
  /** The number of points, and so of the scalars that `msm` expects. */
  readonly count: number;
  /** How they were loaded; its `cached` says whether they came from the cache. */
  readonly report: Report;
  /**
   * Frees the memory of the bases. Later calls with them reject with `DISPOSED`. Idempotent.
   *
   * @returns when it is freed.
   * @throws {PippinError} WORKER_FAILED when the prover's coordinator has died.
   * @throws {PippinError} DISPOSED when the prover is disposed meanwhile.
   * @example
   * ```js
   * const bases = await prover.loadBases({ curve: 'bn254', points });
   * const result = await prover.msm(bases, scalars);
   * await bases.dispose();
   * ```
   */
  dispose(): Promise<void>;
}
