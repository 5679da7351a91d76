import type {
  BinarySource,
  Circuit,
  CircuitInputs,
  Groth16Proof,
  Proof,
  ProveOptions,
  ProvingKeyLoadOptions,
  Report,
} from '../../api/index.js';
import type { Phase, ProgressListener } from '../../api/progress.js';
import type { JobState } from '../session/job-queue.js';

/** The options of `createProofQueue`. */
export interface ProofQueueOptions {
  /**
   * The most proofs that are made at a time, 1 to 16, over all pages of this origin whose queues have the same name.
   * Two at once take twice the memory, and on one device neither is done earlier: more than one pays only
   * for proofs that are too small to occupy it.
   *
   * @defaultValue 1
   */
  readonly parallel?: number;
  /**
   * The most bytes that the loaded keys of this page's queue have together, at least 1.
   * The least recently used ones (LRU) are freed, and a proof waits until its key has room beside the keys in use; a
   * single key is loaded whatever its size. A key counts by an estimate: 96 bytes for each of its points, which over
   * BN254 covers its constraints as well.
   *
   * @defaultValue no limit
   */
  readonly memoryBudget?: number;
  /**
   * The most keys that stay loaded, 1 to 64. The least recently used one (LRU) is freed first.
   *
   * @defaultValue 4
   */
  readonly maxKeys?: number;
  /**
   * 1 to 64 characters. Queues of one name share their results, and take turns over all pages of this origin.
   *
   * @defaultValue `proofs`
   */
  readonly name?: string;
  /**
   * Whether no proof begins while the page is out of sight. A proof that is being made goes on.
   *
   * @defaultValue false
   */
  readonly pauseWhenHidden?: boolean;
  /**
   * Whether no proof begins while the battery is low and not being charged: true for a level below 0.2, or the level,
   * from 0 to 1. A proof that is being made goes on. Only Chromium tells pages of the battery, and no
   * browser tells of its power-save mode; elsewhere this has no effect.
   *
   * @defaultValue false
   */
  readonly pauseOnLowBattery?: boolean | number;
  /**
   * Milliseconds that results are kept in IndexedDB, 0 to 2^31 - 1. They are proofs and public signals: inputs are
   * never kept. With 0 nothing is kept beyond the page.
   *
   * @defaultValue 86 400 000 (a day)
   */
  readonly keepResultsMs?: number;
  /**
   * The most results that are kept, 1 to 1000. The oldest one goes first.
   *
   * @defaultValue 64
   */
  readonly maxResults?: number;
  /**
   * Called with a proof whenever its state has changed, and with its progress.
   *
   * @defaultValue nobody
   */
  readonly onChange?: (proof: QueuedProof) => void;
}

/** What is to be proved. */
export interface QueueRequest {
  /**
   * A name for the proof, 1 to 200 characters that hold no secret. The result is kept under it. An id that is pending
   * or has a result, in whichever page, is refused (`INVALID_ARGUMENT`), so that one request is proved once.
   *
   * @defaultValue a random one
   */
  readonly id?: string;
  /**
   * Proofs of higher priority come first, then earlier ones. A finite number.
   *
   * @defaultValue 0
   */
  readonly priority?: number;
  /** The proving key: a `.zkey`, or the list of its chunks. */
  readonly zkey: BinarySource | readonly BinarySource[];
  /**
   * How the key is loaded, as `loadKey` takes it.
   *
   * @defaultValue none
   */
  readonly keyOptions?: Omit<ProvingKeyLoadOptions, 'signal' | 'onProgress' | 'transfer'>;
  /** The circuit's WASM, or what the queue's prover has loaded of it. */
  readonly circuit: BinarySource | Circuit;
  /** The circuit's inputs by the names of its signals. */
  readonly inputs: CircuitInputs;
  /**
   * How the proof is made, as `fullProve` takes it.
   *
   * @defaultValue none
   */
  readonly proveOptions?: Omit<ProveOptions, 'signal' | 'onProgress'>;
  /**
   * Cancels the proof, whether it waits or is being made.
   *
   * @defaultValue none
   */
  readonly signal?: AbortSignal;
  /**
   * Gets the events of loading the key and of proving, on one scale of progress.
   *
   * @defaultValue nobody
   */
  readonly onProgress?: ProgressListener;
}

/** A proof that was made. */
export interface ProofOutcome<Made extends Proof = Groth16Proof> {
  /** The proof's id. */
  readonly id: string;
  /** The proof in snarkjs' JSON form. */
  readonly proof: Made;
  /** The public signals as decimal strings. */
  readonly publicSignals: string[];
  /**
   * Undefined for a result that another page has made, or this one before it was loaded again: reports are not kept.
   */
  readonly report: Report | undefined;
}

/** How a proof stands. */
export interface QueuedProof {
  /** The proof's id. */
  readonly id: string;
  /** `paused`: it waits until the queue goes on. A failed or cancelled proof is reported once, and is not listed. */
  readonly state: JobState | 'proved' | 'failed';
  /** The priority of its request. */
  readonly priority: number;
  /** From 0 to 1; 1 once it is proved. */
  readonly progress: number;
  /** What is being done; undefined before the first event. */
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
   * @typeParam Made the type of the proof, such as `PlonkProof`: the file of the key tells the proof system, but the
   * compiler does not see it. With `Proof` the proof's `protocol` tells.
   * @param request what is to be proved.
   * @returns the proof, its public signals and the report.
   * @throws {PippinError} INVALID_ARGUMENT for a request that is none, or an id in use; or as `loadKey` and
   * `fullProve`.
   * @throws {PippinError} ABORTED when it was cancelled.
   * @throws {PippinError} DISPOSED when the queue was disposed.
   * @throws {PippinError} MALFORMED_FILE for a key or circuit that is none, as all other errors of `loadKey`.
   * @throws {PippinError} INVALID_INPUT for inputs that do not fit the circuit, as all other errors of `fullProve`.
   * @example
   * ```js
   * import { createProver } from 'pippin-prover';
   * import { createProofQueue } from 'pippin-prover/queue';
   *
   * const queue = createProofQueue(await createProver());
   * const request = { id: 'spend-1', zkey: '/keys/note.zkey', circuit: '/keys/note.wasm', inputs };
   * const { proof, publicSignals } = await queue.add(request);
   * console.log(proof, publicSignals);
   * ```
   */
  add<Made extends Proof = Groth16Proof>(request: QueueRequest): Promise<ProofOutcome<Made>>;
  /**
   * Waits for the proof with an id, in whichever page it is made, or gives its kept result.
   *
   * @typeParam Made as for `add`.
   * @param id the id of its request.
   * @param options `signal` ends the waiting alone, and not the proof.
   * @returns the proof, as `add` gives it; without a report if another page has made it.
   * @throws {PippinError} INTERRUPTED when the page that made it was closed or loaded again: add it once more, since
   * inputs are never kept.
   * @throws {PippinError} INVALID_HANDLE for an unknown id, as of a proof that has failed or was forgotten.
   * @throws {PippinError} ABORTED when the signal has fired, or the proof was cancelled.
   * @example
   * ```js
   * import { createProver } from 'pippin-prover';
   * import { createProofQueue } from 'pippin-prover/queue';
   *
   * const queue = createProofQueue(await createProver());
   * const { proof } = await queue.result('spend-1');
   * console.log(proof);
   * ```
   */
  result<Made extends Proof = Groth16Proof>(
    id: string,
    options?: { readonly signal?: AbortSignal },
  ): Promise<ProofOutcome<Made>>;
  /**
   * The pending proofs of this page in the order of their turns, and then all results that this page knows of. Throws
   * nothing.
   *
   * @returns a new array.
   * @example
   * ```js
   * import { createProver } from 'pippin-prover';
   * import { createProofQueue } from 'pippin-prover/queue';
   *
   * const queue = createProofQueue(await createProver());
   * console.log(queue.list().map(({ id, state }) => `${id}: ${state}`));
   * ```
   */
  list(): readonly QueuedProof[];
  /**
   * Cancels a pending proof of this page: its callers get `ABORTED`. Throws nothing.
   *
   * @typeParam Made as for `add`.
   * @param id the id of its request.
   * @returns whether there was one.
   * @example
   * ```js
   * import { createProver } from 'pippin-prover';
   * import { createProofQueue } from 'pippin-prover/queue';
   *
   * const queue = createProofQueue(await createProver());
   * console.log(queue.cancel('spend-1') ? 'cancelled' : 'not pending');
   * ```
   */
  cancel(id: string): boolean;
  /**
   * Deletes a kept result, when the wallet has taken it. Does nothing for an unknown id. Throws nothing.
   *
   * @typeParam Made as for `add`.
   * @param id the id of its request.
   * @returns nothing.
   * @example
   * ```js
   * import { createProver } from 'pippin-prover';
   * import { createProofQueue } from 'pippin-prover/queue';
   *
   * const queue = createProofQueue(await createProver());
   * queue.forget('spend-1');
   * ```
   */
  forget(id: string): void;
  /**
   * Lets no proof begin until `resume`. Those being made go on. Throws nothing.
   *
   * @returns nothing.
   * @example
   * ```js
   * import { createProver } from 'pippin-prover';
   * import { createProofQueue } from 'pippin-prover/queue';
   *
   * const queue = createProofQueue(await createProver());
   * queue.pause();
   * console.log(queue.pausedBy); // asked
   * ```
   */
  pause(): void;
  /**
   * Takes back `pause`. The queue may be paused for other reasons (`pausedBy`). Throws nothing.
   *
   * @returns nothing.
   * @example
   * ```js
   * import { createProver } from 'pippin-prover';
   * import { createProofQueue } from 'pippin-prover/queue';
   *
   * const queue = createProofQueue(await createProver());
   * queue.pause();
   * queue.resume();
   * ```
   */
  resume(): void;
  /**
   * Cancels all proofs of this page (`DISPOSED`) and frees the keys. Results stay. The prover stays, too. Idempotent.
   * Never rejects.
   *
   * @returns fulfilled when all has ended.
   * @example
   * ```js
   * import { createProver } from 'pippin-prover';
   * import { createProofQueue } from 'pippin-prover/queue';
   *
   * const queue = createProofQueue(await createProver());
   * await queue.dispose();
   * ```
   */
  dispose(): Promise<void>;
}
