import { afterEach, expect, it, vi } from 'vitest';
import { webWorkerChannel, webWorkerScope } from '../../sdk/transport/web-worker.js';

/** A worker of a page that does nothing. */
class FakeWorker extends EventTarget {
  postMessage(): void {}
  terminate(): void {}
}

afterEach(() => vi.unstubAllGlobals());

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
