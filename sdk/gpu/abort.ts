import { throwIfAborted } from '../errors.js';

/** `promise`, or a rejection with `ABORTED` as soon as the signal fires; what was begun goes on unheeded. */
export async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  let onAbort = () => {};
  const aborted = new Promise<void>((resolve) => {
    onAbort = resolve;
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
  promise.catch(() => undefined);
  try {
    await Promise.race([promise, aborted]);
    throwIfAborted(signal);
    return await promise;
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
