/**
 * Keeps the screen on while something is measured, where the browser can (Screen Wake Lock API): a phone that locks
 * itself ends a run. The browser lets go of it when the page is hidden, so it is asked for again when the page is back.
 * Nothing depends on it: a phone on low power refuses.
 *
 * @returns ends it
 */
export function keepScreenOn(): () => void {
  let lock: WakeLockSentinel | undefined;
  let hasEnded = false;
  const ask = async (): Promise<void> => {
    if (document.hidden || !('wakeLock' in navigator)) return;
    const got = await navigator.wakeLock.request('screen').catch(() => undefined);
    if (hasEnded) await got?.release();
    else lock = got;
  };
  const onVisible = (): void => void ask();
  document.addEventListener('visibilitychange', onVisible);
  void ask();
  return () => {
    hasEnded = true;
    document.removeEventListener('visibilitychange', onVisible);
    void lock?.release();
  };
}
