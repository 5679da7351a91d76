import { afterEach, expect, it, vi } from 'vitest';
import { eventMessage } from '../../sdk/transport/channel.js';
import { webWorkerChannel, webWorkerScope } from '../../sdk/transport/web-worker.js';

/** A worker of a page that does nothing. */
class FakeWorker extends EventTarget {
  hasEnded = false;
  postMessage(): void {}
  terminate(): void {
    this.hasEnded = true;
  }
}

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

it.each([true, false])('is ended when its own workers have had time to end, if it has any: %s', async (hasWorkers) => {
  vi.useFakeTimers();
  vi.stubGlobal('Worker', FakeWorker);
  const worker = new FakeWorker();
  const channel = webWorkerChannel('coordinator.js', () => worker as unknown as Worker, hasWorkers);
  const [onEvent, onFailure] = [vi.fn(), vi.fn()];
  channel.onEvent(onEvent);
  channel.onFailure(onFailure);
  worker.dispatchEvent(new MessageEvent('message', { data: eventMessage('before') }));
  channel.terminate();
  // What it says in the meantime is not told any more.
  worker.dispatchEvent(new MessageEvent('message', { data: eventMessage('after') }));
  worker.dispatchEvent(new Event('error'));
  expect(worker.hasEnded).toBe(!hasWorkers);
  await vi.advanceTimersByTimeAsync(500);
  expect(worker.hasEnded).toBe(true);
  expect(onEvent.mock.calls).toEqual([['before']]);
  expect(onFailure).not.toHaveBeenCalled();
});

it('fails when a message of the worker cannot be read', () => {
  vi.stubGlobal('Worker', FakeWorker);
  const worker = new FakeWorker();
  const channel = webWorkerChannel('kernel.js', () => worker as unknown as Worker);
  const onFailure = vi.fn();
  channel.onFailure(onFailure);
  worker.dispatchEvent(new Event('messageerror'));
  expect(onFailure).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ code: 'WORKER_FAILED', message: expect.stringContaining('could not be read') }),
  );
});

it('tells the caller of a message that the worker cannot read', () => {
  const reportError = vi.fn();
  let listen = (): void => undefined;
  vi.stubGlobal('reportError', reportError);
  vi.stubGlobal('addEventListener', (_type: string, listener: () => void) => {
    listen = listener;
  });
  webWorkerScope();
  listen();
  expect(reportError).toHaveBeenCalledOnce();
});
