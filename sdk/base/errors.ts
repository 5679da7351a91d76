import { messageOf } from './describe.js';
import { ownMembers } from './records.js';

export { messageOf };

/** Every way a call into Pippin can fail, by name. Codes are stable; messages are for people. */
export type PippinErrorCode =
  /** The caller's AbortSignal fired. */
  | 'ABORTED'
  /** An argument has the wrong type or lies outside its range. */
  | 'INVALID_ARGUMENT'
  /** The number of bytes does not fit the number of elements. */
  | 'INVALID_LENGTH'
  /** A file ends early, lacks a section, or contradicts itself. */
  | 'MALFORMED_FILE'
  /** A file is well formed, but of a kind, version, curve or protocol that Pippin does not support. */
  | 'UNSUPPORTED_FORMAT'
  /**
   * A proving key or circuit is not the expected one: its SHA-256 differs, or the key belongs to another verification
   * key.
   */
  | 'KEY_MISMATCH'
  /** A key has had no contribution in phase 2 of its set-up, so that anyone can forge proofs for it. */
  | 'KEY_UNFINISHED'
  /** Two inputs belong to different curves, or a curve has no such group. */
  | 'CURVE_MISMATCH'
  /** A coordinate is not below the field's modulus, or a point is not on its curve. */
  | 'INVALID_POINT'
  /** A scalar is not below the group's order. */
  | 'INVALID_SCALAR'
  /** A circuit's input signal is missing, unknown, not a number or out of range, or has the wrong number of values. */
  | 'INVALID_INPUT'
  /** A circuit's own check failed while its witness was being computed. */
  | 'WITNESS_REJECTED'
  /** A circuit's own WASM trapped, broke its interface, or took longer than `witnessTimeout`. */
  | 'WITNESS_FAILED'
  /**
   * A proof was computed but does not verify: the witness does not satisfy the circuit, or the key is wrong; the
   * message says what is known.
   */
  | 'PROOF_INVALID'
  /** A result failed its check on every backend that could compute it. */
  | 'RESULT_INVALID'
  /** No usable WebGPU adapter or device, or the script with a curve's shaders cannot be loaded. */
  | 'WEBGPU_UNAVAILABLE'
  /** The GPU device was lost while it worked, or reported an error. */
  | 'DEVICE_LOST'
  /** The work does not fit the memory budget, the device, or a WASM memory. */
  | 'OUT_OF_MEMORY'
  /** The environment lacks something that Pippin requires: workers, WebAssembly, or the permission to compile it. */
  | 'UNSUPPORTED_ENVIRONMENT'
  /** A call of snarkjs that `pippin-prover/snarkjs` does not have. */
  | 'UNSUPPORTED_CALL'
  /** A worker could not be started, or died; the message names its script. */
  | 'WORKER_FAILED'
  /** A file or URL could not be read or written. */
  | 'IO_FAILED'
  /** A download has more bytes, decompressed, than `maxBytes` allows. */
  | 'DOWNLOAD_TOO_LARGE'
  /**
   * What did the work ended in the middle of it: a page was reloaded, closed or sent to the background. It can be asked
   * for again.
   */
  | 'INTERRUPTED'
  /** The prover, or a handle that belongs to it, was disposed. */
  | 'DISPOSED'
  /** A handle of bases, a key or a circuit that another prover loaded, or one of the wrong kind. */
  | 'INVALID_HANDLE'
  /**
   * The page that proves does not answer, or was closed or died in mid-call: an extension's document, which the next
   * call opens again, or a webview's page.
   */
  | 'PROVER_LOST'
  /** Extensions: the extension was updated, reloaded or disabled, and this page belongs to what it was before. */
  | 'EXTENSION_RELOADED'
  /** Prover farms: Redis cannot be reached, or does not do what it is asked for. */
  | 'QUEUE_UNAVAILABLE'
  /** Prover farms: the job was not proved before its deadline. */
  | 'DEADLINE_PASSED'
  /** A bug in Pippin. Please report it. */
  | 'INTERNAL';

/** What can usually be done about an error of a code, where its place knows nothing better. */
export const USUAL_HINTS: Partial<Readonly<Record<PippinErrorCode, string>>> = {
  INVALID_LENGTH: 'compare the number of bytes with what the curve, the group and the number of elements need',
  MALFORMED_FILE: 'the file may be cut short or altered: compare its size and hash with the original, and get it again',
  UNSUPPORTED_FORMAT: 'make the file with a current circom, or with snarkjs 0.7',
  CURVE_MISMATCH: 'key, witness, circuit, proof and points must all be of one curve, which has what is asked for',
  INVALID_POINT:
    'the points may be altered, of another curve or group, or in another form: they are little-endian, and Montgomery form must be named',
  INVALID_SCALAR:
    'reduce scalars modulo the order of the group; they are little-endian, and the option scalarsForm names Montgomery form',
  INVALID_INPUT:
    "names and sizes of inputs are in the 'signal input' lines of the circuit's main component; its WASM does not hold the names: " +
    'loadCircuit(wasm, { inputs: [names] }) takes them, so that errors name what is missing',
  WITNESS_REJECTED: 'the inputs do not satisfy the circuit: look at the place in its source, or add log() there',
  WITNESS_FAILED: 'compile the circuit again with a current circom, or do not trust it',
  RESULT_INVALID: 'use the wasm backend, and load the bases or the key again; if it stays, please report it',
  DEVICE_LOST: 'try again, or use the wasm backend',
  WEBGPU_UNAVAILABLE: 'use the backend auto or wasm, or a browser and driver with WebGPU',
  OUT_OF_MEMORY: 'dispose of keys and bases that are not needed, use fewer threads, or close other pages',
  WORKER_FAILED: 'create another prover; if it stays, use fewer threads',
  DISPOSED: 'create another prover, or load again what was disposed of',
  INVALID_HANDLE:
    'give what this prover has loaded: a key from loadKey, bases from loadBases, a circuit from loadCircuit',
  INTERNAL: 'this is a bug: please report it with what was called',
};

/**
 * The only error type that Pippin throws. It keeps its code and hint when it crosses from a worker. No message holds
 * the secrets of a URL.
 *
 * @example
 * ```js run
 * import { createProver, PippinError } from 'pippin-prover';
 *
 * const prover = await createProver();
 * try {
 *   await prover.loadKey('missing.zkey');
 * } catch (error) {
 *   if (!(error instanceof PippinError)) throw error;
 *   console.log(error.code, error.message, error.hint ?? '');
 * }
 * await prover.dispose();
 * ```
 */
export class PippinError extends Error {
  /** The name of the class, which tells it from other errors. */
  override readonly name = 'PippinError';
  /** What has failed. Codes are stable: decide by them, and show the message to people. */
  readonly code: PippinErrorCode;
  /** What the caller can do about it; undefined if there is nothing to suggest. */
  readonly hint: string | undefined;

  constructor(code: PippinErrorCode, message: string, options: { cause?: unknown; hint?: string | undefined } = {}) {
    const { cause, hint } = ownMembers(options);
    super(withoutUrlSecrets(message), cause === undefined ? undefined : { cause });
    this.code = code;
    this.hint = hint ?? USUAL_HINTS[code];
  }
}

/**
 * A text in which URLs have neither userinfo nor query nor fragment: these may be passwords and tokens, and messages
 * end up in logs.
 */
export function withoutUrlSecrets(text: string): string {
  return text.replace(/:\/\/(?:[^\s/?#]*@)?([^\s?#]*)\S*/g, '://$1');
}

/** `error` itself if it is a `PippinError`, otherwise a `PippinError` of the given code with `error` as its cause. */
export function asPippinError(
  error: unknown,
  code: PippinErrorCode = 'INTERNAL',
  context = '',
  hint?: string,
): PippinError {
  if (error instanceof PippinError) return error;
  const text = messageOf(error);
  const message = context === '' ? text : `${context}: ${text}`;
  return new PippinError(code, message, { cause: error, hint });
}
