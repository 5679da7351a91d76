import type { ProofPart } from '../proofs/parts.js';

export type { ProofPart } from '../proofs/parts.js';

/** What does a piece of work: the GPU, the kernel workers, or (`host`) the coordinator itself. */
export type Executor = 'webgpu' | 'wasm' | 'host';

/** The steps of a call, in the order in which they first appear. */
export type Phase =
  /** Reads a file, or downloads it. */
  | 'read'
  /** Hashes a file: its SHA-256 is the caller's condition, or the key of its record in the cache. */
  | 'hash'
  /** Reads prepared points from the cache. */
  | 'cache-read'
  /** Checks points and converts them to the form that executors take. */
  | 'prepare'
  /** Computes or loads multiples of the points (`Precompute`). */
  | 'precompute'
  /** Copies points and constraints to a GPU. */
  | 'upload'
  /** Hands points and constraints to the kernel workers. With a GPU, `upload` and `distribute` may both happen. */
  | 'distribute'
  /** Runs the circuit's own WASM. */
  | 'witness'
  /** Multiplies the constraint matrices by the witness. On the GPU this is part of `transform`. */
  | 'constraints'
  /** The NTTs of the quotient polynomial. */
  | 'transform'
  /** A multi-scalar multiplication. */
  | 'msm'
  /** Adds MSMs and blinding factors up to the points of a proof. */
  | 'combine'
  /** Verifies a proof by pairings. */
  | 'verify'
  /** Measures this device (`Prover.tune`). */
  | 'tune';

/** One finished piece of work on a call's timeline. Times are milliseconds since the call began. */
export interface Span {
  /** The step. */
  readonly phase: Phase;
  /** The part of a proof that it is for, where there is one. */
  readonly part?: ProofPart;
  /** What did the work. */
  readonly executor: Executor;
  /** When it began. */
  readonly start: number;
  /** When it ended. */
  readonly end: number;
}

/** Something the caller should know that is not a failure. */
export type NoticeCode =
  /** No usable GPU: the WASM workers do all the work. */
  | 'WEBGPU_UNAVAILABLE'
  /** The GPU was lost or gave a wrong result; the WASM workers repeated its work. */
  | 'WEBGPU_DISTRUSTED'
  /**
   * One of several executors that shared an MSM failed; the others recomputed its share, and take it over in later MSMs
   * over the same bases. (Until 0.1 it was `SUM_REDONE`.)
   */
  | 'MSM_REDONE'
  /**
   * A kernel worker died, or was silent past its heartbeat timeout. A new worker took its place, and repeats its work.
   */
  | 'WORKER_REPLACED'
  /**
   * With `auto`: the GPU's kernels for a curve are compiled, and it takes over from the workers, which did all the work
   * until then.
   */
  | 'WEBGPU_READY'
  /** With `auto`: the workers prove a key clearly faster than the GPU did, and prove it from now on. */
  | 'WEBGPU_SLOWER'
  /**
   * The adapter is a software adapter. `auto` does not use it; with `webgpu` its results are correct, but it is slow.
   */
  | 'WEBGPU_SOFTWARE'
  /**
   * The cached points were damaged, do not fit the file that they were made from, or gave a wrong result; they were
   * prepared and saved again.
   */
  | 'CACHE_DAMAGED'
  /** The cache cannot be opened or is full; Pippin goes on without it. */
  | 'CACHE_UNAVAILABLE'
  /** Multiples of bases were precomputed in idle time (`precompute: 'auto'`), and MSMs use them from now on. */
  | 'PRECOMPUTED'
  /**
   * Fewer multiples of bases than asked for, or none: there is too little memory, or points outside the subgroup of
   * prime order have none.
   */
  | 'PRECOMPUTE_REDUCED'
  /**
   * A line that a circuit's own log() wrote. The circuit's author decides what it shows, and it may show secret
   * signals.
   */
  | 'CIRCUIT_LOG';

/** Something the caller should know that is not a failure. */
export interface Notice {
  /** What kind of notice it is. Codes are stable: decide by them. */
  readonly code: NoticeCode;
  /** The same in words, for logs. */
  readonly message: string;
}

/** One piece of work that has begun: a `Span` without its end. */
export type BegunSpan = Omit<Span, 'end'>;

/**
 * What a call reports while it runs. Later versions may add kinds: leave alone those that you do not know.
 *
 * Progress counts all phases that a call may have, each with a share of the total, which is 100 in every call. Phases
 * that a call does without, such as `prepare` of a key in the cache, count as done when a later one begins. A share is
 * about the part of the time that a phase takes on a first visit; so the number moves faster at one time than at
 * another, but it never falls, never exceeds the total, and is 100 at the end.
 */
export type ProgressEvent =
  /**
   * `done` of `total` units of the call's work, and the phase that runs; of several, the one that began or moved last.
   */
  | { readonly kind: 'progress'; readonly phase: Phase; readonly done: number; readonly total: number }
  /**
   * Bytes of the call's files that have been downloaded; `total` is undefined where a server does not say it. Other
   * files are not reported.
   */
  | { readonly kind: 'bytes'; readonly phase: 'read'; readonly done: number; readonly total: number | undefined }
  /**
   * A piece of work has begun. Each has a `span` with the same phase, part, executor and start when it ends, also when
   * it fails.
   */
  | { readonly kind: 'begin'; readonly span: BegunSpan }
  /** A piece of work has finished. */
  | { readonly kind: 'span'; readonly span: Span }
  /** A point of a proof is known, as decimal strings in snarkjs' form; by the name that its proof system gives it. */
  | {
      readonly kind: 'commitment';
      readonly name: Exclude<ProofPart, 'B1' | 'B2' | 'H'>;
      readonly point: readonly (string | readonly string[])[];
    }
  | { readonly kind: 'notice'; readonly notice: Notice };

/** Called with each event of a call (`CallOptions.onProgress`). */
export type ProgressListener = (event: ProgressEvent) => void;
