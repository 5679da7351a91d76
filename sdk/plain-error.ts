import { asPippinError, PippinError, type PippinErrorCode } from './errors.js';
import { isObject } from './is-object.js';

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
  if (!isObject(plain) || typeof plain.code !== 'string' || typeof plain.message !== 'string') {
    return new PippinError('INTERNAL', 'expected an error with a code, got something else');
  }
  const code = plain.code as PippinErrorCode;
  return new PippinError(code, plain.message, { hint: typeof plain.hint === 'string' ? plain.hint : undefined });
}
