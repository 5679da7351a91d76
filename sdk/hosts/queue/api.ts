import type {
  BinarySource,
  Circuit,
  CircuitInputs,
  Groth16Proof,
  KeyLoadOptions,
  ProveOptions,
  Report,
} from '../../api/index.js';
import type { Phase, ProgressListener } from '../../api/progress.js';
import type { JobState } from '../session/job-queue.js';

export interface ProofQueueOptions {
  /**
   * The most proofs that are made at a time, 1 to 16, over all pages of this origin whose queues have the same name;
   * default 1. Two at once take twice the memory, and on one device neither is done earlier: more than one pays only
   * for proofs that are too small to occupy it.
   */
  readonly parallel?: number;
  /**
   * The most bytes that the loaded keys of this page's queue have together, at least 1; by default there is no limit.
   * The least recently used ones (LRU) are freed, and a proof waits until its key has room beside the keys in use; a
   * single key is loaded whatever its size. A key counts by an estimate: 96 bytes for each of its points, which over
   * BN254 covers its constraints as well.
   */
  readonly memoryBudget?: number;
  /** The most keys that stay loaded, 1 to 64; default 4. The least recently used one (LRU) is freed first. */
  readonly maxKeys?: number;
  /**
   * 1 to 64 characters. Queues of one name share their results, and take turns over all pages of this origin; default
   * `proofs`.
   */
  readonly name?: string;
  /** Whether no proof begins while the page is out of sight. Default false. A proof that is being made goes on. */
  readonly pauseWhenHidden?: boolean;
  /**
   * Whether no proof begins while the battery is low and not being charged: true for a level below 0.2, or the level,
   * from 0 to 1. Default false. A proof that is being made goes on. Only Chromium tells pages of the battery, and no
   * browser tells of its power-save mode; elsewhere this has no effect.
   */
  readonly pauseOnLowBattery?: boolean | number;
  /**
   * Milliseconds that results are kept in IndexedDB, 0 to 2^31 - 1; default 86 400 000 (a day). They are proofs and
   * public signals: inputs are never kept. With 0 nothing is kept beyond the page.
   */
  readonly keepResultsMs?: number;
  /** The most results that are kept, 1 to 1000; default 64. The oldest one goes first. */
  readonly maxResults?: number;
  /** Called with a proof whenever its state has changed, and with its progress. */
  readonly onChange?: (proof: QueuedProof) => void;
}

/** What is to be proved. */
export interface QueueRequest {
  /**
   * A name for the proof, 1 to 200 characters that hold no secret; by default a random one. The result is kept under
   * it. An id that is pending or has a result, in whichever page, is refused (`INVALID_ARGUMENT`), so that one request
   * is proved once.
   */
  readonly id?: string;
  /** Proofs of higher priority come first, then earlier ones. A finite number; default 0. */
  readonly priority?: number;
  readonly zkey: BinarySource | readonly BinarySource[];
  readonly keyOptions?: Omit<KeyLoadOptions, 'signal' | 'onProgress' | 'transfer'>;
  /** The circuit's WASM, or what the queue's prover has loaded of it. */
  readonly circuit: BinarySource | Circuit;
  readonly inputs: CircuitInputs;
  readonly proveOptions?: Omit<ProveOptions, 'signal' | 'onProgress'>;
  /** Cancels the proof, whether it waits or is being made. */
  readonly signal?: AbortSignal;
  /** Gets the events of loading the key and of proving, on one scale of progress. */
  readonly onProgress?: ProgressListener;
}

/** A proof that was made. */
export interface ProofOutcome {
  readonly id: string;
  readonly proof: Groth16Proof;
  /** The public signals as decimal strings. */
  readonly publicSignals: string[];
  /**
   * Undefined for a result that another page has made, or this one before it was loaded again: reports are not kept.
   */
  readonly report: Report | undefined;
}

/** How a proof stands. */
export interface QueuedProof {
  readonly id: string;
  /** `paused`: it waits until the queue goes on. A failed or cancelled proof is reported once, and is not listed. */
  readonly state: JobState | 'proved' | 'failed';
  readonly priority: number;
  /** From 0 to 1; 1 once it is proved. */
  readonly progress: number;
  readonly phase?: Phase;
}

/** Why a queue begins no proof. */
export type PauseReason = 'asked' | 'hidden' | 'battery';

/** The proofs of a wallet, one after the other. */
export interface ProofQueue {
  /** Why no proof begins at present; empty while the queue works. */
  readonly pausedBy: readonly PauseReason[];
  /**
   * Adds a proof, and resolves with it when its turn has come and it was made.
   *
   * Rejects with `INVALID_ARGUMENT` for a request that is none, or an id in use, `ABORTED` when it was cancelled,
   * `DISPOSED` when the queue was disposed of, and with the errors of `loadKey` and `fullProve`.
   */
  add(request: QueueRequest): Promise<ProofOutcome>;
  /**
   * Waits for the proof with an id, in whichever page it is made, or gives its kept result.
   *
   * Rejects with the errors of `add`, `INTERRUPTED` when the page that made it was closed or loaded again (add it once
   * more: inputs are never kept), and `INVALID_HANDLE` for an unknown id, as of a proof that has failed or was
   * forgotten.
   */
  result(id: string, options?: { readonly signal?: AbortSignal }): Promise<ProofOutcome>;
  /** The pending proofs of this page in the order of their turns, and then all results that this page knows of. */
  list(): readonly QueuedProof[];
  /** Cancels a pending proof of this page: its callers get `ABORTED`. Gives whether there was one. */
  cancel(id: string): boolean;
  /** Deletes a kept result, when the wallet has taken it. Does nothing for an unknown id. */
  forget(id: string): void;
  /** Lets no proof begin until `resume`. Those that are being made go on. */
  pause(): void;
  /** Takes back `pause`. The queue may be paused for other reasons (`pausedBy`). */
  resume(): void;
  /**
   * Cancels all proofs of this page (`DISPOSED`) and frees the keys. Results stay. The prover stays, too. Idempotent.
   */
  dispose(): Promise<void>;
}
