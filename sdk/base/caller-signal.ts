import { abortError } from './abort.js';
import { describeType } from './describe.js';
import { PippinError } from './errors.js';

/**
 * The `signal` of a call's options: an AbortSignal of any realm, or none. `INVALID_ARGUMENT` for anything else, also for one that throws when
 * it is used, such as a Proxy of a signal.
 */
export class CallerSignal {
  constructor(private readonly signal: unknown) {
    if (signal === undefined || signal === null) return;
    const { aborted, addEventListener, removeEventListener } = this.used((own) => ({
      aborted: own.aborted,
      addEventListener: own.addEventListener,
      removeEventListener: own.removeEventListener,
    }))!;
    const fits = typeof aborted === 'boolean';
    if (!fits || typeof addEventListener !== 'function' || typeof removeEventListener !== 'function')
      throw this.wrong();
  }

  /** Throws `ABORTED` if the signal has fired. */
  throwIfAborted(): void {
    if (this.used((own) => own.aborted) === true) throw this.error();
  }

  /** Calls `callback` with the error `ABORTED` when the signal fires, unless the function that is returned was called before. */
  onAbort(callback: (error: PippinError) => void): () => void {
    const listener = (): void => callback(this.error());
    this.used((own) => own.addEventListener('abort', listener, { once: true }));
    return () => this.used((own) => own.removeEventListener('abort', listener));
  }

  private error(): PippinError {
    return abortError(this.used((own) => ({ reason: own.reason })) as AbortSignal | undefined);
  }

  /** What `use` makes of the signal; undefined if there is none. */
  private used<T>(use: (signal: AbortSignal) => T): T | undefined {
    if (this.signal === undefined || this.signal === null) return undefined;
    try {
      return use(this.signal as AbortSignal);
    } catch (error) {
      throw this.wrong(error);
    }
  }

  private wrong(cause?: unknown): PippinError {
    return new PippinError('INVALID_ARGUMENT', `expected signal as an AbortSignal, got ${describeType(this.signal)}`, {
      cause,
      hint: 'give the signal of an AbortController, not the controller itself',
    });
  }
}
