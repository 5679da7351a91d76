/// <reference lib="esnext.disposable" preserve="true" />
import type { CurveId, GroupId } from './curves/index.js';
import type { CoordinateValue } from './field/point-bytes.js';
import type { Executor, Notice, ProgressListener, ProofPart, Span } from './progress.js';

/**
 * Bytes, or where to read them. A string or URL is fetched, and keys, bases and circuits that are loaded are kept in the cache, so that they are not
 * downloaded again while the server says that they are the same (docs/security.md, "Files that were fetched"); in Node a string that is not a URL is the path of a file. The file of a key or of
 * bases stays open as long as they are loaded, and a file that is written to meanwhile is an error (`IO_FAILED`) when it is read again.
 */
export type BinarySource = Uint8Array | ArrayBuffer | Blob | URL | string;

/**
 * What may compute. `auto` uses the GPU if there is a usable one, and otherwise the workers alone, which it reports by a notice. It does not
 * wait for the GPU: until the device is open and its kernels are compiled, which takes seconds on a first visit, the workers compute, and the
 * notice `WEBGPU_READY` tells when the GPU takes over. In Node the GPU is opened a second after the start. `auto` does not use a software
 * adapter, because that is slower than the workers. `webgpu` requires WebGPU, waits for it, and accepts a software adapter. `wasm` uses only
 * the workers.
 */
export type BackendChoice = 'auto' | 'webgpu' | 'wasm';

/**
 * The WASM modules. Each curve has three: one for every machine, a faster one (`-fma`) for machines whose relaxed SIMD has fused multiply-add,
 * and one (`-simd`) for machines with SIMD alone.
 */
export type WasmModuleName = CurveId | `${CurveId}-fma` | `${CurveId}-simd`;

/** The browsers' TrustedScriptURL (https://www.w3.org/TR/trusted-types/), by its members. */
export interface TrustedScriptUrl {
  toString(): string;
  toJSON(): string;
}

/** A `WebAssembly.Module`, under a name that is also known where TypeScript has no types of a browser (`lib: ["es2022"]`). */
export type WasmModule = typeof globalThis extends { WebAssembly: { Module: { prototype: infer Module } } }
  ? Module
  : object;

/**
 * The locations of the files that the package loads by URL, for callers whose bundler does not find them. Relative ones mean the same as in the
 * page itself: they are relative to its base URL, in a worker that makes the prover to the worker's script, and in Node to the working
 * directory. Scripts must be of the page's origin.
 *
 * A page that requires Trusted Types gives scripts, or their folder, as TrustedScriptURL. For the package's own scripts Pippin makes these itself,
 * by a policy named `pippin-prover`.
 */
export interface AssetUrls {
  /** The folder of all files that are not named here. It holds the files of `pippin-prover/assets.json`, or, in Node, those of `dist`. */
  readonly base?: string | URL | TrustedScriptUrl;
  readonly coordinator?: string | URL | TrustedScriptUrl;
  readonly kernel?: string | URL | TrustedScriptUrl;
  readonly witness?: string | URL | TrustedScriptUrl;
  /** The script of `ProverOptions.devices`, in Node. */
  readonly device?: string | URL;
  /**
   * The WASM of a curve: its URL, or the compiled module itself. If only the module without `-fma` and `-simd` is given, machines that could
   * run a faster one use it, too.
   */
  readonly wasm?: Partial<Readonly<Record<WasmModuleName, string | URL | WasmModule>>>;
}

export interface ProverOptions {
  /**
   * Default `auto`. `webgpu` without a usable adapter is the error `WEBGPU_UNAVAILABLE`. With each choice the workers compute the sums over a curve
   * for which the GPU has no kernels (MNT4-753).
   */
  readonly backend?: BackendChoice;
  /**
   * The number of kernel workers, 1 to 64; by default the number of threads that the machine reports, at most 16.
   *
   * With 0 no worker is started at all: everything runs on the thread that calls `createProver`, for places that have no workers. Its long work is
   * done in steps of about 20 ms, between which the thread handles what waits, so that progress and an abort arrive. But a circuit's own WASM
   * computes its witness in one go there, and neither an abort nor `witnessTimeout` ends it before it has.
   */
  readonly threads?: number;
  /**
   * Whether prepared bases, and files that were fetched from URLs, are kept on this device, so that a key loads faster the next time. Default true: in IndexedDB in a page, in a
   * folder of the user's cache directory in Node, or in the folder named here. They are written after the call that loads them has returned;
   * a storage that is full or fails is told of by the notice `CACHE_UNAVAILABLE`.
   *
   * Within a folder, Pippin keeps to a folder of its own, `pippin-prepared`, and touches nothing else. It is made for this user alone. Pippin
   * does without a cache (notice `CACHE_UNAVAILABLE`) if it belongs to another user, or if others may write it or replace it because anyone
   * may write the folder named here; /tmp and others with the sticky bit will do.
   *
   * Of a key that is not fetched, or whose `sha256` is given, the cache is trusted for the prepared points alone. A key's facts, its header points and its constraints come from the key's file at
   * every load, and points at infinity are compared with the file; a record that does not fit is prepared again (`CACHE_DAMAGED`). Whoever
   * can write into the storage, such as another script of the same origin, can change the prepared points. A proof with such points does not
   * verify; then they are prepared from the file within the same call, and the record is replaced (`CACHE_DAMAGED`): leave `verify` on. The sums
   * of `msm` have nothing to be verified by: with changed points that are on the curve they are wrong. Where others can write into the storage,
   * take `cache: false` for them.
   */
  readonly cache?: boolean | { readonly directory: string };
  /**
   * The most bytes that the cache keeps. Records that were not used for the longest time are deleted to make room, and what has more bytes than
   * this is not kept (`CACHE_UNAVAILABLE`). By default nothing is deleted.
   */
  readonly storageBudget?: number;
  /**
   * Bytes of GPU memory to plan with, for the bases of each group and the sums over it; by default what the device's limits allow. It also
   * bounds the bases with their multiples on the workers (`Precompute`), 1 GiB by default.
   */
  readonly memoryBudget?: number;
  /**
   * What `Prover.tune` found on a device like this one: sums follow it instead of the model by which they are planned otherwise. By default the
   * map that `tune` left in the cache. It does not change while the prover lives. Rows for another adapter or number of threads are not used.
   */
  readonly performanceMap?: PerformanceMap;
  /**
   * Whether one sum over bases of `loadBases` is divided between the GPU and the workers, and among the workers by the speed of each. Default
   * `auto`: where the performance map promises at least a fifth less time than the faster of the two alone takes. Parts of the bases lie on
   * several executors then. It is decided when bases are loaded: before the GPU is open, which in Node takes a second, they are not divided. Proving keys are placed by the times of their own proofs instead.
   */
  readonly split?: 'auto' | boolean;
  /**
   * Node only: further GPUs of this machine, each used by a process of its own. Sums over bases of `loadBases` are divided among them and the
   * prover's own GPU. With `backend: 'webgpu'` the prover does not start if one cannot be opened; with `auto` it goes on without.
   */
  readonly devices?: readonly DeviceProcess[];
  /** Where the package's files lie: their folder, such as `/pippin/`, or more in detail. By default beside the package's own scripts. */
  readonly assets?: string | URL | TrustedScriptUrl | AssetUrls;
  /** What `constantWork` of `MsmOptions` and `ProveOptions` is by default. Default false. */
  readonly constantWork?: boolean;
  /**
   * Called with every notice (something the caller should know that is not a failure), also outside of calls. If it throws or returns a
   * promise that rejects, the first such failure is written to the console; no call fails by it.
   */
  readonly onNotice?: (notice: Notice) => void;
}

/**
 * How the process for another GPU is started. In Node a process uses the first GPU that it finds, so this one must find another: it runs where
 * the others are out of sight, for example in a mount namespace that hides them (Linux, as root):
 *
 *     { command: ['unshare', '-m', 'sh', '-c', 'mount --bind /dev/null /dev/nvidia0 && exec "$@"', '--'] }
 */
export interface DeviceProcess {
  /** A command, with its arguments, that runs what it is given as further arguments: Node with a script of Pippin. By default none. */
  readonly command?: readonly string[];
  /** Variables that the process has besides those of this one. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Options of every call. A member that no option has is refused (`INVALID_ARGUMENT`) with the nearest name, unless it is undefined or of a class. */
export interface CallOptions {
  /** An aborted call rejects with `ABORTED` within 200 ms and leaves the prover usable. */
  readonly signal?: AbortSignal;
  /**
   * Called while the call runs, with its progress, the bytes of downloads, and each piece of work when it begins and when it has ended. If it throws or returns a promise that rejects, the first
   * such failure is written to the console; the call goes on.
   */
  readonly onProgress?: ProgressListener;
}

/** Options of calls that load a file. */
export interface LoadOptions extends CallOptions {
  /**
   * Default false. With true, bytes that are given as a Uint8Array or ArrayBuffer are moved instead of copied, so that a large key is not in
   * memory twice. The caller's array is empty afterwards. A view of a part of a buffer is still copied.
   */
  readonly transfer?: boolean;
}

/** Options of loading a proving key. */
export interface KeyLoadOptions extends LoadOptions {
  /**
   * The SHA-256 of the key's file, as 64 hexadecimal digits in either case (`INVALID_ARGUMENT` otherwise). A key with another one is refused
   * (`KEY_MISMATCH`) before anything of it is used or cached: the whole file is read before loading goes on. Of a key in chunks it is that of the .zkey with the same sections in ascending order.
   *
   * A key that comes from URLs is downloaded once with it: later loads, from whatever URL, take it from the cache without a request, also offline, and
   * hash it there again. Without it the server is asked whether the file is still the same (HEAD; ETag or Last-Modified), and must be reachable.
   */
  readonly sha256?: string;
  /**
   * The verification key that the caller trusts, in snarkjs' form. The proving key must be that of this one (`KEY_MISMATCH`), and its proofs are
   * verified against it. By default a proof is verified against what its proving key says of itself.
   */
  readonly verificationKey?: Groth16VerificationKeyJson;
  /**
   * Default false: a key without a contribution in phase 2 of its set-up is refused (`KEY_UNFINISHED`). Its gamma and delta are equal, and
   * anyone can forge proofs for it. True takes it, for tests.
   */
  readonly allowUnfinished?: boolean;
  /** Multiples that make later proofs faster; see `Precompute`. Default 1. */
  readonly precompute?: Precompute;
  /**
   * How the sums of all proofs with the key are computed. `digits: 'workers'` is refused (`INVALID_ARGUMENT`), because scalars of a proof stay on
   * the GPU.
   */
  readonly tuning?: LoadTuning;
}

/** Options of loading a circuit. */
export interface CircuitLoadOptions extends LoadOptions {
  /** The SHA-256 of the circuit's file, as that of a key (`KeyLoadOptions.sha256`). It is worth giving: the file is code that sees all inputs. */
  readonly sha256?: string;
  /** The `witnessMemory` with which it will be used, so that it is compiled for that. Another one compiles it again. */
  readonly witnessMemory?: number;
  /**
   * The names of the circuit's inputs: those of the `signal input` lines of its main component. With them an error can name an input that is
   * missing, since the WASM holds only hashes of the names. Names that the circuit does not have are ignored, and those that a call of
   * `fullProve` has given with success are known from then on.
   */
  readonly inputs?: readonly string[];
}

/** A loaded circuit. Only the prover that loaded it can use it. */
export interface Circuit {
  /** Its `cached` says whether the file came from the cache. */
  readonly report: Report;
  /** Frees its memory. Later calls with this circuit reject with `DISPOSED`. Calling it twice does no harm. */
  dispose(): Promise<void>;
}

/** What a prover computes with at present. They change when a GPU has been opened, is lost or is distrusted. */
export interface Capabilities {
  /** What computes the large parts: the GPU together with the workers, or the workers alone. */
  readonly backend: 'webgpu' | 'wasm';
  readonly webgpu:
    | {
        readonly available: true;
        readonly vendor: string;
        readonly architecture: string;
        readonly description: string;
        /** Whether it is a software adapter: its results are correct, but it is slow. */
        readonly software: boolean;
      }
    | {
        readonly available: false;
        /** Whether the GPU is still being opened (`auto`). */
        readonly opening: boolean;
        readonly reason: string;
      };
  /** The number of kernel workers; 0 where everything runs on the caller's thread. */
  readonly threads: number;
  readonly cache: 'indexeddb' | 'folder' | 'none';
  readonly crossOriginIsolated: boolean;
}

/** What computed each part of a call, and how long each step took. */
export interface Report {
  /** `webgpu` when any multi-scalar multiplication ran on the GPU. */
  readonly backend: 'webgpu' | 'wasm';
  /** The executor of each part; if several shared a part, the first of its `executors`. */
  readonly parts: Readonly<Partial<Record<ProofPart | 'msm', Executor>>>;
  /** All executors of each part, usually one. */
  readonly executors: Readonly<Partial<Record<ProofPart | 'msm', readonly Executor[]>>>;
  /** Milliseconds from the first start to the last end of each phase, and `total` for the call. */
  readonly ms: Readonly<Record<string, number>>;
  /** Every piece of work, ordered by its start. */
  readonly timeline: readonly Span[];
  readonly notices: readonly Notice[];
  /** For calls that load points or a key: whether the prepared points came from the cache; for those that load a circuit, whether its file did. */
  readonly cached?: boolean;
}

/** Loaded bases. Only the prover that loaded them can use them. */
export interface Bases {
  readonly curve: CurveId;
  readonly group: GroupId;
  /** The name that the caller gave them. */
  readonly id: string | undefined;
  /** The number of points, and so of the scalars that `msm` expects. */
  readonly count: number;
  readonly report: Report;
  /** Frees their memory. Later calls with these bases reject with `DISPOSED`. Calling it twice does no harm. */
  dispose(): Promise<void>;
}

/**
 * How many precomputed multiples sums have of each base, the base among them: the precomputation factor. They take so many times the memory,
 * and a sum then has fewer buckets to add up ("RCLboMMSM", TCHES 2024, its elastic precomputation).
 *
 * - 1, the default, makes none. It takes no memory and no time, and every sum is as fast as the first.
 * - A number from 2 to 32 makes them while the bases are loaded, which takes about as long as 5 to 10 sums, or reads them from the cache.
 * - `auto` loads without multiples and computes at once. After the first sum or proof the workers make multiples while no call is under way, if
 *   a sum takes at least 5% less time with them by the cost model. The notice `PRECOMPUTED` tells when sums use them. They are kept in the
 *   cache, and later loads take them from there at once. It suits a key or bases that are used many times.
 *
 * `memoryBudget` bounds them, also on the workers (1 GiB there by default). Fewer are made then, or none, which `PRECOMPUTE_REDUCED` tells.
 * Bases get none if a multiple of one is infinity or exceptional, because it is outside the subgroup of prime order. What takes the place of
 * a worker or GPU that was lost does without.
 */
export type Precompute = 'auto' | number;

/**
 * How numbers modulo a prime are written. `canonical`: an integer a below the prime. `montgomery`: a R mod the prime, where R is 2^256 for
 * numbers of 32 bytes, 2^384 for those of 48 and 2^768 for those of 96, as arkworks, gnark and ICICLE hold them in memory. Either is little-endian.
 */
export type NumberForm = 'canonical' | 'montgomery';

/** Which points `loadBases` is to load. */
export interface BasesRequest {
  readonly curve: CurveId;
  /** Default `g1`. */
  readonly group?: GroupId;
  /**
   * Affine points: x, then y, each little-endian in 32 (BN254, Edwards-BLS12), 48 (BLS12-377, BLS12-381) or 96 bytes (MNT4-753).
   * A point of G2 is c0 and c1 of x, then c0 and c1 of y. The neutral element is all zero. On Edwards-BLS12 they are points of the Edwards form, and (0, 1)
   * is accepted as the neutral element, too.
   *
   * Each point must be on the curve and in the subgroup of prime order (`INVALID_POINT`); see `checkSubgroup`.
   */
  readonly points: BinarySource;
  /**
   * Default true: it is checked that all points lie in the subgroup of prime order, which fails to notice others with a probability of 2^-40 at
   * most. Every point of G1 does on BN254 and MNT4-753; elsewhere the check takes a quarter to two fifths of the time of a sum over the points. It is made
   * once: points in the cache have passed it. With false, points outside of the subgroup give sums that mean nothing.
   */
  readonly checkSubgroup?: boolean;
  /** The form of the coordinates (ICICLE's `are_points_montgomery_form`), by default `canonical`. Each must be below p in either form. */
  readonly pointsForm?: NumberForm;
  /** Multiples that make later sums faster; see `Precompute`. Default 1. */
  readonly precompute?: Precompute;
  /** How sums over these bases are computed, where a call names nothing else. */
  readonly tuning?: LoadTuning;
  /** A name of the caller's choice, which `Bases.id` repeats. The cache does not use it: it finds points by their contents. */
  readonly id?: string;
}

/** What a sum takes with multiples of its bases (see `Precompute`). */
export interface MapMultiples {
  /** The multiples of each base, the base among them: 2 to 32. */
  readonly multiples: number;
  readonly windowBits: number;
  /** Rows of buckets: the windows divided by the multiples. */
  readonly rows: number;
  readonly ms: number;
}

/** The time of a sum on one device. */
export interface MapRow {
  readonly curve: CurveId;
  readonly group: GroupId;
  /** The number of points, a power of two. */
  readonly points: number;
  /** The window that was fastest, 4 to 20 bits; left out for the workers, which choose theirs by the scalars. */
  readonly windowBits?: number;
  /** As in `MsmTuning`: what was clearly faster than what is usual. Each is left out where nothing was. */
  readonly chunks?: number;
  readonly largeBucketFactor?: number;
  readonly digits?: 'workers';
  /** Milliseconds, those of the fastest run, with uniformly random scalars. */
  readonly ms: number;
  /** The same with multiples of the bases, by which `precompute: 'auto'` chooses; left out where the time did not suffice. */
  readonly withMultiples?: readonly MapMultiples[];
}

/** What was measured on a GPU. */
export interface AdapterTimes {
  /** What the browser tells of the adapter. */
  readonly adapter: string;
  /** The faster form of field products: by limbs of 13 bits, or by bytes with `dot4U8Packed`. */
  readonly products: 'limbs' | 'bytes';
  readonly rows: readonly MapRow[];
}

/** A performance map: how long sums take on this device. It is plain data, to be kept as JSON. */
export interface PerformanceMap {
  /** Maps of another format are not used: they are of another version of Pippin. */
  readonly format: number;
  /** When it was measured (ISO 8601). */
  readonly made: string;
  /** The browser, or Node's version. */
  readonly platform: string;
  readonly workers: { readonly threads: number; readonly rows: readonly MapRow[] };
  /** Left out if there was no GPU. */
  readonly gpu?: AdapterTimes;
}

export interface TuneOptions extends CallOptions {
  /**
   * About how many milliseconds to measure for all curves together, 100 to 600 000; default 3000. Compiling the GPU's kernels, if they are not
   * compiled yet, comes before.
   */
  readonly maxMs?: number;
  /** Default: BN254 alone. */
  readonly curves?: readonly CurveId[];
}

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

export interface MsmResult extends MsmPoint {
  readonly report: Report;
}

/**
 * How the GPU adds up the windows of bases with multiples ("RCLboMMSM", TCHES 2024). All windows of a row go into one set of buckets
 * (`merged`), or each of them has a set of its own, and the sets are joined, bucket by bucket, before they are reduced (`cross-window`).
 */
export type Reduction = 'merged' | 'cross-window';

/**
 * How sums are computed; every field is for experts and benchmarks. What is left out is chosen for the device. The sum is the same whatever is
 * chosen. A field that does not concern what computes the sum has no effect: the workers heed `windowBits` alone.
 */
export interface MsmTuning {
  /**
   * Bits of a window of the bucket method, 4 to 20 (ICICLE's `c`). Multiples of bases are made for windows of one size; a sum with other
   * windows does without them.
   */
  readonly windowBits?: number;
  /**
   * Buckets of more than so many times the mean number of bases are cut into pieces, which several threads add up; 1 to 1000 (ICICLE's
   * `large_bucket_factor`). A piece has 16 to 112 bases, whatever the factor. By default a bucket is cut that has three standard deviations more
   * than the mean.
   */
  readonly largeBucketFactor?: number;
  /**
   * The number of chunks of equal size into which the points are cut, 1 to 1024 (ICICLE's `nof_chunks`). The GPU works on one while the scalars
   * of the next are on their way. There are more where memory needs it, and fewer where there are not as many points.
   */
  readonly chunks?: number;
  /** Default `merged`. Where bases have no multiples, both are the same. */
  readonly reduction?: Reduction;
  /**
   * The products by which bases are added to buckets: of limbs of 13 bits (`limbs`), or of bytes with WGSL's `dot4U8Packed` (`bytes`). By default
   * what was measured or is known to be faster. A GPU that lacks `dot4U8Packed` refuses `bytes` (`INVALID_ARGUMENT`). The workers add up in affine
   * coordinates, by the products of their module.
   */
  readonly accumulation?: Accumulation;
  /**
   * Who cuts the scalars into digits: the GPU itself, which is faster and the default, or one of the workers after another. The workers always
   * cut the digits of their own sums.
   */
  readonly digits?: DigitCutter;
}

/** How all sums over loaded bases, or with a loaded key, are computed. A field that a call names comes before. */
export interface LoadTuning extends MsmTuning {
  /**
   * The same as `precompute` beside `tuning` (ICICLE's `precompute_factor`). It is decided when bases are loaded; a call cannot change it, and
   * refuses it (`INVALID_ARGUMENT`). With it `windowBits` are the windows for which multiples are made. `reduction: 'cross-window'` needs it.
   */
  readonly precompute?: Precompute;
}

/** How field elements are multiplied where the GPU adds bases to buckets. */
export type Accumulation = 'limbs' | 'bytes';

/** Who cuts scalars into digits for a sum on the GPU. */
export type DigitCutter = 'gpu' | 'workers';

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

/** A proof in snarkjs' JSON form, with numbers in decimal digits. */
export interface Groth16Proof {
  readonly pi_a: string[];
  readonly pi_b: string[][];
  readonly pi_c: string[];
  readonly protocol: 'groth16';
  /** The curve's name in snarkjs: `bn128` for BN254. */
  readonly curve: string;
}

/** A verification key in snarkjs' JSON form, with numbers in decimal digits. */
export interface Groth16VerificationKey {
  readonly protocol: 'groth16';
  /** The curve's name in snarkjs: `bn128` for BN254. */
  readonly curve: string;
  readonly nPublic: number;
  readonly vk_alpha_1: string[];
  readonly vk_beta_2: string[][];
  readonly vk_gamma_2: string[][];
  readonly vk_delta_2: string[][];
  /** The pairing of alpha and beta, which snarkjs writes as well. `verify` does not read it. */
  readonly vk_alphabeta_12?: string[][][];
  readonly IC: string[][];
}

/** What was read from JSON, or imported from it, as TypeScript knows it. `verify` and `loadKey` check what it holds. */
type FromJson<T> = T extends string
  ? string
  : T extends readonly (infer Item)[]
    ? readonly FromJson<Item>[]
    : T extends object
      ? { readonly [K in keyof T]: FromJson<T[K]> }
      : T;

/** A proof as it is read from JSON; a `Groth16Proof` is one. */
export type Groth16ProofJson = FromJson<Groth16Proof>;

/** A verification key as it is read from JSON; a `Groth16VerificationKey` is one. */
export type Groth16VerificationKeyJson = FromJson<Groth16VerificationKey>;

/** A loaded proving key. Only the prover that loaded it can use it. */
export interface Groth16Key {
  /** The number of values in a witness. */
  readonly variables: number;
  readonly publicSignals: number;
  /** Size of the evaluation domain, a power of two. */
  readonly domainSize: number;
  readonly verificationKey: Groth16VerificationKey;
  readonly report: Report;
  /** Frees its memory. Later calls with this key reject with `DISPOSED`. Calling it twice does no harm. */
  dispose(): Promise<void>;
}

/**
 * The values of a circuit's input signals, by name. Arrays may be nested in any way; a bus is an object. As in snarkjs, a value is anything
 * that `BigInt(value)` converts to an integer: a bigint, an integral number, a boolean, or a string such as "12", "-1", "0x1f", "0b11", " 3 "
 * or "". It is reduced modulo r. Write numbers beyond 2^53 as a bigint or string, because JavaScript has rounded them before Pippin sees them.
 */
export type CircuitInputs = { readonly [name: string]: CircuitInput };
export type CircuitInput =
  | bigint
  | number
  | boolean
  | string
  | readonly CircuitInput[]
  | { readonly [field: string]: CircuitInput };

/** `CircuitInputs`, or an object of an interface of the caller's own whose members are such values. */
export type InputsOf<T> = T extends CircuitInput
  ? T
  : T extends (...args: never) => unknown
    ? never
    : T extends object
      ? { readonly [K in keyof T]: InputsOf<T[K]> }
      : never;

export interface ProveOptions extends CallOptions {
  /**
   * Default true: the proof is verified before it is returned, and the call rejects with `PROOF_INVALID` if it does not hold. With false, a
   * wrong witness, a faulty GPU, a changed cache or a malicious key can lead to a proof that does not hold and that reveals something
   * about the witness.
   */
  readonly verify?: boolean;
  /**
   * Default false: `fullProve` takes inputs as snarkjs does. With true it takes only integers 0 <= v < r, as bigint, safe number, or
   * string (decimal, or hexadecimal after 0x), and refuses anything else with `INVALID_INPUT`.
   */
  readonly strictInputs?: boolean;
  /**
   * `fullProve`: the most milliseconds that the circuit's own WASM may take, from 1 to 2^31 - 1; default 120 000. Then its worker is ended and
   * the call rejects with `WITNESS_FAILED`.
   */
  readonly witnessTimeout?: number;
  /**
   * `fullProve`: the most bytes that the memory of the circuit's own WASM may take, from 1 to 2^32; default 2^30. A module that begins with
   * more is refused (`OUT_OF_MEMORY`), and none can grow beyond it. Modules of circom 1 that import their memory need 131 072 000.
   */
  readonly witnessMemory?: number;
  /**
   * Whether the work must not depend on the witness; by default what the prover's option says. The scalars of all sums are masked then as by
   * `MsmOptions.constantWork`, and no signal is skipped in the constraints. The first such proof with a key takes about twice as long as later ones,
   * which take as long as if all signals were random numbers. The circuit's own WASM, which `fullProve` runs, does what it does:
   * what time still tells is in docs/security.md.
   */
  readonly constantWork?: boolean;
}

export interface VerifyOptions extends CallOptions {
  /** As in `KeyLoadOptions`: whether the key's gamma and delta may be equal. Default false. */
  readonly allowUnfinished?: boolean;
}

export interface ProveResult {
  readonly proof: Groth16Proof;
  /** The public signals as decimal strings. */
  readonly publicSignals: string[];
  readonly report: Report;
}

/**
 * Groth16 (https://eprint.iacr.org/2016/260) with the files of snarkjs. Besides the errors that are listed for each method, every method
 * rejects with `ABORTED` when its signal fires, `INVALID_ARGUMENT` for an option of a wrong type, `DISPOSED` when the prover was disposed,
 * and `WORKER_FAILED` when a worker cannot be started or dies too often.
 */
export interface Groth16 {
  /**
   * Reads, checks and prepares a snarkjs `.zkey`, or takes the prepared points from the cache. A key in chunks, as zk-email's fork of snarkjs
   * writes it (`.zkeyb` to `.zkeyk`), is given as the list of its chunks, uncompressed and in any order.
   *
   * Rejects with `IO_FAILED` when the key cannot be read, `MALFORMED_FILE` when it contradicts itself, ends early or lacks a chunk,
   * `UNSUPPORTED_FORMAT` for another proof system or version, `CURVE_MISMATCH` for a curve without Groth16 in Pippin, `KEY_MISMATCH` for a key of
   * another `sha256` or `verificationKey`, `KEY_UNFINISHED` for one without a contribution (`allowUnfinished`), `INVALID_POINT` for a
   * point that is not on its curve or not in the subgroup of prime order, `INVALID_ARGUMENT` for a `zkey` that is not a source of bytes or a `tuning` that is out of range or contradicts
   * itself, and `OUT_OF_MEMORY` when the workers cannot hold the key.
   */
  loadKey(zkey: BinarySource | readonly BinarySource[], options?: KeyLoadOptions): Promise<Groth16Key>;
  /**
   * Reads and compiles the WASM of a circuit once, for any number of calls of `fullProve`, which otherwise fetch and compile it each time. A file that
   * comes from a URL is kept in the cache as a key is: with `sha256`, key and circuit are loaded without a request, and a wallet proves offline.
   *
   * Rejects with `IO_FAILED` when the file cannot be read, `KEY_MISMATCH` for one of another `sha256`, `UNSUPPORTED_FORMAT` when it is not
   * WebAssembly, `OUT_OF_MEMORY` when it needs more than `witnessMemory`, and `INVALID_ARGUMENT` for a `wasm` that is not a source of bytes.
   */
  loadCircuit(wasm: BinarySource, options?: CircuitLoadOptions): Promise<Circuit>;
  /**
   * Makes a proof from a witness in snarkjs' `.wtns` form.
   *
   * Rejects with `PROOF_INVALID` when the witness does not satisfy the key's circuit or the key is wrong; `IO_FAILED`, `MALFORMED_FILE`,
   * `UNSUPPORTED_FORMAT`, `CURVE_MISMATCH`, `INVALID_LENGTH` and `INVALID_SCALAR` when the file is not a witness for this key;
   * `INVALID_HANDLE` for the key of another prover and `DISPOSED` for one that was disposed. When the GPU fails, the workers do its work;
   * only with `backend: 'webgpu'` does the call reject instead (`DEVICE_LOST`, `OUT_OF_MEMORY`, `RESULT_INVALID`).
   */
  prove(key: Groth16Key, witness: BinarySource, options?: ProveOptions): Promise<ProveResult>;
  /**
   * Computes the witness with the WASM that circom 1 or 2 compiled from the circuit (a file, or one of `loadCircuit`), then makes a proof. What the circuit's own `log()`
   * writes arrives as `CIRCUIT_LOG` notices. Errors name input signals, their types and lengths, but never show a value. The WASM does not hold the names
   * of inputs: a missing one is named where `CircuitLoadOptions.inputs` has it or a name that was given is nearly its own, and told by its size elsewhere.
   *
   * Rejects with `INVALID_INPUT` for an input that is missing, unknown, not a number, or has the wrong number of values, `WITNESS_REJECTED`
   * when one of the circuit's own checks fails, `WITNESS_FAILED` when the WASM traps, breaks its interface or exceeds `witnessTimeout`,
   * `OUT_OF_MEMORY` when it needs more than `witnessMemory`, `IO_FAILED` when it cannot be read, `UNSUPPORTED_FORMAT` when it is not that of
   * a circuit, and with the errors of `prove`. After each of these the next call works.
   */
  fullProve<Inputs extends object>(
    key: Groth16Key,
    inputs: Inputs & InputsOf<Inputs>,
    circuit: BinarySource | Circuit,
    options?: ProveOptions,
  ): Promise<ProveResult>;
  /**
   * Whether the proof holds for the public signals, which are decimal or hexadecimal. It does not hold if there are too few or too many
   * signals, or if a signal is not from 0 to r - 1. Points may have three coordinates (snarkjs) or two (affine).
   *
   * Rejects only when the arguments are not a proof, a key or signals at all: `MALFORMED_FILE` for anything that is not in snarkjs' form,
   * `UNSUPPORTED_FORMAT` and `CURVE_MISMATCH` for another protocol or curve, `INVALID_POINT` for a bad point of the key or a coordinate that
   * is not below p, `KEY_UNFINISHED` for the key of a set-up without a contribution in phase 2 (`allowUnfinished`).
   */
  verify(
    verificationKey: Groth16VerificationKeyJson,
    publicSignals: readonly string[],
    proof: Groth16ProofJson,
    options?: VerifyOptions,
  ): Promise<boolean>;
}

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
   * Rejects with `INVALID_ARGUMENT` for an unknown curve or group, for `points` that are not a source of bytes, or for a `tuning` that is out of
   * range or contradicts itself, `CURVE_MISMATCH` for a
   * group that the curve does not have, `IO_FAILED` when the points cannot be read, `INVALID_LENGTH` when the number of bytes is not that of
   * whole points, `INVALID_POINT` for a point that is not on the curve or not in the subgroup (`checkSubgroup`), and `OUT_OF_MEMORY` when the
   * workers cannot hold the points.
   */
  loadBases(request: BasesRequest, options?: LoadOptions): Promise<Bases>;
  /**
   * The multi-scalar multiplication sum k_i P_i. `scalars` holds 32 canonical little-endian bytes for each base.
   *
   * Rejects with `INVALID_ARGUMENT` for `bases` that are not loaded bases, `scalars` that are not bytes, options out of range or an `accumulation` that
   * the GPU does not have, `INVALID_HANDLE` for bases of
   * another prover, `DISPOSED` for bases that were disposed, `INVALID_LENGTH` when there are not as many scalars as bases, `INVALID_SCALAR`
   * for a scalar that is not below r or has more than `bitSize` bits, `RESULT_INVALID` when no backend gives a result that passes its check, and
   * `OUT_OF_MEMORY` when the work does not fit. When the GPU fails, the workers do its work; only with `backend: 'webgpu'` does the call reject
   * instead (also with `DEVICE_LOST`). A GPU that gave a wrong result is not used again: later calls are computed by the workers, which with
   * `webgpu` the notice `WEBGPU_UNAVAILABLE` tells.
   */
  msm(bases: Bases, scalars: Uint8Array, options?: MsmOptions): Promise<MsmResult>;
  /**
   * `batchSize` multi-scalar multiplications in one call. That is faster than one call for each when a single one is too small to occupy the
   * device. All are over the same bases (ICICLE calls this `sharedBases`). `scalars` holds batchSize * bases.count scalars as in `msm`, those
   * of the first multiplication first. If one result fails its check, all of them are computed again.
   *
   * Rejects with the errors of `msm`, and with `INVALID_ARGUMENT` for a `batchSize` out of range.
   */
  msmBatch(bases: Bases, scalars: Uint8Array, options: MsmBatchOptions): Promise<MsmBatchResult>;
  readonly groth16: Groth16;
  /**
   * Measures how fast this device computes sums over G1 of several sizes, on its workers and on its GPU, and with which windows and products
   * the GPU is fastest. The map goes to the cache, if there is one, and the next prover plans by it; so it is worth a call once, when the device
   * has nothing else to do. Without a map, plans follow a model of an H200 for every GPU.
   *
   * Rejects with `INVALID_ARGUMENT` for options out of range, and with the errors of `msm`.
   */
  tune(options?: TuneOptions): Promise<PerformanceMap>;
  /** The map by which this prover plans; undefined if there is none. */
  performanceMap(): Promise<PerformanceMap | undefined>;
  /** Deletes everything that Pippin has cached on this device. Rejects with `IO_FAILED` when the storage cannot delete it. */
  clearCache(): Promise<void>;
  /**
   * Ends the workers and frees the GPU. Running calls reject with `DISPOSED`. What is being written to the cache may end before. Never rejects;
   * calling it twice does no harm. In Node a prover keeps the process alive only while a call is under way; one that nobody has disposed is
   * disposed when the process has nothing else to do (`beforeExit`).
   */
  dispose(): Promise<void>;
  /** The same as `dispose`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}
