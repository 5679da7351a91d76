/// <reference lib="esnext.disposable" preserve="true" />

import type { ProvingKey, ProvingKeyLoadOptions } from './any-system.js';
import type { Bases, BasesRequest } from './bases.js';
import type { BinarySource, LoadOptions } from './call-options.js';
import type { Fflonk } from './fflonk.js';
import type { Groth16 } from './groth16.js';
import type { Kzg } from './kzg.js';
import type { MsmBatchOptions, MsmBatchResult, MsmOptions, MsmResult } from './msm.js';
import type { PerformanceMap, TuneOptions } from './performance-map.js';
import type { Plonk } from './plonk.js';
import type { Capabilities } from './reports.js';

/**
 * Loads points and keys, computes multi-scalar multiplications (MSMs), and makes and verifies proofs; the one object
 * that a wallet holds. Every method that takes a signal or options can also reject with the errors below.
 *
 * @throws {PippinError} ABORTED when the call's signal fires.
 * @throws {PippinError} INVALID_ARGUMENT for an option of a wrong type or out of range.
 * @throws {PippinError} DISPOSED when the prover was disposed.
 * @throws {PippinError} WORKER_FAILED when a worker cannot be started or dies too often.
 */
export interface Prover {
  /** The present capabilities. They change when the GPU has been opened, is lost or gives a wrong result. */
  readonly capabilities: Capabilities;
  /**
   * Checks points and prepares them for multi-scalar multiplications.
   *
   * @param request the curve, the group and the points, and how they are used.
   * @param options signal, progress, and the limit of a download.
   * @returns the bases, for `msm` and `msmBatch` of this prover. Dispose them when they are no longer needed.
   * @throws {PippinError} INVALID_ARGUMENT for an unknown curve or group, for `points` that are not a source of bytes,
   * or for a `tuning` that is out of range or contradicts itself.
   * @throws {PippinError} CURVE_MISMATCH for a group that the curve does not have.
   * @throws {PippinError} IO_FAILED when the points cannot be read.
   * @throws {PippinError} DOWNLOAD_TOO_LARGE when their download exceeds `maxBytes`.
   * @throws {PippinError} INVALID_LENGTH when the bytes are not a whole number of points.
   * @throws {PippinError} INVALID_POINT for a point that is not on the curve or not in the subgroup (`checkSubgroup`).
   * @throws {PippinError} OUT_OF_MEMORY when the workers cannot hold the points.
   * @example
   * ```js run
   * import { createProver } from 'pippin-prover';
   *
   * const prover = await createProver();
   * // The generator (1, 2) of BN254's G1: x, then y, little-endian in 32 bytes each.
   * const points = new Uint8Array(64);
   * points.set([1], 0);
   * points.set([2], 32);
   * const bases = await prover.loadBases({ curve: 'bn254', points });
   * console.log(`${bases.count} point of ${bases.group}, cached: ${bases.report.cached}`);
   * await prover.dispose();
   * ```
   */
  loadBases(request: BasesRequest, options?: LoadOptions): Promise<Bases>;
  /**
   * The multi-scalar multiplication Q = sum k_i P_i over all bases. When the GPU fails, the call falls back to the
   * workers; only with `backend: 'webgpu'` does it reject instead. A GPU that gave a wrong result is not used again:
   * the workers compute later calls, which with `webgpu` the notice `WEBGPU_UNAVAILABLE` reports.
   *
   * @param bases what `loadBases` of this prover gave.
   * @param scalars as many scalars as there are bases, one after another, little-endian in 32 bytes each (96 on
   * MNT4-753), each below the group's order r.
   * @param options how it is computed and checked.
   * @returns the affine point, as integers and as bytes, and a report.
   * @throws {PippinError} INVALID_ARGUMENT for `bases` that are not loaded bases, `scalars` that are not bytes, options
   * out of range, or an `accumulation` that the GPU does not have.
   * @throws {PippinError} INVALID_HANDLE for bases of another prover.
   * @throws {PippinError} DISPOSED for disposed bases, or a disposed prover.
   * @throws {PippinError} INVALID_LENGTH when there are not as many scalars as bases.
   * @throws {PippinError} INVALID_SCALAR for a scalar that is not below r or has more than `bitSize` bits.
   * @throws {PippinError} RESULT_INVALID when no backend gives a result that passes its check.
   * @throws {PippinError} OUT_OF_MEMORY when the work does not fit.
   * @throws {PippinError} DEVICE_LOST when the GPU fails and `backend` is `webgpu`.
   * @example
   * ```js run
   * import { createProver } from 'pippin-prover';
   *
   * const prover = await createProver();
   * // Twice the generator (1, 2) of BN254's G1, with the scalars 3 and 4: the result is 7 times the generator.
   * const points = new Uint8Array(2 * 64);
   * const scalars = new Uint8Array(2 * 32);
   * for (const i of [0, 1]) {
   *   points.set([1], 64 * i);
   *   points.set([2], 64 * i + 32);
   *   scalars.set([3 + i], 32 * i);
   * }
   * const bases = await prover.loadBases({ curve: 'bn254', points });
   * const { x, y, report } = await prover.msm(bases, scalars);
   * console.log(`(${x}, ${y}) in ${Math.round(report.ms.total)} ms`);
   * await prover.dispose();
   * ```
   */
  msm(bases: Bases, scalars: Uint8Array, options?: MsmOptions): Promise<MsmResult>;
  /**
   * `batchSize` multi-scalar multiplications in one call. That is faster than one call for each when a single one is
   * too small to occupy the device. If one result fails its check, all are recomputed. It rejects with the errors of
   * `msm`.
   *
   * @param bases what `loadBases` of this prover gave. All MSMs are over all of them, unless `sharedBases` is false.
   * @param scalars `batchSize * bases.count` scalars as in `msm`, in the order of the MSMs; with `sharedBases: false`,
   * one for each base.
   * @param options the number of MSMs, and how they are computed and checked.
   * @returns the points in the order of the MSMs, and one report.
   * @throws {PippinError} INVALID_ARGUMENT for a `batchSize` out of range, and as in `msm`.
   * @throws {PippinError} INVALID_LENGTH when the number of scalars is another, or `batchSize` does not divide the
   * number of bases that are not shared.
   * @throws {PippinError} INVALID_HANDLE for bases of another prover.
   * @throws {PippinError} INVALID_SCALAR for a scalar that is not below r or has more than `bitSize` bits.
   * @throws {PippinError} RESULT_INVALID when no backend gives results that pass their check.
   * @throws {PippinError} OUT_OF_MEMORY when the work does not fit.
   * @throws {PippinError} DEVICE_LOST when the GPU fails and `backend` is `webgpu`.
   * @example
   * ```js run
   * import { createProver } from 'pippin-prover';
   *
   * const prover = await createProver();
   * const points = new Uint8Array(64); // The generator (1, 2) of BN254's G1.
   * points.set([1], 0);
   * points.set([2], 32);
   * const bases = await prover.loadBases({ curve: 'bn254', points });
   * const scalars = new Uint8Array(3 * 32);
   * scalars.set([5], 0);
   * scalars.set([6], 32);
   * scalars.set([7], 64);
   * const { points: multiples } = await prover.msmBatch(bases, scalars, { batchSize: 3 });
   * console.log(multiples.map(({ x }) => x));
   * await prover.dispose();
   * ```
   */
  msmBatch(bases: Bases, scalars: Uint8Array, options: MsmBatchOptions): Promise<MsmBatchResult>;
  /**
   * Loads a `.zkey` of any proof system that this prover has: `prover.groth16`, `prover.plonk` or `prover.fflonk`
   * proves with it, as its `protocol` says.
   *
   * @param zkey the file's bytes, or where to read them.
   * @param options what the key must be, and how it is loaded.
   * @returns the key.
   * @throws {PippinError} UNSUPPORTED_FORMAT for a proof system that Pippin does not have.
   * @throws {PippinError} IO_FAILED when the key cannot be read, and the other errors of `loadKey` of the proof
   * systems.
   * @example
   * ```js run
   * import { readFile } from 'node:fs/promises';
   * import { createProver } from 'pippin-prover';
   *
   * const prover = await createProver();
   * const inputs = JSON.parse(await readFile('input.json', 'utf8'));
   * const key = await prover.loadKey('note.plonk.zkey');
   * if (key.protocol !== 'plonk') throw new Error(`expected a key of PLONK, got ${key.protocol}`);
   * const { proof } = await prover.plonk.fullProve(key, inputs, 'note.wasm');
   * console.log(proof.protocol);
   * await prover.dispose();
   * ```
   */
  loadKey(zkey: BinarySource | readonly BinarySource[], options?: ProvingKeyLoadOptions): Promise<ProvingKey>;
  /** Groth16 proofs with the files of snarkjs. */
  readonly groth16: Groth16;
  /** PLONK proofs with the files of snarkjs. */
  readonly plonk: Plonk;
  /** FFLONK proofs with the files of snarkjs. */
  readonly fflonk: Fflonk;
  /** KZG polynomial commitments, with the powers of tau of a set-up. */
  readonly kzg: Kzg;
  /**
   * Measures how fast this device computes MSMs over G1 of several sizes, on its workers and on its GPU, and with which
   * windows and products the GPU is fastest. The map goes to the cache, if there is one, and the next prover plans by
   * it; so it is worth a call once, when the device has nothing else to do. With a map and `backend: 'auto'`, the
   * number, size and density of an MSM's scalars decide whether the GPU or the workers compute it. Without a map, plans
   * follow a model of an H200 for every GPU. It rejects with the errors of `msm` as well.
   *
   * @param options the curves, and how long to measure.
   * @returns the map, plain data that can be kept as JSON and given to `createProver`.
   * @throws {PippinError} INVALID_ARGUMENT for options out of range.
   * @throws {PippinError} OUT_OF_MEMORY when the work does not fit.
   * @example
   * ```js run
   * import { createProver } from 'pippin-prover';
   *
   * const prover = await createProver();
   * const map = await prover.tune({ maxMs: 500 });
   * for (const { points, ms } of map.workers.rows) console.log(`${points} points: ${ms.toFixed(1)} ms on the workers`);
   * await prover.dispose();
   * ```
   */
  tune(options?: TuneOptions): Promise<PerformanceMap>;
  /**
   * The performance map that this prover plans with: the one that it was given, or the one that `tune` left in the
   * cache. Without `tune` a prover with a cache compares the kinds of field product of a GPU while no call is pending,
   * and leaves a map without rows.
   *
   * @returns the map; undefined if there is none.
   * @throws {PippinError} DISPOSED when the prover was disposed.
   * @example
   * ```js run
   * import { createProver } from 'pippin-prover';
   *
   * const prover = await createProver();
   * const map = await prover.performanceMap();
   * console.log(map === undefined ? 'not measured yet' : `measured on ${map.made}`);
   * await prover.dispose();
   * ```
   */
  performanceMap(): Promise<PerformanceMap | undefined>;
  /**
   * Resolves when what calls have begun to write to the cache has been written, or was given up with a notice. Calls
   * that load do not wait for it: a page that is closed before it prepares the key once more at the next visit.
   *
   * @returns fulfilled when nothing is being written.
   * @throws {PippinError} DISPOSED when the prover was disposed.
   * @example
   * ```js run
   * import { createProver } from 'pippin-prover';
   *
   * const prover = await createProver();
   * await prover.groth16.loadKey('note.zkey');
   * await prover.cacheWritten();
   * console.log('a later visit finds the prepared key');
   * await prover.dispose();
   * ```
   */
  cacheWritten(): Promise<void>;
  /**
   * Deletes everything that Pippin has cached on this device.
   *
   * @returns when it is deleted.
   * @throws {PippinError} IO_FAILED when the storage cannot delete it.
   * @throws {PippinError} DISPOSED when the prover was disposed.
   * @example
   * ```js run
   * import { createProver } from 'pippin-prover';
   *
   * const prover = await createProver({ cache: { directory: './proving-cache' } });
   * await prover.clearCache();
   * console.log('nothing is cached');
   * await prover.dispose();
   * ```
   */
  clearCache(): Promise<void>;
  /**
   * Ends the workers and frees the GPU. Pending calls reject with `DISPOSED`. What is being written to the cache may
   * end before. In Node a prover keeps the process alive only while a call is pending; one that nobody has disposed is
   * disposed when the process has nothing else to do (`beforeExit`). Never rejects; idempotent.
   *
   * @returns when everything is freed.
   * @example
   * ```js run
   * import { createProver } from 'pippin-prover';
   *
   * const prover = await createProver();
   * try {
   *   console.log(prover.capabilities.threads, 'workers');
   * } finally {
   *   await prover.dispose();
   * }
   * ```
   */
  dispose(): Promise<void>;
  /** The same as `dispose`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}
