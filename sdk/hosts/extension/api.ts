import type {
  AnyProveResult,
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
import type { ExtensionFile, ExtensionProveOptions, KeyFile } from './request-api.js';
import type { ExtensionFflonk, ExtensionPlonk } from './universal-api.js';

/** Options of `connectProver`. */
export interface ConnectOptions {
  /**
   * The page that calls `serveProver`, by its path in the extension. Chromium opens it on demand as the extension's
   * offscreen document. Firefox has no offscreen documents: there the background page calls `serveProver`, and this
   * option has no effect.
   *
   * @defaultValue `offscreen.html`
   */
  readonly document?: string;
  /**
   * Why the extension has an offscreen document, for reviewers (`justification` of `chrome.offscreen.createDocument`).
   *
   * @defaultValue a sentence about proofs
   */
  readonly justification?: string;
  /**
   * Called with the notices of the prover, whichever caller caused them, while this caller is connected. `CIRCUIT_LOG`
   * goes only to the caller of the proof, by its `onProgress`.
   *
   * @defaultValue none
   */
  readonly onNotice?: (notice: Notice) => void;
}

/** Options of `serveProver`. */
export interface ServeOptions {
  /**
   * Options of the prover, which is created at the first call. Its `onNotice` is called in addition to the callers'
   * own.
   *
   * @defaultValue the defaults of `createProver`
   */
  readonly prover?: ProverOptions;
  /**
   * Milliseconds that the result of a proof with an `id` is kept, up to a day. Results are only in the document's
   * memory, and are lost when it closes.
   *
   * @defaultValue 600 000 (10 minutes)
   */
  readonly keepResultsMs?: number;
  /**
   * The maximum of proofs with an `id`, pending or kept, 1 to 1000. A new one evicts the oldest result.
   *
   * @defaultValue 16
   */
  readonly maxResults?: number;
  /**
   * The maximum of loaded proving keys, 1 to 64. The least recently used one (LRU) is evicted first.
   *
   * @defaultValue 4
   */
  readonly maxKeys?: number;
  /**
   * Milliseconds without a call and without a kept result after which the prover is ended and its memory freed, 1000 to
   * a day. An offscreen document is then closed. The next call starts everything again, and keys come from the cache.
   *
   * @defaultValue 300 000 (5 minutes)
   */
  readonly idleMs?: number;
  /**
   * Whether an offscreen document is closed after `idleMs`. If false, because it has other work, only the prover is
   * ended.
   *
   * @defaultValue true
   */
  readonly closesDocument?: boolean;
  /**
   * Called when a proof with an `id` has ended, also by `discard`. The document can wake the service worker here:
   * `onEnded: (id) => chrome.runtime.sendMessage({ type: 'proof-ended', id })`.
   *
   * @defaultValue none
   */
  readonly onEnded?: (id: string) => unknown;
}

/** The server that `serveProver` returns. */
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

/** A proof with an `id`. */
export interface KeptProof {
  /** The `id` from the caller. */
  readonly id: string;
  /** The state of the proof. */
  readonly state: 'proving' | 'proved' | 'failed';
  /** When it began, in milliseconds since 1970. */
  readonly began: number;
  /** The latest progress; absent before the first. */
  readonly progress?: { readonly phase: Phase; readonly done: number; readonly total: number };
}

/**
 * A proving key loaded by the document. Callers that load the same file with the same options share it. If the document
 * was closed meanwhile, the next proof loads it again.
 */
export interface ExtensionKey extends Groth16Key {
  /**
   * Releases the key for this caller. The document frees it when no connected caller holds it and no proof uses it. A
   * key whose last caller disconnected without this call stays until another key needs the room (`maxKeys`).
   * Idempotent.
   *
   * @returns when the document has confirmed.
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
   * @param witness bytes of at most 47 MiB, or a URL. A page can pass more by `URL.createObjectURL`, while it is open.
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
   * Whether a proof holds for its public signals, as in `Groth16.verify`.
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
  /** PLONK proofs, made by the document. */
  readonly plonk: ExtensionPlonk;
  /** FFLONK proofs, made by the document. */
  readonly fflonk: ExtensionFflonk;
  /**
   * The document's current backend and threads. Starts the prover if necessary.
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
   * The proofs with an `id` in the document, oldest first. Opens no document: without one the list is empty.
   *
   * @returns the state of each.
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
   * Waits for the result of the proof with that id. Reports its latest progress at once, then all later progress.
   * Aborting this call does not abort the proof.
   *
   * @typeParam Result the type of the result, `PlonkProveResult` or `FflonkProveResult` for a proof of these.
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
  result<Result extends AnyProveResult = ProveResult>(
    id: string,
    options?: Pick<ProveOptions, 'signal' | 'onProgress'>,
  ): Promise<Result>;
  /**
   * Aborts the pending proof with that id (`ABORTED` for every waiting caller), and deletes its result. Does nothing
   * for an unknown id.
   *
   * @param id the proof's `id`.
   * @returns when it is deleted.
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
   * Closes this connection. Running calls reject with `DISPOSED`; proofs with an `id` continue. The document stays for
   * other callers. Throws nothing; idempotent.
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
