import { PippinError, type PippinErrorCode } from 'pippin-prover';

/** What can be wrong with a request besides what a `PippinError` names. The codes are stable. */
export type RequestErrorCode =
  /** No API key, or one that is not known. */
  | 'UNAUTHENTICATED'
  /** The API key may not do this. */
  | 'FORBIDDEN'
  /** No such path, or no job of this id that belongs to the API key. */
  | 'NOT_FOUND'
  /** The request did not arrive in time. */
  | 'TIMED_OUT'
  /** The job has no result yet. */
  | 'NOT_READY'
  /** The job was cancelled, so that it will never have a result. */
  | 'CANCELLED'
  /** The body is longer than this kind of body may be. */
  | 'TOO_LARGE'
  /** The body is neither JSON nor a witness. */
  | 'UNSUPPORTED_MEDIA_TYPE'
  /** The API key has sent more requests than its rate allows. */
  | 'RATE_LIMITED'
  /** The API key has as many unfinished jobs as it may have. */
  | 'TOO_MANY_JOBS'
  /** The unfinished jobs of the API key have as many bytes as they may have. */
  | 'TOO_MANY_BYTES'
  /** The API key sends as many bytes at a time as it may. */
  | 'TOO_MANY_BODIES'
  /** The API key has as many requests open that wait for a job as it may have. */
  | 'TOO_MANY_WAITING'
  /** This server receives as many bytes at a time as it may. */
  | 'OVERLOADED'
  /** This server is closing. */
  | 'UNAVAILABLE';

/** The codes of a `Problem`: errors of proving, and errors of a request. */
export type ProblemCode = PippinErrorCode | RequestErrorCode;

/** The one shape of every response that is not what was asked for, of the media type `application/problem+json`. */
export interface Problem {
  /** What is wrong. Codes are stable. */
  readonly code: ProblemCode;
  /** What was expected and what came. It never shows a value of an input, of a witness or of an API key. */
  readonly message: string;
  /** What the caller can do about it, where there is something to suggest. */
  readonly hint?: string;
}

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

/** HTTP's status for each code. Faults that are not the caller's, which are not listed, are 500. */
const STATUS: Partial<Readonly<Record<ProblemCode, number>>> = {
  INVALID_ARGUMENT: 400,
  INVALID_LENGTH: 400,
  MALFORMED_FILE: 400,
  UNSUPPORTED_FORMAT: 400,
  CURVE_MISMATCH: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  TIMED_OUT: 408,
  NOT_READY: 409,
  CANCELLED: 410,
  DEADLINE_PASSED: 410,
  TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  INVALID_INPUT: 422,
  INVALID_SCALAR: 422,
  WITNESS_REJECTED: 422,
  PROOF_INVALID: 422,
  RATE_LIMITED: 429,
  TOO_MANY_JOBS: 429,
  TOO_MANY_BYTES: 429,
  TOO_MANY_BODIES: 429,
  TOO_MANY_WAITING: 429,
  QUEUE_UNAVAILABLE: 503,
  OVERLOADED: 503,
  UNAVAILABLE: 503,
};

export function statusOf(code: string): number {
  return STATUS[code as ProblemCode] ?? 500;
}

/** A problem that is thrown by a hook or handler of the front, and answered by `setErrorHandler`. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  readonly code: ProblemCode;
  readonly hint: string | undefined;
  /** Seconds after which the request may succeed. */
  readonly retryAfter: number | undefined;

  constructor(
    code: ProblemCode,
    message: string,
    options: { hint?: string; retryAfter?: number; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.hint = options.hint;
    this.retryAfter = options.retryAfter;
  }
}

const WTNS_HINT = "send a whole .wtns file, as snarkjs or the circuit's own program writes it";
const WITNESS_FAILED_HINT = 'the circuit failed, not its inputs: tell the operator';
const PROOF_INVALID_HINT =
  "check the witness against the circuit (snarkjs wtns check); if it satisfies it, tell the operator, whose key may be another circuit's";

/**
 * What can be done over HTTP about an error of the library, in place of its own hint: an HTTP client has neither the
 * key nor the source of the circuit, and calls no function of the library. Where a place knows more than the usual hint
 * of a code, its hint stays.
 */
const HINTS: Partial<Readonly<Record<ProblemCode, string>>> = {
  INVALID_INPUT:
    "send every input signal of the circuit by its name, with as many values as it has; the circuit's author knows both",
  INVALID_SCALAR:
    'compute the witness again: its values must be below the order of the curve, which GET /v1/circuits names',
  MALFORMED_FILE: WTNS_HINT,
  UNSUPPORTED_FORMAT: WTNS_HINT,
  CURVE_MISMATCH: 'the witness is of a circuit over another curve: GET /v1/circuits names the curve of each',
  WITNESS_REJECTED: 'check that the inputs are complete, belong together and are of the present state',
  WITNESS_FAILED: WITNESS_FAILED_HINT,
  PROOF_INVALID: PROOF_INVALID_HINT,
};
/** Codes whose other hints are for operators as well. */
const FOR_OPERATORS: ReadonlySet<ProblemCode> = new Set(['WITNESS_FAILED', 'PROOF_INVALID']);

/** The problem of an error whose message is meant for callers. */
export function problemOf({ code, message, hint }: Problem | RequestError | PippinError): Problem {
  const isUsual =
    hint === undefined || hint === new PippinError(code as PippinErrorCode, message).hint || FOR_OPERATORS.has(code);
  const shown = isUsual ? HINTS[code] : hint;
  return shown === undefined ? { code, message } : { code, message, hint: shown };
}

export const isForCallers = (error: unknown): error is RequestError | PippinError =>
  error instanceof RequestError || error instanceof PippinError;
