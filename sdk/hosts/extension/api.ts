import type {
  Capabilities,
  CircuitInputs,
  Groth16Key,
  Groth16Proof,
  Groth16VerificationKey,
  KeyLoadOptions,
  ProveOptions,
  ProveResult,
  ProverOptions,
  VerifyOptions,
} from '../../api/index.js';
import type { Notice, Phase } from '../../api/progress.js';

/**
 * A file of the extension, or another URL that its document may fetch. A path is relative to the root of the extension,
 * whichever page gives it: `keys/spend.zkey` and `/keys/spend.zkey` are the same file.
 */
export type ExtensionFile = string | URL;

export interface ConnectOptions {
  /**
   * The page that calls `serveProver`, by its path in the extension. Default `offscreen.html`. Chromium opens it as the
   * extension's offscreen document when it is first needed. Firefox has no offscreen documents: there the background
   * page calls `serveProver`, and this is not used.
   */
  readonly document?: string;
  /**
   * Why the extension has an offscreen document, for those who review it (`justification` of
   * `chrome.offscreen.createDocument`).
   */
  readonly justification?: string;
  /**
   * Called with the notices of the prover, whichever caller caused them, while this caller is connected; without
   * `CIRCUIT_LOG`, which only the caller of the proof gets, by its `onProgress`.
   */
  readonly onNotice?: (notice: Notice) => void;
}

export interface ServeOptions {
  /** Options of the prover, which is created at the first call. Its `onNotice` is called besides the callers' own. */
  readonly prover?: ProverOptions;
  /**
   * Milliseconds that the result of a proof with an `id` is kept after it has ended, up to a day; default 600 000 (10
   * minutes). Results are kept in the document's memory alone, and are gone when the document is.
   */
  readonly keepResultsMs?: number;
  /** The most proofs with an `id`, pending or kept, 1 to 1000; default 16. A new one evicts the oldest result. */
  readonly maxResults?: number;
  /** The most proving keys that stay loaded, 1 to 64; default 4. The least recently used one (LRU) is freed first. */
  readonly maxKeys?: number;
  /**
   * Milliseconds without a call and without a kept result after which the prover is ended and its memory freed, from
   * 1000 up to a day; default 300 000 (5 minutes). An offscreen document is then closed. The next call starts all of it
   * again, and keys come from the cache.
   */
  readonly idleMs?: number;
  /**
   * Whether an offscreen document is closed after `idleMs`; default true. False if it has other work as well: then only
   * the prover is ended.
   */
  readonly closesDocument?: boolean;
  /**
   * Called when a proof with an `id` has ended in any way, by itself or by `discard`. The document can wake the service
   * worker here: `onEnded: (id) => chrome.runtime.sendMessage({ type: 'proof-ended', id })`.
   */
  readonly onEnded?: (id: string) => unknown;
}

/** What `serveProver` gives. */
export interface ProverServer {
  /**
   * Stops serving: running calls reject with `PROVER_LOST`, results are dropped, and the prover is disposed. Never
   * rejects.
   */
  close(): Promise<void>;
}

/** Options of a proof that the document makes for another page. */
export interface ExtensionProveOptions extends ProveOptions {
  /**
   * A name for the proof, 1 to 200 characters that hold no secret. With it the proof belongs to the document and not to
   * the caller: it goes on when the popup is closed or the service worker is ended, any page of the extension can wait
   * for it with `result(id)`, and its result is kept for `keepResultsMs`. A second proof with the id of a kept one is
   * refused (`INVALID_ARGUMENT`), so that one request is proved once.
   *
   * Without it, the proof is aborted when its caller disappears.
   */
  readonly id?: string;
}

/** A proof with an `id`. */
export interface KeptProof {
  readonly id: string;
  readonly state: 'proving' | 'proved' | 'failed';
  /** When it began, in milliseconds since 1970. */
  readonly began: number;
  /** The latest progress; left out before the first. */
  readonly progress?: { readonly phase: Phase; readonly done: number; readonly total: number };
}

/**
 * A proving key that the document has loaded. Callers that load the same file with the same options share it. If the
 * document was closed meanwhile, the next proof loads it again.
 */
export interface ExtensionKey extends Groth16Key {
  /**
   * Says that this caller no longer needs it. It is freed when no other connected caller has loaded it, and no proof
   * uses it. If the last caller goes without a word, it stays until another key needs the room (`maxKeys`). Idempotent.
   */
  dispose(): Promise<void>;
}

/**
 * A proving key that the document loads for a proof, unless it is loaded. Then loading belongs to the proof: the
 * progress of both is one scale, and loading ends with the proof, and goes on with it where that has an `id`.
 */
export interface KeyFile {
  /** The `.zkey`; a key in chunks is the list of its files. */
  readonly zkey: ExtensionFile | readonly ExtensionFile[];
  readonly options?: Omit<KeyLoadOptions, 'signal' | 'onProgress' | 'transfer'>;
}

/**
 * Groth16 as `Groth16` of a prover has it, with the errors listed there. Files are given by their URL or path, because
 * the document reads them itself; a witness may be given as bytes.
 */
export interface ExtensionGroth16 {
  /**
   * Loads a `.zkey` in the document, from its cache if it is there. `transfer` has no effect. A key in chunks is the
   * list of its files.
   */
  loadKey(zkey: KeyFile['zkey'], options?: KeyLoadOptions): Promise<ExtensionKey>;
  /**
   * Makes a proof from a `.wtns` file, given as bytes of at most 47 MiB (`INVALID_LENGTH`) or by its URL. A page can
   * give larger ones by `URL.createObjectURL` while it is open.
   */
  prove(
    key: ExtensionKey | KeyFile,
    witness: Uint8Array | ArrayBuffer | ExtensionFile,
    options?: ExtensionProveOptions,
  ): Promise<ProveResult>;
  /** Computes the witness from inputs, then makes a proof. */
  fullProve(
    key: ExtensionKey | KeyFile,
    inputs: CircuitInputs,
    wasm: ExtensionFile,
    options?: ExtensionProveOptions,
  ): Promise<ProveResult>;
  verify(
    verificationKey: Groth16VerificationKey,
    publicSignals: readonly string[],
    proof: Groth16Proof,
    options?: VerifyOptions,
  ): Promise<boolean>;
}

/**
 * The prover of an extension's document, for its other pages and its service worker. Besides the errors of each method,
 * every method rejects with
 *
 * - `PROVER_LOST` when the document closed or died before it answered, or does not answer. The next call opens it
 *   again.
 * - `EXTENSION_RELOADED` when the extension was updated, reloaded or disabled while this page stayed.
 * - `INVALID_LENGTH` for arguments of more than 64 MiB, written as JSON.
 * - `DISPOSED` after `disconnect`, `ABORTED` when its signal fires, and `INVALID_ARGUMENT` for options of a wrong type
 *   and while 64 calls of this connection are under way.
 * - `UNSUPPORTED_ENVIRONMENT` outside of an extension, in Chromium without the permission `offscreen` if no page
 *   answers, and when the extension's only offscreen document is another page.
 */
export interface ExtensionProver {
  readonly groth16: ExtensionGroth16;
  /** What the document's prover computes with at present. Starts it if need be. */
  capabilities(): Promise<Capabilities>;
  /** The proofs with an `id` that the document has, oldest first. It opens no document: without one there are none. */
  proofs(): Promise<readonly KeptProof[]>;
  /**
   * The result of the proof with that id, when it is there. Its latest progress is reported at once, then all later
   * progress. Aborting this call leaves the proof alone. Rejects with the error of the proof, and with `INVALID_HANDLE`
   * for an id that the document does not have: it was never begun, its time is over, it was discarded, or the document
   * was closed meanwhile. Then it can be proved again.
   */
  result(id: string, options?: Pick<ProveOptions, 'signal' | 'onProgress'>): Promise<ProveResult>;
  /**
   * Aborts the pending proof with that id (`ABORTED` for all who wait for it), and forgets its result. Does nothing for
   * an unknown id.
   */
  discard(id: string): Promise<void>;
  /** Deletes the keys that the prover has cached on this device. */
  clearCache(): Promise<void>;
  /**
   * Ends this connection. Running calls reject with `DISPOSED`; proofs with an `id` go on. The document stays for other
   * callers.
   */
  disconnect(): void;
}
