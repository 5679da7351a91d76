import { asPippinError, PippinError, type PippinErrorCode } from './errors.js';
import { ownMembers } from './records.js';

/** An error as JSON, between threads, pages and processes. */
export interface PlainError {
  readonly code: PippinErrorCode;
  readonly message: string;
  readonly hint?: string;
}

/** What was thrown, as JSON. Causes and stacks stay behind. */
export function plainError(thrown: unknown): PlainError {
  const { code, message, hint } = asPippinError(thrown);
  return { code, message, ...(hint === undefined ? {} : { hint }) };
}

/** The error of `plainError`. */
export function errorOf(plain: unknown): PippinError {
  const { code, message, hint } = ownMembers(plain);
  if (typeof code !== 'string' || typeof message !== 'string') {
    return new PippinError('INTERNAL', 'expected an error with a code, got something else');
  }
  return new PippinError(code as PippinErrorCode, message, { hint: typeof hint === 'string' ? hint : undefined });
}
