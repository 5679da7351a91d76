import type { ProgressListener } from './progress.js';

/**
 * The share of loading in the progress of a call that loads a key and proves with it. A first load downloads and prepares, and often takes longer than
 * the proof; one from the cache takes less.
 */
const LOAD_SHARE = 0.4;

/**
 * Listeners for loading a key and for proving with it, whose progress is one scale that never falls: the `done` of loading goes up to a share of the
 * total, and proving goes on from there. If the key is loaded already, proving takes the whole scale.
 *
 * @param tell called with every event of both, in their order.
 */
export function loadThenProve(
  isLoaded: boolean,
  tell: ProgressListener,
): { readonly loading: ProgressListener; readonly proving: ProgressListener } {
  const share = isLoaded ? 0 : LOAD_SHARE;
  let reached = 0;
  const within =
    (from: number, to: number): ProgressListener =>
    (event) => {
      if (event.kind !== 'progress') {
        tell(event);
        return;
      }
      const { done, total } = event;
      reached = Math.max(reached, to - (to - from) * (1 - done / total));
      tell({ ...event, done: reached * total });
    };
  return { loading: within(0, share), proving: within(share, 1) };
}
