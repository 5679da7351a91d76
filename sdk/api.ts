import type { CurveId, GroupId } from './curves/index.js';
import type { CoordinateValue } from './field/point-bytes.js';
import type { Executor, Notice, ProgressListener, ProofPart, Span } from './progress.js';

/** Bytes, or where to read them. A string or URL is fetched; in Node a string that is no URL is a file's path. */
export type BinarySource = Uint8Array | ArrayBuffer | Blob | URL | string;

/**
 * Who may compute. `auto` uses the GPU where there is a usable one and says so where there is none; a software adapter, which is slower
 * than the workers, it leaves alone. `webgpu` insists on WebGPU, on a software adapter too. `wasm` uses the workers alone.
 */
export type BackendChoice = 'auto' | 'webgpu' | 'wasm';

/** The WASM modules. Each curve has two: one for every machine, and a faster one (`-fma`) for machines whose relaxed SIMD has fused multiply-add. */
export type WasmModuleName = CurveId | `${CurveId}-fma`;

/** Where the files lie that the package loads by URL, for callers whose bundler does not find them. */
export interface AssetUrls {
  readonly coordinator?: string | URL;
  readonly kernel?: string | URL;
  readonly witness?: string | URL;
  /**
   * The WASM of a curve: its URL, or the compiled module itself. If only the module without `-fma` is given, machines that could run the
   * faster one use it, too.
   */
  readonly wasm?: Partial<Readonly<Record<WasmModuleName, string | URL | WebAssembly.Module>>>;
}

export interface ProverOptions {
  /** Default `auto`. `webgpu` without a usable adapter is the error `WEBGPU_UNAVAILABLE`. */
  readonly backend?: BackendChoice;
  /** Kernel workers, 1 to 64; by default what the machine reports, at most 16. */
  readonly threads?: number;
  /**
   * Whether prepared bases are kept on this device, so that a key loads faster the next time. Default true: in IndexedDB in a page, in a
   * folder of the user's cache directory in Node, or in the folder named here.
   *
   * The cache is trusted for the prepared points alone. A key's facts, its header points and its constraints come from the key's file at
   * every load, and points at infinity are compared with the file; a record that does not fit is prepared again (`CACHE_DAMAGED`). Whoever
   * can write into the storage, such as another script of the same origin, can make proofs fail, but not make a verified proof reveal its
   * witness: leave `verify` on.
   */
  readonly cache?: boolean | { readonly directory: string };
  /** Bytes of GPU memory to plan with; by default what the device's limits allow. */
  readonly memoryBudget?: number;
  readonly assets?: AssetUrls;
  /** Called with everything that is worth knowing and not a failure, also outside of calls. */
  readonly onNotice?: (notice: Notice) => void;
}

/** Options of every call. */
export interface CallOptions {
  /** An aborted call rejects with `ABORTED` within 200 ms and leaves the prover usable. */
  readonly signal?: AbortSignal;
  /** Called while the call runs, with its progress and each finished piece of work. */
  readonly onProgress?: ProgressListener;
}

/** Options of calls that load a file. */
export interface LoadOptions extends CallOptions {
  /**
   * Default false. Moves bytes that are given as a Uint8Array or ArrayBuffer instead of copying them: afterwards the caller's array is
   * empty, and a large key is not in memory twice. A view of a part of a buffer is still copied.
   */
  readonly transfer?: boolean;
}

/** What a prover computes with. */
export interface Capabilities {
  /** What computes the large parts: the GPU together with the workers, or the workers alone. */
  readonly backend: 'webgpu' | 'wasm';
  readonly webgpu:
    | {
        readonly available: true;
        readonly vendor: string;
        readonly architecture: string;
        readonly description: string;
        /** A software adapter: its results are right, and it is slow. */
        readonly software: boolean;
      }
    | { readonly available: false; readonly reason: string };
  /** Kernel workers. */
  readonly threads: number;
  readonly cache: 'indexeddb' | 'folder' | 'none';
  readonly crossOriginIsolated: boolean;
}

/** Who did what, and how long it took. */
export interface Report {
  /** `webgpu` when any multi-scalar multiplication ran on the GPU. */
  readonly backend: 'webgpu' | 'wasm';
  /** The executor of each part; of a part that several shared, the first of `executors`. */
  readonly parts: Readonly<Partial<Record<ProofPart | 'msm', Executor>>>;
  /** All executors of each part: usually one. */
  readonly executors: Readonly<Partial<Record<ProofPart | 'msm', readonly Executor[]>>>;
  /** Milliseconds from the first start to the last end of each phase, and `total` for the call. */
  readonly ms: Readonly<Record<string, number>>;
  /** Every piece of work, in the order in which they started. */
  readonly timeline: readonly Span[];
  readonly notices: readonly Notice[];
  /** Of calls that load: whether the prepared points came from the cache. */
  readonly cached?: boolean;
}

/** Bases that lie ready, for the prover that loaded them. */
export interface Bases {
  readonly curve: CurveId;
  readonly group: GroupId;
  /** The caller's name for them. */
  readonly id: string | undefined;
  /** Scalars that `msm` expects. */
  readonly count: number;
  readonly report: Report;
  /** Gives their memory back. Later calls with these bases reject with `DISPOSED`. Harmless when called twice. */
  dispose(): Promise<void>;
}

/** Which points `loadBases` is to load. */
export interface BasesRequest {
  readonly curve: CurveId;
  /** Default `g1`. */
  readonly group?: GroupId;
  /**
   * Affine points, x then y, little-endian canonical, 32 (BN254, Edwards-BLS12) or 48 (BLS12-377, BLS12-381) bytes each; G2 as c0, c1 of
   * x, then of y; the neutral element all zero. On Edwards-BLS12 they are points of the Edwards form, where (0, 1) is taken for the neutral
   * element, too. Each must be on the curve (checked), and in the subgroup of prime order (not checked; all of BN254's G1 is).
   */
  readonly points: BinarySource;
  /** A name for error messages and reports; the cache goes by the contents. */
  readonly id?: string;
}

/** A coordinate: an integer below p, or c0 and c1 of one in F_p^2. */
export type Coordinate = CoordinateValue;

/** An affine point; infinity, the neutral element, has zero coordinates, and is (0, 1) on Edwards-BLS12. */
export interface MsmPoint {
  readonly x: Coordinate;
  readonly y: Coordinate;
  readonly infinity: boolean;
  /** The point in the boundary form of `BasesRequest.points`. */
  readonly bytes: Uint8Array;
}

export interface MsmResult extends MsmPoint {
  readonly report: Report;
}

export interface MsmBatchOptions extends CallOptions {
  /** Multiplications in the call, 1 to 65 536. */
  readonly batchSize: number;
}

export interface MsmBatchResult {
  /** One for each multiplication, in their order. */
  readonly points: readonly MsmPoint[];
  /** Of the whole call. */
  readonly report: Report;
}

/** A proof in snarkjs' JSON form. */
export interface Groth16Proof {
  readonly pi_a: readonly string[];
  readonly pi_b: readonly (readonly string[])[];
  readonly pi_c: readonly string[];
  readonly protocol: 'groth16';
  /** The curve's name in snarkjs: `bn128` for BN254. */
  readonly curve: string;
}

/** A verification key in snarkjs' JSON form; parsed and checked by `verify`. */
export interface Groth16VerificationKey {
  readonly protocol: 'groth16';
  /** The curve's name in snarkjs: `bn128` for BN254. */
  readonly curve: string;
  readonly nPublic: number;
  readonly vk_alpha_1: readonly string[];
  readonly vk_beta_2: readonly (readonly string[])[];
  readonly vk_gamma_2: readonly (readonly string[])[];
  readonly vk_delta_2: readonly (readonly string[])[];
  /** The pairing of alpha and beta, which snarkjs writes beside them; not read. */
  readonly vk_alphabeta_12?: readonly (readonly (readonly string[])[])[];
  readonly IC: readonly (readonly string[])[];
}

/** A loaded proving key, for the prover that loaded it. */
export interface Groth16Key {
  /** Values of a witness. */
  readonly variables: number;
  readonly publicSignals: number;
  /** Size of the evaluation domain, a power of two. */
  readonly domainSize: number;
  readonly verificationKey: Groth16VerificationKey;
  readonly report: Report;
  /** Gives its memory back. Later calls with this key reject with `DISPOSED`. Harmless when called twice. */
  dispose(): Promise<void>;
}

/**
 * Values of a circuit's input signals by name, arrays in any nesting, buses as objects. As in snarkjs a value is anything that
 * `BigInt(value)` makes an integer of (bigint, integral number, boolean, or string such as "12", "-1", "0x1f", "0b11", " 3 " or ""),
 * and is reduced modulo r. A number beyond 2^53 means what JavaScript rounds it to: write it as a bigint or string.
 */
export type CircuitInputs = { readonly [name: string]: CircuitInput };
export type CircuitInput =
  | bigint
  | number
  | boolean
  | string
  | readonly CircuitInput[]
  | { readonly [field: string]: CircuitInput };

export interface ProveOptions extends CallOptions {
  /**
   * Default true: the proof is verified before it is returned, and the call rejects with `PROOF_INVALID` when it does not hold. Without
   * it a wrong witness, a faulty GPU or a changed cache gives a proof that does not hold, and that may reveal something of the witness.
   */
  readonly verify?: boolean;
  /**
   * Default false: `fullProve` takes inputs as snarkjs does. With true it takes only integers 0 <= v < r, as bigint, safe number, or
   * string (decimal, or hexadecimal after 0x), and refuses anything else with `INVALID_INPUT`.
   */
  readonly strictInputs?: boolean;
}

export interface ProveResult {
  readonly proof: Groth16Proof;
  /** Decimal strings. */
  readonly publicSignals: readonly string[];
  readonly report: Report;
}

/**
 * Groth16 (2016/260) with the files of snarkjs. Beside the errors that a method names, each rejects with `ABORTED` when its signal
 * fires, `DISPOSED` when the prover was disposed, and `WORKER_FAILED` when a worker cannot be started or dies too often.
 */
export interface Groth16 {
  /**
   * Reads, checks and prepares a snarkjs `.zkey`, or takes the prepared points from the cache. A list is that of the chunks that
   * zk-email's fork of snarkjs writes (`.zkeyb` to `.zkeyk`), unpacked and in any order.
   *
   * Rejects with `IO_FAILED` when it cannot be read, `MALFORMED_FILE` when it contradicts itself, ends early or lacks a chunk,
   * `UNSUPPORTED_FORMAT` for another proof system or version, `CURVE_MISMATCH` for a curve that Pippin does not have, `INVALID_POINT` for
   * a point off its curve, `INVALID_ARGUMENT` for what is no source of bytes, and `OUT_OF_MEMORY` when the workers cannot hold it.
   */
  loadKey(zkey: BinarySource | readonly BinarySource[], options?: LoadOptions): Promise<Groth16Key>;
  /**
   * Proves for a witness in snarkjs' `.wtns` form.
   *
   * Rejects with `PROOF_INVALID` when the witness does not satisfy the key's circuit; `IO_FAILED`, `MALFORMED_FILE`,
   * `UNSUPPORTED_FORMAT`, `CURVE_MISMATCH`, `INVALID_LENGTH` and `INVALID_SCALAR` when the file is not a witness for this key;
   * `INVALID_HANDLE` for the key of another prover and `DISPOSED` for one that was disposed. A fault of the GPU is one of the call with
   * `backend: 'webgpu'` alone (`DEVICE_LOST`, `OUT_OF_MEMORY`, `RESULT_INVALID`); with `auto` the workers do its work.
   */
  prove(key: Groth16Key, witness: BinarySource, options?: ProveOptions): Promise<ProveResult>;
  /**
   * Computes the witness with the WASM that circom 1 or 2 made of the circuit, then proves. What the circuit's own `log()` writes
   * comes as `CIRCUIT_LOG` notices. Errors name input signals, their types and lengths, and never show a value.
   *
   * Rejects with `INVALID_INPUT` for an input that is missing, unknown, of the wrong count or no number, `WITNESS_REJECTED` when a check
   * of the circuit itself fails, `IO_FAILED` and `UNSUPPORTED_FORMAT` when the WASM cannot be read or is no circuit's, and otherwise as
   * `prove`.
   */
  fullProve(key: Groth16Key, inputs: CircuitInputs, wasm: BinarySource, options?: ProveOptions): Promise<ProveResult>;
  /**
   * Whether the proof holds for the public signals, decimal or hexadecimal. It does not hold for too few or too many signals, nor for a
   * signal that is not from 0 to r - 1. Points may have three coordinates (snarkjs) or two (affine).
   *
   * Rejects when the inputs are no proof, key or signals at all: `MALFORMED_FILE` for a form that is not snarkjs', `UNSUPPORTED_FORMAT`
   * and `CURVE_MISMATCH` for another protocol or curve, `INVALID_POINT` for a bad point of the key or a coordinate that is not below p.
   */
  verify(
    verificationKey: Groth16VerificationKey,
    publicSignals: readonly string[],
    proof: Groth16Proof,
    options?: CallOptions,
  ): Promise<boolean>;
}

/**
 * The one handle that a wallet holds. Beside the errors that a method names, each rejects with `ABORTED` when its signal fires,
 * `DISPOSED` when the prover was disposed, and `WORKER_FAILED` when a worker cannot be started or dies too often.
 */
export interface Prover {
  /** As they are now: they change when the GPU is lost or gives a wrong result. */
  readonly capabilities: Capabilities;
  /**
   * Checks points and makes them ready for sums.
   *
   * Rejects with `INVALID_ARGUMENT` for a curve or group that does not exist or for what is no source of bytes, `CURVE_MISMATCH` for a
   * group that the curve does not have, `IO_FAILED` when the points cannot be read, `INVALID_LENGTH` when their bytes are no whole number
   * of points, `INVALID_POINT` for one that is off the curve, and `OUT_OF_MEMORY` when the workers cannot hold them.
   */
  loadBases(request: BasesRequest, options?: LoadOptions): Promise<Bases>;
  /**
   * sum k_i P_i; `scalars` holds 32 little-endian canonical bytes for each base.
   *
   * Rejects with `INVALID_ARGUMENT` for what are no bases or bytes, `INVALID_HANDLE` for bases of another prover, `DISPOSED` for ones that
   * were disposed, `INVALID_LENGTH` when there are not as many scalars as bases, `INVALID_SCALAR` for one that is not below r,
   * `RESULT_INVALID` when no backend gives a point of the curve, and `OUT_OF_MEMORY` when the work does not fit. A fault of the GPU is one
   * of the call with `backend: 'webgpu'` alone (also `DEVICE_LOST`); with `auto` the workers do its work.
   */
  msm(bases: Bases, scalars: Uint8Array, options?: CallOptions): Promise<MsmResult>;
  /**
   * `batchSize` multiplications in one call, faster than one by one where each alone would not fill the device. All are over
   * the same bases (what ICICLE calls `sharedBases`); `scalars` holds batchSize * bases.count scalars as in `msm`,
   * multiplication after multiplication. When one result fails its check, all of them are computed again.
   *
   * Rejects as `msm`, and with `INVALID_ARGUMENT` for a `batchSize` out of range.
   */
  msmBatch(bases: Bases, scalars: Uint8Array, options: MsmBatchOptions): Promise<MsmBatchResult>;
  readonly groth16: Groth16;
  /** Forgets everything that Pippin has cached on this device. `IO_FAILED` when the storage does not let go of it. */
  clearCache(): Promise<void>;
  /** Ends the workers and frees the GPU. Calls under way reject with `DISPOSED`. Never rejects; harmless when called twice. */
  dispose(): Promise<void>;
  /** As `dispose`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}
