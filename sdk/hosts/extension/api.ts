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

/** Options of `connectProver`. */
export interface ConnectOptions {
  /**
   * The page that calls `serveProver`, by its path in the extension. Chromium opens it as the
   * extension's offscreen document when it is first needed. Firefox has no offscreen documents: there the background
   * page calls `serveProver`, and this is not used.
   *
   * @defaultValue `offscreen.html`
   */
  readonly document?: string;
  /**
   * Why the extension has an offscreen document, for those who review it (`justification` of
   * `chrome.offscreen.createDocument`).
   *
   * @defaultValue a sentence about proofs
   */
  readonly justification?: string;
  /**
   * Called with the notices of the prover, whichever caller caused them, while this caller is connected; without
   * `CIRCUIT_LOG`, which only the caller of the proof gets, by its `onProgress`.
   *
   * @defaultValue none
   */
  readonly onNotice?: (notice: Notice) => void;
}

/** Options of `serveProver`. */
export interface ServeOptions {
  /**
   * Options of the prover, which is created at the first call. Its `onNotice` is called besides the callers' own.
   *
   * @defaultValue the defaults of `createProver`
   */
  readonly prover?: ProverOptions;
  /**
   * Milliseconds that the result of a proof with an `id` is kept after it has ended, up to a day. Results are kept in
   * the document's memory alone, and are gone when the document is.
   *
   * @defaultValue 600 000 (10 minutes)
   */
  readonly keepResultsMs?: number;
  /**
   * The most proofs with an `id`, pending or kept, 1 to 1000. A new one evicts the oldest result.
   *
   * @defaultValue 16
   */
  readonly maxResults?: number;
  /**
   * The most proving keys that stay loaded, 1 to 64. The least recently used one (LRU) is freed first.
   *
   * @defaultValue 4
   */
  readonly maxKeys?: number;
  /**
   * Milliseconds without a call and without a kept result after which the prover is ended and its memory freed, from
   * 1000 up to a day; default 300 000 (5 minutes). An offscreen document is then closed. The next call starts all of it
   * again, and keys come from the cache.
   *
   * @defaultValue 300 000 (5 minutes)
   */
  readonly idleMs?: number;
  /**
   * Whether an offscreen document is closed after `idleMs`. False if it has other work as well: then only the prover is
   * ended.
   *
   * @defaultValue true
   */
  readonly closesDocument?: boolean;
  /**
   * Called when a proof with an `id` has ended in any way, by itself or by `discard`. The document can wake the service
   * worker here: `onEnded: (id) => chrome.runtime.sendMessage({ type: 'proof-ended', id })`.
   *
   * @defaultValue none
   */
  readonly onEnded?: (id: string) => unknown;
}

/** What `serveProver` gives. */
export interface ProverServer {
  /**
   * Stops serving: running calls reject with `PROVER_LOST`, results are dropped, and the prover is disposed. Never
   * rejects; idempotent.
   *
   * @returns when the prover is disposed.
   * @example
   * ```js
   * import { serveProver } from 'pippin-prover/extension';
   *
   * const server = serveProver();
   * addEventListener('pagehide', () => void server.close());
   * ```
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
   *
   * @defaultValue none
   */
  readonly id?: string;
}

/** A proof with an `id`. */
export interface KeptProof {
  /** The `id` that its caller gave it. */
  readonly id: string;
  /** How it stands. */
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
   * Says that this caller no longer needs the key. It is freed when no other connected caller has loaded it, and no
   * proof uses it. If the last caller goes without a word, it stays until another key needs the room (`maxKeys`).
   * Idempotent.
   *
   * @returns when the document has been told.
   * @throws {PippinError} PROVER_LOST when the document closed or died before it answered.
   * @throws {PippinError} EXTENSION_RELOADED when the extension was updated, reloaded or disabled.
   * @example
   * ```js
   * import { connectProver } from 'pippin-prover/extension';
   *
   * const extension = connectProver();
   * const spend = await extension.groth16.loadKey('keys/spend.zkey');
   * const result = await extension.groth16.fullProve(spend, inputs, 'keys/spend.wasm');
   * await spend.dispose();
   * ```
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
  /**
   * Options of loading it, as in `Groth16.loadKey`.
   *
   * @defaultValue none
   */
  readonly options?: Omit<KeyLoadOptions, 'signal' | 'onProgress' | 'transfer'>;
}

/**
 * Groth16 as `Groth16` of a prover has it, with the same errors. Files are given by their URL or path, because the
 * document reads them itself; a witness may be given as bytes. Every method can also reject with the errors below.
 *
 * @throws {PippinError} PROVER_LOST when the document closed or died before it answered, or does not answer. The next
 * call opens it again.
 * @throws {PippinError} EXTENSION_RELOADED when the extension was updated, reloaded or disabled while this page stayed.
 * @throws {PippinError} INVALID_LENGTH for arguments of more than 64 MiB, written as JSON.
 * @throws {PippinError} DISPOSED after `disconnect`.
 * @throws {PippinError} ABORTED when the call's signal fires.
 * @throws {PippinError} INVALID_ARGUMENT for options of a wrong type, and while 64 calls of this connection are under
 * way.
 * @throws {PippinError} UNSUPPORTED_ENVIRONMENT outside of an extension, in Chromium without the permission `offscreen`
 * if no page answers, and when the extension's only offscreen document is another page.
 */
export interface ExtensionGroth16 {
  /**
   * Loads a `.zkey` in the document, from its cache if it is there. It rejects with the errors of `Groth16.loadKey`.
   *
   * @param zkey a path in the extension or a URL; a key in chunks is the list of its files.
   * @param options as in `Groth16.loadKey`; `transfer` has no effect.
   * @returns the key, which the document shares among its callers.
   * @throws {PippinError} IO_FAILED when the key cannot be read, and the other errors of `Groth16.loadKey`.
   * @example
   * ```js
   * import { connectProver } from 'pippin-prover/extension';
   *
   * const extension = connectProver();
   * const spend = await extension.groth16.loadKey('keys/spend.zkey', { sha256: SPEND_ZKEY_SHA256 });
   * console.log(spend.publicSignals);
   * ```
   */
  loadKey(zkey: KeyFile['zkey'], options?: KeyLoadOptions): Promise<ExtensionKey>;
  /**
   * Makes a proof from a `.wtns` file. It rejects with the errors of `Groth16.prove`.
   *
   * @param key a loaded key, or the file that the document loads for the proof.
   * @param witness bytes of at most 47 MiB, or a URL. A page can give larger ones by `URL.createObjectURL` while it is
   * open.
   * @param options as in `Groth16.prove`, and an `id` with which the proof outlives its caller.
   * @returns the proof and the public signals in snarkjs' form, and a report.
   * @throws {PippinError} INVALID_LENGTH for a witness of more than 47 MiB as bytes, or one for another circuit.
   * @throws {PippinError} PROOF_INVALID when the witness does not satisfy the key's circuit, and the other errors of
   * `Groth16.prove`.
   * @example
   * ```js
   * import { connectProver } from 'pippin-prover/extension';
   *
   * const extension = connectProver();
   * const { proof, publicSignals } = await extension.groth16.prove({ zkey: 'keys/spend.zkey' }, witness);
   * ```
   */
  prove(
    key: ExtensionKey | KeyFile,
    witness: Uint8Array | ArrayBuffer | ExtensionFile,
    options?: ExtensionProveOptions,
  ): Promise<ProveResult>;
  /**
   * Computes the witness from inputs, then makes a proof. It rejects with the errors of `Groth16.fullProve`.
   *
   * @param key a loaded key, or the file that the document loads for the proof.
   * @param inputs the circuit's input signals by name.
   * @param wasm the circuit's WASM: a path in the extension, or a URL.
   * @param options as in `Groth16.fullProve`, and an `id` with which the proof outlives its caller.
   * @returns the proof and the public signals in snarkjs' form, and a report.
   * @throws {PippinError} INVALID_INPUT for an input that is missing, unknown or not a number, and the other errors of
   * `Groth16.fullProve`.
   * @example
   * ```js
   * import { connectProver } from 'pippin-prover/extension';
   *
   * const extension = connectProver();
   * const { proof, publicSignals } = await extension.groth16.fullProve(
   *   { zkey: 'keys/spend.zkey' },
   *   inputs,
   *   'keys/spend.wasm',
   *   { id: 'transfer-17' },
   * );
   * ```
   */
  fullProve(
    key: ExtensionKey | KeyFile,
    inputs: CircuitInputs,
    wasm: ExtensionFile,
    options?: ExtensionProveOptions,
  ): Promise<ProveResult>;
  /**
   * Whether a proof holds for its public signals, as `Groth16.verify` says.
   *
   * @param verificationKey the key in snarkjs' JSON form.
   * @param publicSignals decimal or hexadecimal strings.
   * @param proof in snarkjs' JSON form.
   * @param options whether a key without a contribution is accepted.
   * @returns true if the proof holds, else false.
   * @throws {PippinError} MALFORMED_FILE for anything that is not in snarkjs' form, and the other errors of
   * `Groth16.verify`.
   * @example
   * ```js
   * import { connectProver } from 'pippin-prover/extension';
   *
   * const extension = connectProver();
   * const holds = await extension.groth16.verify(key.verificationKey, publicSignals, proof);
   * ```
   */
  verify(
    verificationKey: Groth16VerificationKey,
    publicSignals: readonly string[],
    proof: Groth16Proof,
    options?: VerifyOptions,
  ): Promise<boolean>;
}

/**
 * The prover of an extension's document, for its other pages and its service worker. Every method can reject with the
 * errors below.
 *
 * @throws {PippinError} PROVER_LOST when the document closed or died before it answered, or does not answer. The next
 * call opens it again.
 * @throws {PippinError} EXTENSION_RELOADED when the extension was updated, reloaded or disabled while this page stayed.
 * @throws {PippinError} INVALID_LENGTH for arguments of more than 64 MiB, written as JSON.
 * @throws {PippinError} DISPOSED after `disconnect`.
 * @throws {PippinError} ABORTED when the call's signal fires.
 * @throws {PippinError} INVALID_ARGUMENT for options of a wrong type, and while 64 calls of this connection are under
 * way.
 * @throws {PippinError} UNSUPPORTED_ENVIRONMENT outside of an extension, in Chromium without the permission `offscreen`
 * if no page answers, and when the extension's only offscreen document is another page.
 */
export interface ExtensionProver {
  /** Groth16 proofs, made by the document. */
  readonly groth16: ExtensionGroth16;
  /**
   * What the document's prover computes with at present. Starts it if need be.
   *
   * @returns the capabilities of that prover.
   * @throws {PippinError} PROVER_LOST when the document closed or died before it answered.
   * @example
   * ```js
   * import { connectProver } from 'pippin-prover/extension';
   *
   * const extension = connectProver();
   * const { backend, threads } = await extension.capabilities();
   * ```
   */
  capabilities(): Promise<Capabilities>;
  /**
   * The proofs with an `id` that the document has, oldest first. It opens no document: without one there are none.
   *
   * @returns how each stands.
   * @throws {PippinError} EXTENSION_RELOADED when the extension was updated, reloaded or disabled while this page
   * stayed.
   * @example
   * ```js
   * import { connectProver } from 'pippin-prover/extension';
   *
   * const extension = connectProver();
   * for (const { id, state } of await extension.proofs()) console.log(id, state);
   * ```
   */
  proofs(): Promise<readonly KeptProof[]>;
  /**
   * The result of the proof with that id, when it is there. Its latest progress is reported at once, then all later
   * progress. Aborting this call leaves the proof alone.
   *
   * @param id the proof's `id`.
   * @param options signal and progress of this wait.
   * @returns the proof and the public signals in snarkjs' form, and a report. It rejects with the proof's own error if
   * that failed.
   * @throws {PippinError} INVALID_HANDLE for an id that the document does not have: it was never begun, its time is
   * over, it was discarded, or the document was closed meanwhile. Then it can be proved again.
   * @example
   * ```js
   * import { connectProver } from 'pippin-prover/extension';
   *
   * const extension = connectProver();
   * const { proof, publicSignals } = await extension.result('transfer-17');
   * await extension.discard('transfer-17');
   * ```
   */
  result(id: string, options?: Pick<ProveOptions, 'signal' | 'onProgress'>): Promise<ProveResult>;
  /**
   * Aborts the pending proof with that id (`ABORTED` for all who wait for it), and forgets its result. Does nothing for
   * an unknown id.
   *
   * @param id the proof's `id`.
   * @returns when it is forgotten.
   * @throws {PippinError} PROVER_LOST when the document closed or died before it answered.
   * @example
   * ```js
   * import { connectProver } from 'pippin-prover/extension';
   *
   * const extension = connectProver();
   * await extension.discard('transfer-17');
   * ```
   */
  discard(id: string): Promise<void>;
  /**
   * Deletes the keys that the document's prover has cached on this device.
   *
   * @returns when they are deleted.
   * @throws {PippinError} IO_FAILED when the storage cannot delete them.
   * @example
   * ```js
   * import { connectProver } from 'pippin-prover/extension';
   *
   * const extension = connectProver();
   * await extension.clearCache();
   * ```
   */
  clearCache(): Promise<void>;
  /**
   * Ends this connection. Running calls reject with `DISPOSED`; proofs with an `id` go on. The document stays for other
   * callers. Throws nothing; idempotent.
   *
   * @returns nothing.
   * @example
   * ```js
   * import { connectProver } from 'pippin-prover/extension';
   *
   * const extension = connectProver();
   * addEventListener('pagehide', () => extension.disconnect());
   * ```
   */
  disconnect(): void;
}
