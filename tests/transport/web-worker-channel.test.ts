import { afterEach, expect, it, vi } from 'vitest';
import { eventMessage } from '../../sdk/transport/channel.js';
import { exposeMethods, remote } from '../../sdk/transport/remote.js';
import { serveStarter, workerChannel } from '../../sdk/transport/web-worker-channel.js';
import { WorkerFailure } from '../../sdk/transport/worker-failure.js';

const SERVED = Symbol.for('pippin-prover: this worker is served') as unknown as string;

afterEach(() => vi.unstubAllGlobals());

function connect() {
  const { port1, port2 } = new MessageChannel();
  const failure = new WorkerFailure('kernel.js');
  const end = vi.fn();
  return { channel: workerChannel(port1, failure, end), port1, port2, end };
}

/**
 * Runs the script of a worker on this thread: what it says to the thread that started it, and how that gives it orders
 * and sends ports.
 */
function runScript(...script: Parameters<typeof serveStarter>) {
  const scope = new EventTarget();
  const said: unknown[] = [];
  vi.stubGlobal('addEventListener', scope.addEventListener.bind(scope));
  vi.stubGlobal('postMessage', (message: unknown) => said.push(message));
  // Another worker, which no script serves yet.
  vi.stubGlobal(SERVED, undefined);
  serveStarter(...script);
  const send = (ports: MessagePort[], data?: unknown) =>
    scope.dispatchEvent(new MessageEvent('message', { data, ports }));
  return { said, order: (orders: object = { byPort: true }) => send([], orders), send };
}

it('carries events and calls to a script that is given the other port, also those from before it runs', async () => {
  const { channel, port2 } = connect();
  const onEvent = vi.fn();
  let others: readonly MessagePort[] = [];
  channel.onEvent(onEvent);
  const answer = remote<{ double(n: number): number }>(channel.endpoint).double(21);
  const extra = new MessageChannel();
  const { said, order, send } = runScript((scope, ports) => {
    others = ports;
    scope.emit('ready');
    exposeMethods({ double: (n: number) => 2 * n }, scope.endpoint);
  });
  expect(said).toEqual([]);
  order();
  expect(said).toEqual([undefined]);
  send([port2, extra.port2]);
  expect(await answer).toBe(42);
  expect(onEvent.mock.calls).toEqual([['ready']]);
  expect(others).toHaveLength(1);
  expect(others[0]).toBe(extra.port2);
  channel.terminate();
  extra.port1.close();
});

it('is served once where an engine runs the script of a worker twice', () => {
  const first = vi.fn();
  const second = vi.fn();
  const { said, order } = runScript(first);
  serveStarter(second);
  order({ byPort: false });
  expect(said).toEqual([]);
  expect(first).toHaveBeenCalledOnce();
  expect(second).not.toHaveBeenCalled();
});

it('says that it runs only when its orders are done', () => {
  const saidBefore: number[] = [];
  const { said, order } = runScript(
    () => undefined,
    (orders) => {
      saidBefore.push(said.length);
      expect(orders).toEqual({ byPort: true, nested: {} });
    },
  );
  order({ byPort: true, nested: {} });
  expect(saidBefore).toEqual([0]);
  expect(said).toHaveLength(1);
});

it('serves its own messages where no port is asked for', () => {
  const serve = vi.fn();
  const { said, order } = runScript(serve);
  order({ byPort: false });
  expect(serve).toHaveBeenCalledOnce();
  expect(said).toEqual([]);
  serve.mock.calls[0]![0].emit('ready');
  expect(said).toEqual([eventMessage('ready')]);
});

it('serves one connection only', () => {
  const serve = vi.fn();
  const { order, send } = runScript(serve);
  order();
  const channels = [new MessageChannel(), new MessageChannel()];
  for (const { port2 } of channels) send([port2]);
  expect(serve).toHaveBeenCalledOnce();
  for (const { port1 } of channels) port1.close();
});

it('is closed when it is terminated, and tells nothing more', async () => {
  const { channel, port2, end } = connect();
  const [onEvent, onFailure] = [vi.fn(), vi.fn()];
  channel.onEvent(onEvent);
  channel.onFailure(onFailure);
  port2.postMessage(eventMessage('before'));
  await expect.poll(() => onEvent).toHaveBeenCalledOnce();
  port2.postMessage(eventMessage('after'));
  channel.terminate();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(end).toHaveBeenCalledOnce();
  expect(onEvent.mock.calls).toEqual([['before']]);
  expect(onFailure).not.toHaveBeenCalled();
});

it('fails when a message of the worker cannot be read', () => {
  const { channel, port1, port2 } = connect();
  const onFailure = vi.fn();
  channel.onFailure(onFailure);
  port1.dispatchEvent(new Event('messageerror'));
  expect(onFailure).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ code: 'WORKER_FAILED', message: expect.stringContaining('could not be read') }),
  );
  port2.close();
});

it('a message that the worker cannot read becomes an error of the worker', () => {
  const reportError = vi.fn();
  vi.stubGlobal('reportError', reportError);
  const { port1, port2 } = new MessageChannel();
  const { order, send } = runScript(() => undefined);
  order();
  send([port2]);
  port2.dispatchEvent(new Event('messageerror'));
  expect(reportError).toHaveBeenCalledOnce();
  port1.close();
});
