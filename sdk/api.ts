import type { CurveId, GroupId } from './curves/index.js';
import type { CoordinateValue } from './field/point-bytes.js';
import type { Executor, Notice, ProgressListener, ProofPart, Span } from './progress.js';

/** Bytes, or where to read them. A string or URL is fetched; in Node a string that is no URL is a file's path. */
export type BinarySource = Uint8Array | ArrayBuffer | Blob | URL | string;

/** Who may compute. `auto` uses the GPU where there is a usable one and says so where there is none. */
export type BackendChoice = 'auto' | 'webgpu' | 'wasm';

/** The modules of WASM: one a curve, and one more each for machines with relaxed SIMD and fused multiply-add, where it is faster. */
export type WasmModuleName = CurveId | `${CurveId}-fma`;

/** Where the files that the package loads by URL lie, for callers whose bundler does not find them. */
export interface AssetUrls {
  readonly coordinator?: string | URL;
  readonly kernel?: string | URL;
  readonly witness?: string | URL;
  /** The WASM of a curve: its URL, or the compiled module itself. Where that for every machine alone is given it serves every machine. */
  readonly wasm?: Partial<Readonly<Record<WasmModuleName, string | URL | WebAssembly.Module>>>;
}

export interface ProverOptions {
  /** Default `auto`. `webgpu` without a usable adapter is the error `WEBGPU_UNAVAILABLE`. */
  readonly backend?: BackendChoice;
  /** Kernel workers, 1 to 64; by default what the machine reports, at most 16. */
  readonly threads?: number;
  /** Default true: IndexedDB in a page, a folder of the user's cache directory in Node, or the folder named here. */
  readonly cache?: boolean | { readonly directory: string };
  /** Bytes of GPU memory to plan with; by default what the device's limits allow. */
  readonly memoryBudget?: number;
  readonly assets?: AssetUrls;
  /** Told of everything that is no failure and yet worth knowing, also outside of calls. */
  readonly onNotice?: (notice: Notice) => void;
}

export interface CallOptions {
  /** An aborted call rejects with `ABORTED` within 200 ms and leaves the prover usable. */
  readonly signal?: AbortSignal;
  readonly onProgress?: ProgressListener;
}

export interface LoadOptions extends CallOptions {
  /**
   * Default false. Moves bytes given as a Uint8Array or ArrayBuffer instead of copying them: afterwards the caller's array is empty,
   * and a large key is not in memory twice. A view of a part of a buffer is copied all the same.
   */
  readonly transfer?: boolean;
}

export interface Capabilities {
  /** What computes the large parts: the GPU (with the workers), or the workers alone. */
  readonly backend: 'webgpu' | 'wasm';
  readonly webgpu:
    | {
        readonly available: true;
        readonly vendor: string;
        readonly architecture: string;
        readonly description: string;
        /** A software adapter: right, and slow. */
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
  /** `webgpu` when any multi-scalar multiplication ran there. */
  readonly backend: 'webgpu' | 'wasm';
  /** The executor of each part. */
  readonly parts: Readonly<Partial<Record<ProofPart | 'msm', Executor>>>;
  /** Milliseconds from the first start to the last end of each phase, and `total` for the call. */
  readonly ms: Readonly<Record<string, number>>;
  /** Every piece of work, by its start. */
  readonly timeline: readonly Span[];
  readonly notices: readonly Notice[];
  /** For what is loaded: whether it came from the cache. */
  readonly cached?: boolean;
}

/** Bases that lie ready. Dispose of them to give their memory back. */
export interface Bases {
  readonly curve: CurveId;
  readonly group: GroupId;
  /** The caller's name for them. */
  readonly id: string | undefined;
  /** Scalars that `msm` expects. */
  readonly count: number;
  readonly report: Report;
  dispose(): Promise<void>;
}

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
  /** Of the call as a whole. */
  readonly report: Report;
}

/** A proof in snarkjs' JSON form. */
export interface Groth16Proof {
  readonly pi_a: readonly string[];
  readonly pi_b: readonly (readonly string[])[];
  readonly pi_c: readonly string[];
  readonly protocol: 'groth16';
  readonly curve: 'bn128';
}

/** A verification key in snarkjs' JSON form; parsed and checked by `verify`. */
export interface Groth16VerificationKey {
  readonly protocol: 'groth16';
  readonly curve: 'bn128';
  readonly nPublic: number;
  readonly vk_alpha_1: readonly string[];
  readonly vk_beta_2: readonly (readonly string[])[];
  readonly vk_gamma_2: readonly (readonly string[])[];
  readonly vk_delta_2: readonly (readonly string[])[];
  readonly IC: readonly (readonly string[])[];
}

/** A loaded proving key. */
export interface Groth16Key {
  /** Values of a witness. */
  readonly variables: number;
  readonly publicSignals: number;
  /** Size of the evaluation domain, a power of two. */
  readonly domainSize: number;
  readonly verificationKey: Groth16VerificationKey;
  readonly report: Report;
  dispose(): Promise<void>;
}

/**
 * Values of a circuit's input signals by name, arrays in any nesting, buses as objects; integers 0 <= v < r, as bigint, number or
 * string (decimal, or hexadecimal after 0x).
 */
export type CircuitInputs = { readonly [name: string]: CircuitInput };
export type CircuitInput =
  | bigint
  | number
  | string
  | readonly CircuitInput[]
  | { readonly [field: string]: CircuitInput };

export interface ProveOptions extends CallOptions {
  /** Default true: the proof is verified before it is returned, and `PROOF_INVALID` tells when it does not hold. */
  readonly verify?: boolean;
}

export interface ProveResult {
  readonly proof: Groth16Proof;
  /** Decimal strings. */
  readonly publicSignals: readonly string[];
  readonly report: Report;
}

export interface Groth16 {
  /** Reads, checks and prepares a snarkjs `.zkey` (Groth16, BN254), or takes what the cache has of it. */
  loadKey(zkey: BinarySource, options?: LoadOptions): Promise<Groth16Key>;
  /** Proves for a witness in snarkjs' `.wtns` form. */
  prove(key: Groth16Key, witness: BinarySource, options?: ProveOptions): Promise<ProveResult>;
  /** Computes the witness with circom 2's WASM, then proves. */
  fullProve(key: Groth16Key, inputs: CircuitInputs, wasm: BinarySource, options?: ProveOptions): Promise<ProveResult>;
  /** Whether the proof holds. Inputs that are no proof, key or signals at all are an error. */
  verify(
    verificationKey: Groth16VerificationKey,
    publicSignals: readonly string[],
    proof: Groth16Proof,
    options?: CallOptions,
  ): Promise<boolean>;
}

/** The one handle that a wallet holds. */
export interface Prover {
  readonly capabilities: Capabilities;
  loadBases(request: BasesRequest, options?: LoadOptions): Promise<Bases>;
  /** sum k_i P_i; `scalars` holds 32 little-endian canonical bytes for each base. */
  msm(bases: Bases, scalars: Uint8Array, options?: CallOptions): Promise<MsmResult>;
  /**
   * `batchSize` multiplications in one call, faster than one by one where each alone would not fill the device. All are over
   * the same bases (what ICICLE calls `sharedBases`); `scalars` holds batchSize * bases.count scalars as in `msm`,
   * multiplication after multiplication. When one result fails its check, all of them are computed again.
   */
  msmBatch(bases: Bases, scalars: Uint8Array, options: MsmBatchOptions): Promise<MsmBatchResult>;
  readonly groth16: Groth16;
  /** Forgets everything that Pippin has cached on this device. */
  clearCache(): Promise<void>;
  /** Ends the workers and frees the GPU. Calls under way reject with `DISPOSED`. */
  dispose(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
