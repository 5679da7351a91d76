import { PippinError, type PippinErrorCode } from 'pippin-prover';

/** The errors of a request beyond the codes of `PippinError`. The codes are stable. */
export type RequestErrorCode =
  /** No API key, or an unknown one. */
  | 'UNAUTHENTICATED'
  /** The API key may not do this. */
  | 'FORBIDDEN'
  /** No such path, or no such job of the API key. */
  | 'NOT_FOUND'
  /** The request did not arrive in time. */
  | 'TIMED_OUT'
  /** The job has no result yet. */
  | 'NOT_READY'
  /** The job was cancelled and will never have a result. */
  | 'CANCELLED'
  /** The body is too long for its kind. */
  | 'TOO_LARGE'
  /** The body is neither JSON nor a witness. */
  | 'UNSUPPORTED_MEDIA_TYPE'
  /** The API key exceeds its rate of requests. */
  | 'RATE_LIMITED'
  /** The API key has reached its maximum of unfinished jobs. */
  | 'TOO_MANY_JOBS'
  /** The unfinished jobs of the API key have reached their maximum of bytes. */
  | 'TOO_MANY_BYTES'
  /** The API key sends its maximum of concurrent bytes. */
  | 'TOO_MANY_BODIES'
  /** The API key has its maximum of requests that wait for a job. */
  | 'TOO_MANY_WAITING'
  /** This server receives its maximum of concurrent bytes. */
  | 'OVERLOADED'
  /** This server is closing. */
  | 'UNAVAILABLE';

/** The codes of a `Problem`: errors of proving, and errors of a request. */
export type ProblemCode = PippinErrorCode | RequestErrorCode;

/** The shape of every error response, of the media type `application/problem+json`. */
export interface Problem {
  /** The kind of error. Codes are stable. */
  readonly code: ProblemCode;
  /** What was expected and what came. It never shows a value of an input, of a witness or of an API key. */
  readonly message: string;
  /** What the caller can do about it, where there is something to suggest. */
  readonly hint?: string;
}

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

/** The HTTP status of each code. Others are not the caller's fault: 500. */
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

/** A problem thrown by a hook or handler of the front, and answered by `setErrorHandler`. */
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
 * Hints for HTTP clients, in place of the library's own: a client has neither the key nor the source of the circuit,
 * and calls no function of the library. More specific hints of an error are kept.
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
