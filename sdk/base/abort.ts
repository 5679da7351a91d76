import { describeType } from './describe.js';
import { PippinError } from './errors.js';

/** The error of a call whose signal has fired. */
export function abortError(signal?: AbortSignal): PippinError {
  return new PippinError('ABORTED', 'the call was aborted by its signal', { cause: signal?.reason });
}

/** Throws `ABORTED` when the signal has fired. Called between the steps of every long computation. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw abortError(signal);
}

/**
 * The callbacks of each signal. They share one listener: a long call has hundreds, and Node warns about more than ten
 * listeners.
 */
const callbacks = new WeakMap<AbortSignal, Set<() => void>>();

/** Calls `callback` when the signal fires, unless the function that is returned was called before. */
export function onAbort(signal: AbortSignal | undefined, callback: () => void): () => void {
  if (signal === undefined) return () => undefined;
  let set = callbacks.get(signal);
  if (set === undefined) {
    const created = new Set<() => void>();
    signal.addEventListener('abort', () => {
      for (const each of [...created]) each();
    });
    callbacks.set(signal, created);
    set = created;
  }
  set.add(callback);
  return () => set.delete(callback);
}

/**
 * `promise`, or a rejection with `ABORTED` as soon as the signal fires. The work behind the promise goes on, but its
 * outcome is ignored.
 */
export async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  promise.catch(() => undefined);
  throwIfAborted(signal);
  let stopListening = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stopListening = onAbort(signal, () => reject(abortError(signal)));
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    stopListening();
  }
}

/** Fulfilled after `ms` milliseconds, or when one of the signals fires. */
export function pause(ms: number, signals: readonly (AbortSignal | undefined)[]): Promise<void> {
  return new Promise((resolve) => {
    const stops = signals.map((signal) => onAbort(signal, () => end()));
    const timer = setTimeout(() => end(), signals.some((signal) => signal?.aborted) ? 0 : ms);
    const end = (): void => {
      clearTimeout(timer);
      for (const stop of stops) stop();
      resolve();
    };
  });
}

/**
 * The result of `work`, or a rejection that names `who` after a timeout of `ms` milliseconds. What the work does after
 * that is ignored.
 */
export async function withTimeout<T>(ms: number, who: string, work: () => Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`expected an answer of ${who} within ${ms} ms, got none`)), ms);
  });
  try {
    return await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The `signal` of a call's options: an AbortSignal of any realm, or none. `INVALID_ARGUMENT` for anything else, also
 * for one that throws when it is used, such as a Proxy of a signal.
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

  /**
   * Calls `callback` with the error `ABORTED` when the signal fires, unless the function that is returned was called
   * before.
   */
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
