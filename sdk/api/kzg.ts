import type { CurveId } from '../curves/index.js';
import type { BinarySource, CallOptions, LoadOptions, NumberForm } from './call-options.js';
import type { MsmCheck, MsmPoint } from './msm.js';
import type { Report } from './reports.js';
import type { LoadTuning, Precompute } from './tuning.js';

/** What a verifier of KZG openings needs. A loaded `KzgSrs` is one; it can also be written down as plain data. */
export interface KzgVerificationKey {
  /** The curve, `bn254` or `bls12-381`. */
  readonly curve: CurveId;
  /** tau times the generator of G2, in the boundary form of `BasesRequest.points`: 128 or 192 bytes. */
  readonly tauG2: Uint8Array;
}

/** Powers of tau as points, where they are not in a .ptau file. */
export interface KzgPoints extends KzgVerificationKey {
  /**
   * tau^0, tau^1, .. times the generator of G1, one after another, in the form of `BasesRequest.points`: the first is
   * the generator itself.
   */
  readonly g1: BinarySource;
  /**
   * The form of the coordinates of `g1` and `tauG2`.
   *
   * @defaultValue `canonical`
   */
  readonly pointsForm?: NumberForm;
}

/** Options of `Kzg.loadSrs`. */
export interface KzgSrsLoadOptions extends LoadOptions {
  /**
   * How many powers are loaded, from 2 on: polynomials have at most so many coefficients. Only these are read and
   * checked. An MSM over more powers than a polynomial has coefficients costs little time, but memory.
   *
   * @defaultValue 2^k of a .ptau file of power k, which has 2^(k+1) - 1; all points that are given
   */
  readonly size?: number;
  /**
   * The curve that a .ptau file must be over (`CURVE_MISMATCH`).
   *
   * @defaultValue any
   */
  readonly curve?: CurveId;
  /**
   * With true, all points are checked to be the powers of one tau, by a random linear combination with coefficients of
   * 128 bits and a pairing: two MSMs over the points. Points in the cache have passed the check and are not checked
   * again. With false, only the first two are compared with `tauG2`; with others behind them openings do not verify.
   *
   * @defaultValue true
   */
  readonly checkPowers?: boolean;
  /**
   * The SHA-256 of the file, as 64 hexadecimal digits (`KEY_MISMATCH` for another one); see `AnyKeyLoadOptions`. The
   * whole file is read. With points it is the hash of `g1`.
   *
   * @defaultValue not checked
   */
  readonly sha256?: string;
  /**
   * Precomputed multiples, which make later MSMs faster; see `Precompute`.
   *
   * @defaultValue 1
   */
  readonly precompute?: Precompute;
  /**
   * How the MSMs of commitments and openings are computed.
   *
   * @defaultValue chosen for the device
   */
  readonly tuning?: LoadTuning;
}

/** A loaded structured reference string (SRS). Only the prover that loaded it can commit and open with it. */
export interface KzgSrs extends KzgVerificationKey {
  /** The number of powers: a polynomial has at most so many coefficients. */
  readonly size: number;
  /** How it was loaded; its `cached` says whether the prepared points came from the cache. */
  readonly report: Report;
  /**
   * Frees the memory of the powers. Later commitments and openings with it reject with `DISPOSED`; it still verifies.
   * Idempotent.
   *
   * @returns when it is freed.
   * @throws {PippinError} WORKER_FAILED when the prover's coordinator has died.
   * @throws {PippinError} DISPOSED when the prover is disposed meanwhile.
   * @example
   * ```js
   * const srs = await prover.kzg.loadSrs('/keys/powersOfTau28_hez_final_16.ptau', { size: 4096 });
   * const { commitment } = await prover.kzg.commit(srs, polynomial);
   * await srs.dispose();
   * ```
   */
  dispose(): Promise<void>;
}

/** Options of `Kzg.commit`, `Kzg.commitBatch` and `Kzg.open`. */
export interface KzgOptions extends CallOptions {
  /**
   * How an MSM is checked if a GPU computes it; see `MsmCheck`.
   *
   * @defaultValue `random`
   */
  readonly check?: MsmCheck;
  /**
   * Whether the work must be independent of the coefficients; see `MsmOptions.constantWork`.
   *
   * @defaultValue the prover's option, which is false
   */
  readonly constantWork?: boolean;
}

/**
 * Options of `Kzg.openBatch`. Either `commitments` or `challenge` must be given: the polynomials are combined with the
 * powers of a challenge gamma, which must be unknown until they are fixed.
 */
export interface KzgOpenBatchOptions extends KzgOptions {
  /**
   * The commitments to the polynomials. gamma is then derived by the Fiat-Shamir transform: the Keccak-256 hash of k,
   * z, the k commitments, and the k values, as a big-endian number modulo r. Each number has 32 bytes, a point is x and
   * y, all big-endian.
   *
   * @defaultValue none; needed without `challenge`
   */
  readonly commitments?: readonly KzgPoint[];
  /**
   * gamma itself, from 1 to r - 1, where the caller's protocol derives it. It must depend on the commitments, the point
   * and the values.
   *
   * @defaultValue derived from the `commitments`
   */
  readonly challenge?: bigint;
}

/** A point of G1: its bytes in the boundary form, or a point that a prover gave. */
export type KzgPoint = Uint8Array | Pick<MsmPoint, 'bytes'>;

/** The claim that the polynomial behind a commitment has a value at a point, and its proof. */
export interface KzgOpening {
  /** The commitment to the polynomial. */
  readonly commitment: KzgPoint;
  /** The point z, from 0 to r - 1. */
  readonly point: bigint;
  /** The value at z. */
  readonly value: bigint;
  /** The commitment to (p(X) - p(z)) / (X - z). */
  readonly proof: KzgPoint;
}

/** The same for several polynomials at one point, with one proof. */
export interface KzgBatchOpening {
  /** The commitments to the polynomials, at least one. */
  readonly commitments: readonly KzgPoint[];
  /** The point z, from 0 to r - 1. */
  readonly point: bigint;
  /** The value of each polynomial at z. */
  readonly values: readonly bigint[];
  /** What `Kzg.openBatch` gave. */
  readonly proof: KzgPoint;
  /**
   * gamma, if it was given to `openBatch`.
   *
   * @defaultValue derived from the commitments, the point and the values
   */
  readonly challenge?: bigint;
}

/** What `Kzg.commit` gives. */
export interface KzgCommitResult {
  /** The commitment, a point of G1. */
  readonly commitment: MsmPoint;
  /** What computed it, and how long it took. */
  readonly report: Report;
}

/** What `Kzg.commitBatch` gives. */
export interface KzgCommitBatchResult {
  /** The commitments, in the order of the polynomials. */
  readonly commitments: readonly MsmPoint[];
  /** The report of the whole call. */
  readonly report: Report;
}

/** What `Kzg.open` gives. */
export interface KzgOpenResult {
  /** The polynomial's value at the point. */
  readonly value: bigint;
  /** The proof, a point of G1. */
  readonly proof: MsmPoint;
  /** What computed it, and how long it took. */
  readonly report: Report;
}

/** What `Kzg.openBatch` gives. */
export interface KzgOpenBatchResult {
  /** The value of each polynomial at the point. */
  readonly values: readonly bigint[];
  /** The proof for all of them, a point of G1. */
  readonly proof: MsmPoint;
  /** What computed it, and how long it took. */
  readonly report: Report;
}

/**
 * KZG polynomial commitments (Kate, Zaverucha, Goldberg, "Constant-size commitments to polynomials and their
 * applications", 2010) over BN254 and BLS12-381: what PLONK commits with, for protocols of your own. A polynomial is
 * its coefficients from the lowest, each little-endian in 32 bytes and below r. A commitment does not hide its
 * polynomial: one that can be guessed can be recognised. Every method can also reject with the errors below.
 *
 * @throws {PippinError} ABORTED when the call's signal fires.
 * @throws {PippinError} INVALID_ARGUMENT for an argument or option of a wrong type or out of range.
 * @throws {PippinError} DISPOSED when the prover or the SRS was disposed.
 * @throws {PippinError} WORKER_FAILED when a worker cannot be started or dies too often.
 */
export interface Kzg {
  /**
   * Loads the powers of tau of a set-up: of a .ptau file of snarkjs, prepared for phase 2 or not, or as points. Of a
   * file only the header, the first `size` powers in G1 and the second in G2 are read. They are checked: the points are
   * on their curve and in the subgroup of prime order, the first is the generator, the tau in G1 is the tau in G2, and
   * all are powers of it (`checkPowers`). Nobody can check that the secret tau was destroyed.
   *
   * @param source the file's bytes, or where to read them; or points.
   * @param options how many powers are loaded, and how.
   * @returns the SRS. Dispose it when it is no longer needed.
   * @throws {PippinError} MALFORMED_FILE for anything that is not a .ptau file, or with fewer powers than it says, or
   * whose points are not powers of one tau.
   * @throws {PippinError} INVALID_LENGTH for fewer than `size` powers, or bytes that are not a whole number of points.
   * @throws {PippinError} CURVE_MISMATCH for another curve than expected, or one without a pairing here.
   * @throws {PippinError} INVALID_POINT for a point that is not on its curve or not in the subgroup.
   * @throws {PippinError} KEY_MISMATCH for a file with another SHA-256.
   * @throws {PippinError} IO_FAILED when the source cannot be read.
   * @throws {PippinError} DOWNLOAD_TOO_LARGE when its download exceeds `maxBytes`.
   * @throws {PippinError} OUT_OF_MEMORY when the workers cannot hold the points.
   * @example
   * ```js
   * const srs = await prover.kzg.loadSrs('/keys/powersOfTau28_hez_final_16.ptau', { size: 4096 });
   * console.log(srs.curve, `polynomials of degree up to ${srs.size - 1}`);
   * ```
   */
  loadSrs(source: BinarySource | KzgPoints, options?: KzgSrsLoadOptions): Promise<KzgSrs>;
  /**
   * Commits to a polynomial p: the point p(tau) G1, an MSM over the powers. It is computed, checked and repeated after
   * a failure as in `Prover.msm`.
   *
   * @param srs what `loadSrs` of this prover gave.
   * @param polynomial the coefficients, at most `srs.size`; none are the zero polynomial.
   * @param options how it is computed and checked.
   * @returns the commitment and a report.
   * @throws {PippinError} INVALID_LENGTH for too many coefficients, or bytes that are not a whole number of them.
   * @throws {PippinError} INVALID_SCALAR for a coefficient that is not below r.
   * @throws {PippinError} INVALID_HANDLE for an SRS of another prover.
   * @throws {PippinError} RESULT_INVALID when no backend gives a result that passes its check.
   * @throws {PippinError} OUT_OF_MEMORY when the work does not fit.
   * @throws {PippinError} DEVICE_LOST when the GPU fails and `backend` is `webgpu`.
   * @example
   * ```js
   * const linear = new Uint8Array(2 * 32);
   * linear.set([5], 0);
   * linear.set([1], 32); // X + 5
   * const { commitment } = await prover.kzg.commit(srs, linear);
   * console.log(commitment.x, commitment.y);
   * ```
   */
  commit(srs: KzgSrs, polynomial: Uint8Array, options?: KzgOptions): Promise<KzgCommitResult>;
  /**
   * Commits to several polynomials, which may have different degrees, in one call. It rejects with the errors of
   * `commit`.
   *
   * @param srs what `loadSrs` of this prover gave.
   * @param polynomials their coefficients; an empty list gives no commitments.
   * @param options how they are computed and checked.
   * @returns the commitments, in their order, and a report.
   * @throws {PippinError} INVALID_LENGTH for too many coefficients, or bytes that are not a whole number of them.
   * @throws {PippinError} INVALID_SCALAR for a coefficient that is not below r.
   * @example
   * ```js
   * const { commitments } = await prover.kzg.commitBatch(srs, [polynomial, new Uint8Array(32)]);
   * console.log(commitments.length);
   * ```
   */
  commitBatch(srs: KzgSrs, polynomials: readonly Uint8Array[], options?: KzgOptions): Promise<KzgCommitBatchResult>;
  /**
   * Opens a polynomial p at a point z: its value p(z), and as a proof the commitment to (p(X) - p(z)) / (X - z). It
   * rejects with the errors of `commit`.
   *
   * @param srs what `loadSrs` of this prover gave.
   * @param polynomial the coefficients.
   * @param point z, from 0 to r - 1.
   * @param options how it is computed and checked.
   * @returns the value, the proof and a report.
   * @throws {PippinError} INVALID_LENGTH for too many coefficients, or bytes that are not a whole number of them.
   * @throws {PippinError} INVALID_SCALAR for a coefficient or a point that is not below r.
   * @example
   * ```js
   * const { value, proof } = await prover.kzg.open(srs, polynomial, 7n);
   * console.log(value, proof.bytes);
   * ```
   */
  open(srs: KzgSrs, polynomial: Uint8Array, point: bigint, options?: KzgOptions): Promise<KzgOpenResult>;
  /**
   * Opens several polynomials p_i at one point z with one proof: of p_0 + gamma p_1 + gamma^2 p_2 + .., for a challenge
   * gamma. It takes one MSM, whatever their number. It rejects with the errors of `commit`.
   *
   * @param srs what `loadSrs` of this prover gave.
   * @param polynomials their coefficients; at least one.
   * @param point z, from 0 to r - 1.
   * @param options the commitments or the challenge, and how it is computed and checked.
   * @returns the values, in the order of the polynomials, the proof and a report.
   * @throws {PippinError} INVALID_LENGTH for no polynomials, another number of commitments, too many coefficients, or
   * bytes that are not a whole number of them.
   * @throws {PippinError} INVALID_SCALAR for a coefficient, a point or a challenge that is not below r.
   * @example
   * ```js
   * const polynomials = [polynomial, new Uint8Array(32)];
   * const { commitments } = await prover.kzg.commitBatch(srs, polynomials);
   * const { values, proof } = await prover.kzg.openBatch(srs, polynomials, 7n, { commitments });
   * const holds = await prover.kzg.verify(srs, { commitments, point: 7n, values, proof });
   * ```
   */
  openBatch(
    srs: KzgSrs,
    polynomials: readonly Uint8Array[],
    point: bigint,
    options: KzgOpenBatchOptions,
  ): Promise<KzgOpenBatchResult>;
  /**
   * Whether an opening holds, by a product of two pairings. It does not hold if a commitment or the proof is not a
   * point of the subgroup of prime order, or a value is not from 0 to r - 1.
   *
   * @param key a loaded SRS of any prover, disposed or not, or its curve and `tauG2`.
   * @param opening what the prover claims: of one polynomial, or of several at one point.
   * @param options signal and progress.
   * @returns true if it holds, else false.
   * @throws {PippinError} INVALID_LENGTH for points of another length, or not as many values as commitments.
   * @throws {PippinError} INVALID_POINT for a `tauG2` that is not in the subgroup, or infinity.
   * @throws {PippinError} INVALID_SCALAR for a point z or a challenge that is not from 0 to r - 1.
   * @throws {PippinError} CURVE_MISMATCH for a curve without a pairing here.
   * @example
   * ```js
   * const { commitment } = await prover.kzg.commit(srs, polynomial);
   * const { value, proof } = await prover.kzg.open(srs, polynomial, 7n);
   * const holds = await prover.kzg.verify(srs, { commitment, point: 7n, value, proof });
   * ```
   */
  verify(key: KzgVerificationKey, opening: KzgOpening | KzgBatchOpening, options?: CallOptions): Promise<boolean>;
  /**
   * Whether all of several openings hold, at any points and of any commitments, by one product of two pairings: their
   * random linear combination, with coefficients of 128 bits that are drawn for the call (as in EIP-4844's batch
   * verification, which derives them). With one that does not hold, it gives true with probability 2^-128 at most. It
   * rejects with the errors of `verify`.
   *
   * @param key a loaded SRS of any prover, disposed or not, or its curve and `tauG2`.
   * @param openings what the prover claims; an empty list holds.
   * @param options signal and progress.
   * @returns true if all hold, else false.
   * @throws {PippinError} INVALID_LENGTH for points of another length, or not as many values as commitments.
   * @throws {PippinError} INVALID_SCALAR for a point z or a challenge that is not from 0 to r - 1.
   * @example
   * ```js
   * const { commitment } = await prover.kzg.commit(srs, polynomial);
   * const one = await prover.kzg.open(srs, polynomial, 7n);
   * const two = await prover.kzg.open(srs, polynomial, 8n);
   * const holds = await prover.kzg.verifyBatch(srs, [
   *   { commitment, point: 7n, value: one.value, proof: one.proof },
   *   { commitment, point: 8n, value: two.value, proof: two.proof },
   * ]);
   * ```
   */
  verifyBatch(
    key: KzgVerificationKey,
    openings: readonly (KzgOpening | KzgBatchOpening)[],
    options?: CallOptions,
  ): Promise<boolean>;
}
