/** A wait is polled at every turn of the event loop for so long: most waits for a GPU's result are shorter. */
const BUSY_MS = 10;
/** Between polls of a longer wait. */
const PAUSE_MS = 1;

/**
 * Adds a back-off to Dawn's polling where it waits long. Node's binding of Dawn (package `webgpu`) polls by
 * `setImmediate` as long as anything is pending, from within the callback of the poll before. So a thread that waits
 * for the GPU, or for its driver to compile, keeps a core busy, which the workers or that driver could use. This
 * replaces `setImmediate` of the given global object, which Dawn looks up at each poll.
 *
 * @param scope the global object of a thread that is Pippin's own.
 */
export function pacePolling(scope: { setImmediate: unknown }): void {
  const immediate = scope.setImmediate as (callback: () => void) => unknown;
  let isPolling = false;
  let began = 0;
  scope.setImmediate = (callback: (...args: unknown[]) => void, ...args: unknown[]) => {
    const run = () => {
      isPolling = true;
      try {
        callback(...args);
      } finally {
        isPolling = false;
      }
    };
    if (!isPolling) began = performance.now();
    return performance.now() - began < BUSY_MS ? immediate(run) : setTimeout(run, PAUSE_MS);
  };
}
