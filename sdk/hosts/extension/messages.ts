import type { AnyProveResult, Capabilities, CircuitInputs } from '../../api/index.js';
import type { Notice, ProgressEvent } from '../../api/progress.js';
import { describeType } from '../../base/describe.js';
import { PippinError } from '../../base/errors.js';
import type { PlainError } from '../../base/plain-error.js';
import type { Protocol } from '../../proofs/parts.js';
import type { ExtensionKey, KeptProof } from './api.js';
import type { ExtensionFflonkKey, ExtensionPlonkKey } from './universal-api.js';

/** The name of the ports. Other ports of the extension have other names. */
export const PORT_NAME = 'pippin-prover';

/**
 * Milliseconds between the heartbeats that the document sends to a caller with a pending call. Chromium ends a service
 * worker, and Firefox a background page, after 30 s without an event.
 */
export const ALIVE_MS = 20_000;

/** The call options that the prover reads, without functions and signals. */
export type PlainOptions = Readonly<Record<string, unknown>>;

/** A key, identified by its source. Callers with equal ones share it. */
export interface KeyRequest {
  readonly protocol: Protocol;
  /** Absolute URLs: one file, or the chunks of a key. */
  readonly urls: readonly string[];
  readonly isChunked: boolean;
  readonly options: PlainOptions;
}

/** What a caller learns of a loaded key. */
type LoadedKeyFacts =
  | Omit<ExtensionKey, 'dispose'>
  | Omit<ExtensionPlonkKey, 'dispose'>
  | Omit<ExtensionFflonkKey, 'dispose'>;

/** The arguments of `prove`. */
export interface ProveArgs {
  readonly key: KeyRequest;
  readonly work:
    | { readonly inputs: CircuitInputs; readonly wasm: string }
    | { readonly witnessUrl: string }
    | { readonly witnessBase64: string };
  readonly options: PlainOptions;
  readonly id?: string;
}

/** The methods of the document: arguments, in one object, and results. */
interface Methods {
  capabilities(args: object): Capabilities;
  loadKey(args: { readonly key: KeyRequest }): LoadedKeyFacts;
  releaseKey(args: { readonly key: KeyRequest }): null;
  prove(args: ProveArgs): AnyProveResult;
  verify(args: {
    readonly protocol: Protocol;
    readonly verificationKey: unknown;
    readonly publicSignals: unknown;
    readonly proof: unknown;
    readonly options: PlainOptions;
  }): boolean;
  proofs(args: object): readonly KeptProof[];
  result(args: { readonly id: string }): AnyProveResult;
  discard(args: { readonly id: string }): null;
  clearCache(args: object): null;
}

export type Method = keyof Methods;
export type Args<M extends Method> = Parameters<Methods[M]>[0];
export type Result<M extends Method> = ReturnType<Methods[M]>;

/** Messages of a caller. */
export type CallerMessage =
  /**
   * The handshake. `offscreen` is the URL of the document that the caller opened or found as the offscreen document.
   */
  | { readonly kind: 'hello'; readonly offscreen: string | null }
  | { readonly kind: 'call'; readonly call: number; readonly method: Method; readonly args: object }
  | { readonly kind: 'abort'; readonly call: number };

/** Messages of the document. */
export type DocumentMessage =
  /** The answer to the handshake. */
  | { readonly kind: 'hello' }
  /** The acknowledgement of a call. A call without one can be retried if the document is gone. */
  | { readonly kind: 'taken'; readonly call: number }
  | { readonly kind: 'event'; readonly call: number; readonly event: ProgressEvent }
  | { readonly kind: 'value'; readonly call: number; readonly value: unknown }
  | { readonly kind: 'error'; readonly call: number; readonly error: PlainError }
  | { readonly kind: 'notice'; readonly notice: Notice }
  | { readonly kind: 'alive' }
  /** The last message. A port may stay open after it, while another page of the extension listens. */
  | { readonly kind: 'end' };

/** A circuit's inputs for JSON: a bigint becomes its decimal digits, which count as the same value. */
export function jsonInputs(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (Array.isArray(value)) return value.map(jsonInputs);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, jsonInputs(member)]));
}

/** The chunk size of encoding in bytes; a multiple of 3, so that only the last chunk is padded. */
const PIECE = 3 * 2 ** 13;

/** The methods of ES2026, where the browser has them (Chrome 140, Firefox 133). */
type NativeBytes = Uint8Array<ArrayBuffer> & { toBase64?(): string };
type NativeConstructor = Uint8ArrayConstructor & { fromBase64?(text: string): Uint8Array<ArrayBuffer> };

/** Encodes bytes as base64, since messages of an extension are JSON in Chromium. */
export function toBase64(bytes: Uint8Array): string {
  const native = (bytes as NativeBytes).toBase64?.();
  if (native !== undefined) return native;
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += PIECE) {
    pieces.push(btoa(String.fromCharCode(...bytes.subarray(at, at + PIECE))));
  }
  return pieces.join('');
}

/** Decodes `toBase64`. `INVALID_ARGUMENT` for text that is not base64. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  let binary: string;
  try {
    const native = (Uint8Array as NativeConstructor).fromBase64?.(text);
    if (native !== undefined) return native;
    binary = atob(text);
  } catch {
    throw new PippinError('INVALID_ARGUMENT', `expected base64, got ${text.length} other characters`);
  }
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/** The most characters of an id. */
const MAX_ID = 200;

/** An id of a proof. `INVALID_ARGUMENT` for one that cannot be used. */
export function checkedId(id: unknown): string {
  if (typeof id === 'string' && id.length > 0 && id.length <= MAX_ID) return id;
  throw new PippinError(
    'INVALID_ARGUMENT',
    `expected id as a string of 1 to ${MAX_ID} characters, got ${describeType(id)}`,
  );
}

/** The error for an id that the document does not have. */
export function unknownId(): PippinError {
  return new PippinError('INVALID_HANDLE', 'expected the id of a proof that the document has, got another one', {
    hint: 'it was never begun, its time is over, it was discarded, or the document was closed: prove again',
  });
}
