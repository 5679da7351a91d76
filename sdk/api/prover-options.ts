import type { AssetUrls, TrustedScriptUrl } from './assets.js';
import type { ProverEvent } from './events.js';
import type { PerformanceMap } from './performance-map.js';
import type { Notice } from './progress.js';

/**
 * What may compute. `auto` uses the GPU if there is a usable one, and otherwise the workers alone, which it reports by
 * a notice. It does not wait for the GPU: until the device is open and its kernels are compiled, which takes seconds on
 * a first visit, the workers compute, and the notice `WEBGPU_READY` tells when the GPU takes over. In Node the GPU is
 * opened a second after the start. `auto` does not use a software adapter, because that is slower than the workers.
 * `webgpu` requires WebGPU, waits for it, and accepts a software adapter. `wasm` uses only the workers.
 */
export type BackendChoice = 'auto' | 'webgpu' | 'wasm';

/** Options of `createProver`. */
export interface ProverOptions {
  /**
   * `webgpu` without a usable adapter is the error `WEBGPU_UNAVAILABLE`.
   *
   * @defaultValue `auto`
   */
  readonly backend?: BackendChoice;
  /**
   * The number of kernel workers, 1 to 64.
   *
   * With 0 no worker is started at all: everything runs on the thread that calls `createProver`, for places that have
   * no workers. Its long work is done in steps of about 20 ms, between which the thread handles what waits, so that
   * progress and an abort arrive. But a circuit's own WASM computes its witness in one go there, and neither an abort
   * nor `witnessTimeout` ends it before it has.
   *
   * @defaultValue the number of threads that the machine reports, at most 16
   */
  readonly threads?: number;
  /**
   * Whether prepared bases, and files that were fetched from URLs, are kept on this device, so that a key loads faster
   * the next time. With true they lie in IndexedDB in a page, and in a folder of the user's cache directory in Node; an
   * object names another folder. They are written after the call that loads them has returned; a storage that is full
   * or fails causes the notice `CACHE_UNAVAILABLE`.
   *
   * Within a folder, Pippin keeps to a folder of its own, `pippin-prepared`, and touches nothing else. It is made for
   * this user alone. Pippin does without a cache (notice `CACHE_UNAVAILABLE`) if it belongs to another user, or if
   * others may write it or replace it because anyone may write the folder named here; /tmp and others with the sticky
   * bit will do.
   *
   * Of a key that is not fetched, or whose `sha256` is given, the cache is trusted for the prepared points alone. A
   * key's facts, its header points and its constraints come from the key's file at every load, and points at infinity
   * are compared with the file; a record that does not fit is prepared again (`CACHE_DAMAGED`). Whoever can write into
   * the storage, such as another script of the same origin, can change the prepared points. A proof with such points
   * does not verify; then they are prepared from the file within the same call, and the record is replaced
   * (`CACHE_DAMAGED`): leave `verify` on. The results of `msm` cannot be verified so: with changed points that are on
   * the curve they are wrong. Where others can write into the storage, take `cache: false` for them.
   *
   * @defaultValue true
   */
  readonly cache?: boolean | { readonly directory: string };
  /**
   * The most bytes that the cache keeps. The least recently used records (LRU) are deleted to make room; what is larger
   * than this is not kept (`CACHE_UNAVAILABLE`). By default nothing is deleted.
   *
   * @defaultValue none: nothing is deleted
   */
  readonly storageBudget?: number;
  /**
   * The most bytes that are held at any moment on the GPU, and as many on the workers:
   *
   * - on the GPU all buffers together: bases and their multiples, constraints, scalars, scratch, staging and readback
   *   memory;
   * - on the workers the bases, their multiples and the constraints that they keep between calls, all workers together.
   *   Their code, and what they work with during a call, are not counted.
   *
   * Bases, multiples and constraints take at most half of it on the GPU. What does not fit there is computed by the
   * workers, also with `backend: 'webgpu'`. What does not fit the workers is read and prepared again when it is needed.
   * So a small budget makes proofs slower, until a single part of a key does not fit: loading it is then the error
   * `OUT_OF_MEMORY`, which names the least budget. By default nothing bounds the workers but 1 GiB for bases with
   * multiples (`Precompute`), and each computation on the GPU is planned with what the device's limits suggest. With
   * `devices` each further GPU has such a budget of its own.
   *
   * @defaultValue none, but 1 GiB on the workers for bases with multiples
   */
  readonly memoryBudget?: number;
  /**
   * What `Prover.tune` found on a device like this one: MSMs are planned by it instead of the cost model. By default
   * the map that `tune` left in the cache. It does not change while the prover lives. Rows for another adapter or
   * number of threads are not used.
   *
   * @defaultValue the map that `tune` left in the cache
   */
  readonly performanceMap?: PerformanceMap;
  /**
   * Whether one MSM over bases of `loadBases` is split between the GPU and the workers, and among the workers by the
   * speed of each. With `auto` it is split where the performance map promises at least a fifth less time than the
   * faster of the two alone takes. Parts of the bases lie on several executors then. It is decided when bases are
   * loaded: before the GPU is open, which in Node takes a second, they are not split. Proving keys are placed by the
   * times of their own proofs instead.
   *
   * @defaultValue `auto`
   */
  readonly split?: 'auto' | boolean;
  /**
   * Node only: further GPUs of this machine, each used by its own process. MSMs over bases of `loadBases` are divided
   * among them and the prover's own GPU. With `backend: 'webgpu'` the prover does not start if one cannot be opened;
   * with `auto` it goes on without.
   *
   * @defaultValue none
   */
  readonly devices?: readonly DeviceProcess[];
  /**
   * Where the package's files lie: their folder, such as `/pippin/`, or more in detail.
   *
   * @defaultValue beside the package's own scripts
   */
  readonly assets?: string | URL | TrustedScriptUrl | AssetUrls;
  /**
   * Whether the work of all MSMs and proofs must be independent of scalars and witnesses, where a call does not say:
   * `constantWork` of `MsmOptions` and `ProveOptions`.
   *
   * @defaultValue false
   */
  readonly constantWork?: boolean;
  /**
   * Called with every notice (something the caller should know that is not a failure), also outside of calls. If it
   * throws or returns a promise that rejects, the first such failure is written to the console; no call fails by it.
   *
   * @defaultValue none
   */
  readonly onNotice?: (notice: Notice) => void;
  /**
   * Called with the events of all calls of this prover, for telemetry: when a call begins, what it reports while it
   * runs, and how it ends. Events have no inputs, witnesses, proofs and lines of `CIRCUIT_LOG`. Times do depend on the
   * witness, unless `constantWork` is true. If it throws or returns a promise that rejects, the first such failure is
   * written to the console; no call fails by it.
   *
   * @defaultValue nobody
   */
  readonly onEvent?: (event: ProverEvent) => void;
}

/**
 * How the process for another GPU is started. In Node a process uses the first GPU that it finds, so this one must find
 * another: it runs where the others are out of sight, for example in a mount namespace that hides them (Linux, as
 * root):
 *
 *     { command: ['unshare', '-m', 'sh', '-c', 'mount --bind /dev/null /dev/nvidia0 && exec "$@"', '--'] }
 */
export interface DeviceProcess {
  /**
   * A command, with its arguments, that runs what it is given as further arguments: Node with a script of Pippin. By
   * default none.
   *
   * @defaultValue none
   */
  readonly command?: readonly string[];
  /**
   * Environment variables that are added to this process's own.
   *
   * @defaultValue none
   */
  readonly env?: Readonly<Record<string, string>>;
}
