/** The callbacks of each signal, behind one listener: a long call has hundreds, and Node warns of more than ten listeners. */
const callbacks = new WeakMap<AbortSignal, Set<() => void>>();

/** Calls `callback` when the signal fires, unless the function that is given back was called before. */
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
