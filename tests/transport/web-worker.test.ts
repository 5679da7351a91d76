import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startWebWorker } from '../../sdk/transport/web-worker.js';

/** A worker of a page whose script runs when the test says so. */
class FakeWorker extends EventTarget {
  static readonly all: FakeWorker[] = [];
  readonly messages: [unknown, unknown[] | undefined][] = [];
  hasEnded = false;
  constructor() {
    super();
    FakeWorker.all.push(this);
  }
  run(): void {
    this.dispatchEvent(new MessageEvent('message'));
  }
  postMessage(message: unknown, transfer?: unknown[]): void {
    this.messages.push([message, transfer]);
  }
  terminate(): void {
    this.hasEnded = true;
  }
}

const ports = [new MessageChannel().port2];
const start = (orders?: object) =>
  startWebWorker({ script: 'kernel.js', start: () => new Worker('kernel.js'), orders, ports });
/** Whether each worker has got the ports, and has ended. */
const state = () =>
  FakeWorker.all.map(({ messages, hasEnded }) => ({ ports: messages.filter(([, sent]) => sent).length, hasEnded }));

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('Worker', FakeWorker);
  FakeWorker.all.length = 0;
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

it('a worker gets its ports when its script runs, and no other one is started', async () => {
  start();
  expect(state()).toEqual([{ ports: 0, hasEnded: false }]);
  FakeWorker.all[0]!.run();
  FakeWorker.all[0]!.run();
  await vi.advanceTimersByTimeAsync(600_000);
  expect(state()).toEqual([{ ports: 1, hasEnded: false }]);
});

it('a worker whose script does not run within seconds gets another one beside it, and the first that runs is kept', async () => {
  start();
  await vi.advanceTimersByTimeAsync(4_999);
  expect(FakeWorker.all).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(FakeWorker.all).toHaveLength(2);
  FakeWorker.all[1]!.run();
  // A message that was under way when the worker was ended.
  FakeWorker.all[0]!.run();
  await vi.advanceTimersByTimeAsync(600_000);
  expect(state()).toEqual([
    { ports: 0, hasEnded: true },
    { ports: 1, hasEnded: false },
  ]);
});

it('every worker that is tried gets the orders before its script runs', async () => {
  const orders = { kernels: 2 };
  start(orders);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(FakeWorker.all.map(({ messages }) => messages)).toEqual(Array(2).fill([[orders, undefined]]));
});

it('a script that is only late is not ended, and at most three workers are tried', async () => {
  start();
  await vi.advanceTimersByTimeAsync(600_000);
  expect(FakeWorker.all).toHaveLength(3);
  FakeWorker.all[0]!.run();
  expect(state()).toEqual([
    { ports: 1, hasEnded: false },
    { ports: 0, hasEnded: true },
    { ports: 0, hasEnded: true },
  ]);
});

it('ending ends all that were tried, and none is started afterwards', async () => {
  const worker = start();
  const onFailure = vi.fn();
  worker.failure.onFailure(onFailure);
  await vi.advanceTimersByTimeAsync(5_000);
  worker.terminate();
  FakeWorker.all[0]!.dispatchEvent(new Event('error'));
  await vi.advanceTimersByTimeAsync(600_000);
  expect(state()).toEqual([
    { ports: 0, hasEnded: true },
    { ports: 0, hasEnded: true },
  ]);
  expect(onFailure).not.toHaveBeenCalled();
});
