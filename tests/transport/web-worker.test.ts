import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startWebWorker } from '../../sdk/transport/web-worker.js';
import type { Orders } from '../../sdk/transport/web-worker-channel.js';

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
const start = (orders: Orders = { byPort: true }) =>
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

it('a worker gets its ports when its script runs, however late that is, and no other one is started', async () => {
  start();
  await vi.advanceTimersByTimeAsync(600_000);
  expect(state()).toEqual([{ ports: 0, hasEnded: false }]);
  FakeWorker.all[0]!.run();
  FakeWorker.all[0]!.run();
  await vi.advanceTimersByTimeAsync(600_000);
  expect(state()).toEqual([{ ports: 1, hasEnded: false }]);
});

it('a worker that is its own connection gets its orders alone', () => {
  const orders = { byPort: false, nested: {} };
  const { worker } = start(orders);
  FakeWorker.all[0]!.run();
  expect(worker).toBe(FakeWorker.all[0]);
  expect(FakeWorker.all[0]!.messages).toEqual([[orders, undefined]]);
});

describe('a worker by port that starts workers itself', () => {
  const orders = { byPort: true, nested: { atOnce: 2, scripts: {} } };

  it('that does not run within seconds is ended, and another one gets the orders and the ports', async () => {
    start(orders);
    await vi.advanceTimersByTimeAsync(4_999);
    expect(state()).toEqual([{ ports: 0, hasEnded: false }]);
    await vi.advanceTimersByTimeAsync(1);
    expect(FakeWorker.all.map(({ messages }) => messages)).toEqual(Array(2).fill([[orders, undefined]]));
    FakeWorker.all[1]!.run();
    // A message that was under way when the worker was ended.
    FakeWorker.all[0]!.run();
    await vi.advanceTimersByTimeAsync(600_000);
    expect(state()).toEqual([
      { ports: 0, hasEnded: true },
      { ports: 1, hasEnded: false },
    ]);
  });

  it('is tried five times, each time for twice as long, and the last one may take all its time', async () => {
    start(orders);
    const begun = Date.now();
    const times = [];
    while (FakeWorker.all.length < 5) {
      const before = FakeWorker.all.length;
      await vi.advanceTimersByTimeAsync(1_000);
      if (FakeWorker.all.length > before) times.push((Date.now() - begun) / 1000);
    }
    expect(times).toEqual([5, 15, 35, 75]);
    await vi.advanceTimersByTimeAsync(600_000);
    FakeWorker.all[4]!.run();
    expect(state().map(({ hasEnded }) => hasEnded)).toEqual([true, true, true, true, false]);
    expect(state()[4]!.ports).toBe(1);
  });

  it('is not tried again once it is ended, and what it reports then is no failure', async () => {
    const worker = start(orders);
    const onFailure = vi.fn();
    worker.failure.onFailure(onFailure);
    worker.terminate();
    FakeWorker.all[0]!.dispatchEvent(new Event('error'));
    await vi.advanceTimersByTimeAsync(600_000);
    expect(state()).toEqual([{ ports: 0, hasEnded: true }]);
    expect(onFailure).not.toHaveBeenCalled();
  });
});
