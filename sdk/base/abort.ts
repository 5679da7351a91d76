import { PippinError } from './errors.js';

/** The error of a call whose signal has fired. */
export function abortError(signal?: AbortSignal): PippinError {
  return new PippinError('ABORTED', 'the call was aborted by its signal', { cause: signal?.reason });
}

/** Throws `ABORTED` when the signal has fired. Called between the steps of every long computation. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw abortError(signal);
}

/** The callbacks of each signal. They share one listener: a long call has hundreds, and Node warns about more than ten listeners. */
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

/** `promise`, or a rejection with `ABORTED` as soon as the signal fires. The work behind the promise goes on, but its outcome is ignored. */
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
