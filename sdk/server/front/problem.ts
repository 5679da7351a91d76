import { PippinError, type PippinErrorCode } from '../../errors.js';

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
  /** The API key has as many requests open that wait for a job as it may have. */
  | 'TOO_MANY_WAITING'
  /** This server is closing. */
  | 'UNAVAILABLE';

export type ProblemCode = PippinErrorCode | RequestErrorCode;

/** The one shape of every response that is not what was asked for, of the media type `application/problem+json`. */
export interface Problem {
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
  TOO_MANY_WAITING: 429,
  QUEUE_UNAVAILABLE: 503,
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

/** The problem of an error whose message is meant for callers. */
export function problemOf(error: RequestError | PippinError): Problem {
  const { code, message, hint } = error;
  return hint === undefined ? { code, message } : { code, message, hint };
}

export const isForCallers = (error: unknown): error is RequestError | PippinError =>
  error instanceof RequestError || error instanceof PippinError;
