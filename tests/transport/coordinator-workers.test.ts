import { beforeEach, describe, expect, it, vi } from 'vitest';
import { PippinError } from '../../sdk/base/errors.js';
import type { WorkerChannel } from '../../sdk/transport/channel.js';
import {
  type CoordinatorWorker,
  coordinatorChannel,
  ownWorker,
  type SentAtStart,
  type WorkerName,
  workerOfCaller,
} from '../../sdk/transport/coordinator-workers.js';
import { exposeMethods, remote } from '../../sdk/transport/remote.js';
import { WorkerFailure } from '../../sdk/transport/worker-failure.js';

/** A worker of the caller's thread that answers with its own number. */
interface Started {
  readonly name: WorkerName;
  readonly worker: Worker;
  readonly ports: readonly MessagePort[];
  readonly orders: unknown;
  readonly failure: WorkerFailure;
  readonly terminate: () => void;
}

let started: Started[];
let refusal: Error | undefined;
let channel: WorkerChannel;

function start(name: WorkerName, { ports = [], orders }: SentAtStart): Started {
  if (refusal !== undefined) throw refusal;
  const number = started.length;
  const failure = new WorkerFailure(`https://wallet.example/${name}.js`);
  // A worker that is its own connection is one end of a channel here.
  const own = new MessageChannel();
  exposeMethods({ number: () => number }, ports[0] ?? own.port2);
  const worker = { name, ports, orders, failure, worker: own.port1 as unknown as Worker, terminate: vi.fn() };
  started.push(worker);
  return worker;
}

/** What the coordinator asks for, with its own side of the connection. */
const ask = (name: CoordinatorWorker) => workerOfCaller(started[0]!.ports[1]!, name);
const numberOf = ({ endpoint }: WorkerChannel) => remote<{ number(): number }>(endpoint).number();

beforeEach(() => {
  started = [];
  refusal = undefined;
  channel = coordinatorChannel(start, { byPort: true });
  return () => channel.terminate();
});

describe('workers of a coordinator', () => {
  it("are started by the caller's thread, each with a connection to the coordinator", async () => {
    expect(await numberOf(channel)).toBe(0);
    expect(await Promise.all([ask('kernel'), ask('witness'), ask('kernel')].map(numberOf))).toEqual([1, 2, 3]);
    expect(started.map(({ name }) => name)).toEqual(['coordinator', 'kernel', 'witness', 'kernel']);
  });

  it('end one by one when the coordinator ends them, and all others with it', async () => {
    const [kernel, other] = [ask('kernel'), ask('kernel')];
    await Promise.all([numberOf(kernel), numberOf(other)]);
    const ended = () => started.map(({ terminate }) => vi.mocked(terminate).mock.calls.length);
    kernel.terminate();
    await expect.poll(() => ended()).toEqual([0, 1, 0]);
    channel.terminate();
    expect(ended()).toEqual([1, 1, 1]);
  });

  it('are not started for a coordinator that has ended', async () => {
    channel.terminate();
    ask('kernel');
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(started).toHaveLength(1);
  });

  it('that die are reported to the coordinator with what the caller knows, and only they', async () => {
    const [kernel, other] = [ask('kernel'), ask('kernel')];
    const [onFailure, onOther] = [vi.fn(), vi.fn()];
    kernel.onFailure(onFailure);
    other.onFailure(onOther);
    await Promise.all([numberOf(kernel), numberOf(other)]);
    started[1]!.failure.noteMessage();
    started[1]!.failure.report('it ran out of memory');
    await expect.poll(() => onFailure).toHaveBeenCalledOnce();
    expect(onFailure).toHaveBeenCalledWith(
      expect.objectContaining({
        name: 'PippinError',
        code: 'WORKER_FAILED',
        message: 'expected the worker at https://wallet.example/kernel.js to go on running, got: it ran out of memory',
        hint: expect.stringContaining('memory'),
      }),
    );
    expect(onOther).not.toHaveBeenCalled();
  });

  it('that cannot be made fail in the coordinator as they do at the caller', async () => {
    refusal = new PippinError('WORKER_FAILED', 'expected the worker to start, got: refused', { hint: 'allow it' });
    const onFailure = vi.fn();
    ask('witness').onFailure(onFailure);
    await expect.poll(() => onFailure).toHaveBeenCalledOnce();
    expect(onFailure).toHaveBeenCalledWith(
      expect.objectContaining({ code: 'WORKER_FAILED', message: refusal.message, hint: 'allow it' }),
    );
  });

  it('a coordinator that cannot be made is an error of the call that starts it', () => {
    refusal = new Error('no');
    expect(() => coordinatorChannel(start, { byPort: true })).toThrow('no');
  });
});

describe('a coordinator that starts its workers itself', () => {
  it('gets its orders, and is ended when its workers have had time to end', async () => {
    vi.useFakeTimers();
    const orders = { byPort: true, nested: { atOnce: 2, scripts: {} } };
    coordinatorChannel(start, orders).terminate();
    expect(started.map((worker) => worker.orders)).toEqual([{ byPort: true }, orders]);
    expect(started[1]!.terminate).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(500);
    expect(started[1]!.terminate).toHaveBeenCalledOnce();
    vi.useRealTimers();
  });

  it('is its own connection where it is not connected by a port', async () => {
    const direct = coordinatorChannel(start, { byPort: false, nested: { atOnce: 0, scripts: {} } });
    expect(direct.endpoint).toBe(started[1]!.worker);
    direct.terminate();
  });

  it('is connected to each, hears of its failure, and ends it', async () => {
    const worker = ownWorker((sent) => start('kernel', sent));
    const onFailure = vi.fn();
    worker.onFailure(onFailure);
    expect(await numberOf(worker)).toBe(1);
    started[1]!.failure.report('it ran out of memory');
    expect(onFailure).toHaveBeenCalledOnce();
    worker.terminate();
    expect(started[1]!.terminate).toHaveBeenCalledOnce();
  });
});
