import { statSync } from 'node:fs';

/**
 * A signal that aborts with `parent`, or once nothing has been written to the file for so long; a file that does not
 * exist counts as written when this was called. The timer and the parent's listener hold the controller: what
 * `AbortSignal.any` and `AbortSignal.timeout` give, Node 20 may collect before it fires.
 *
 * @param {AbortSignal} parent
 * @param {{ file?: string | undefined, limitMs: number, pollMs?: number }} options
 */
export function endSilence(parent, { file, limitMs, pollMs = Math.min(limitMs, 10_000) }) {
  const controller = new AbortController();
  const began = Date.now();
  const end = () => {
    stop();
    controller.abort(parent.reason);
  };
  const timer = setInterval(() => {
    const written = file === undefined ? undefined : statSync(file, { throwIfNoEntry: false })?.mtimeMs;
    if (Date.now() - (written ?? began) < limitMs) return;
    console.error(`Nothing has begun or ended for ${limitMs / 60_000} minutes: the run hangs and is ended.`);
    end();
  }, pollMs);
  const stop = () => {
    clearInterval(timer);
    parent.removeEventListener('abort', end);
  };
  if (parent.aborted) end();
  else parent.addEventListener('abort', end);
  return { signal: controller.signal, stop };
}
