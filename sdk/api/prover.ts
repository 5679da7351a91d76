/// <reference lib="esnext.disposable" preserve="true" />
import type { Bases, BasesRequest } from './bases.js';
import type { LoadOptions } from './call-options.js';
import type { Groth16 } from './groth16.js';
import type { PerformanceMap, TuneOptions } from './performance-map.js';
import type { Capabilities } from './reports.js';
import type { MsmBatchOptions, MsmBatchResult, MsmOptions, MsmResult } from './sums.js';

/**
 * Loads points and keys, computes multi-scalar multiplications, and makes and verifies proofs; the one object that a wallet holds. Besides
 * the errors that are listed for each method, every method rejects with `ABORTED` when its signal fires, `INVALID_ARGUMENT` for an option of
 * a wrong type, `DISPOSED` when the prover was disposed, and `WORKER_FAILED` when a worker cannot be started or dies too often.
 */
export interface Prover {
  /** The present capabilities. They change when the GPU is lost or gives a wrong result. */
  readonly capabilities: Capabilities;
  /**
   * Checks points and prepares them for multi-scalar multiplications.
   *
   * Rejects with `INVALID_ARGUMENT` for an unknown curve or group, for `points` that are not a source of bytes, or for
   * a `tuning` that is out of range or contradicts itself, `CURVE_MISMATCH` for a group that the curve does not have,
   * `IO_FAILED` when the points cannot be read, `INVALID_LENGTH` when the bytes are not a whole number of points,
   * `INVALID_POINT` for a point that is not on the curve or not in the subgroup (`checkSubgroup`), and `OUT_OF_MEMORY`
   * when the workers cannot hold the points.
   */
  loadBases(request: BasesRequest, options?: LoadOptions): Promise<Bases>;
  /**
   * The multi-scalar multiplication sum k_i P_i. `scalars` holds 32 canonical little-endian bytes for each base.
   *
   * Rejects with `INVALID_ARGUMENT` for `bases` that are not loaded bases, `scalars` that are not bytes, options out of
   * range or an `accumulation` that the GPU does not have, `INVALID_HANDLE` for another prover's bases, `DISPOSED` for
   * disposed bases, `INVALID_LENGTH` when there are not as many scalars as bases, `INVALID_SCALAR` for a scalar that is
   * not below r or has more than `bitSize` bits, `RESULT_INVALID` when no backend gives a result that passes its check,
   * and `OUT_OF_MEMORY` when the work does not fit. When the GPU fails, the call falls back to the workers; only with
   * `backend: 'webgpu'` does it reject instead (also with `DEVICE_LOST`). A GPU that gave a wrong result is not used
   * again: the workers compute later calls, which with `webgpu` the notice `WEBGPU_UNAVAILABLE` reports.
   */
  msm(bases: Bases, scalars: Uint8Array, options?: MsmOptions): Promise<MsmResult>;
  /**
   * `batchSize` multi-scalar multiplications in one call. That is faster than one call for each when a single one is
   * too small to occupy the device. All are over the same bases (ICICLE calls this `sharedBases`). `scalars` holds
   * batchSize * bases.count scalars as in `msm`, in the order of the MSMs. If one result fails its check, all are
   * recomputed.
   *
   * Rejects with the errors of `msm`, and with `INVALID_ARGUMENT` for a `batchSize` out of range.
   */
  msmBatch(bases: Bases, scalars: Uint8Array, options: MsmBatchOptions): Promise<MsmBatchResult>;
  readonly groth16: Groth16;
  /**
   * Measures how fast this device computes MSMs over G1 of several sizes, on its workers and on its GPU, and with which windows and products
   * the GPU is fastest. The map goes to the cache, if there is one, and the next prover plans by it; so it is worth a call once, when the device
   * has nothing else to do. Without a map, plans follow a model of an H200 for every GPU.
   *
   * Rejects with `INVALID_ARGUMENT` for options out of range, and with the errors of `msm`.
   */
  tune(options?: TuneOptions): Promise<PerformanceMap>;
  /** The map that this prover plans with; undefined if there is none. */
  performanceMap(): Promise<PerformanceMap | undefined>;
  /**
   * Resolves when what calls have begun to write to the cache has been written, or was given up with a notice. Calls
   * that load do not wait for it: a page that is closed before it prepares the key once more at the next visit.
   */
  cacheWritten(): Promise<void>;
  /** Deletes everything that Pippin has cached on this device. Rejects with `IO_FAILED` when the storage cannot delete it. */
  clearCache(): Promise<void>;
  /**
   * Ends the workers and frees the GPU. Pending calls reject with `DISPOSED`. What is being written to the cache may
   * end before. Never rejects; idempotent. In Node a prover keeps the process alive only while a call is pending; one
   * that nobody has disposed is disposed when the process has nothing else to do (`beforeExit`).
   */
  dispose(): Promise<void>;
  /** The same as `dispose`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}
