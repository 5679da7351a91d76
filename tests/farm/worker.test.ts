import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ProofWorker, WorkerOptions } from '../../farm/src/index.js';
import { PippinError } from '../../sdk/base/errors.js';
import { type ScriptedFarm, useScriptedFarm } from '../support/scripted-farm.js';
import { endless, scriptedCircuit } from '../support/scripted-prover.js';

/**
 * A worker with provers that compute nothing, against a real Redis. Each test has a farm of its own: another prefix.
 */
const used = useScriptedFarm([scriptedCircuit('a'), scriptedCircuit('b')]);

let { provers, queue, events } = {} as ScriptedFarm;
beforeEach(() => {
  ({ provers, queue, events } = used.farm);
});

const submit = (x: unknown, more: object = {}): Promise<string> => used.farm.submit(x as string, more);
const startWorker = (options: Partial<WorkerOptions> = {}): Promise<ProofWorker> => used.farm.startWorker(options);

describe('a job', () => {
  it('is tried again after the fault of a machine, with another prover if that one is broken', async () => {
    let tries = 0;
    provers.prove = async () => {
      if (tries++ === 0) throw new PippinError('WORKER_FAILED', 'a worker died');
      return ['5'];
    };
    await startWorker();
    const id = await submit('1');
    expect((await queue.result(id)).publicSignals).toEqual(['5']);
    expect(await queue.status(id)).toMatchObject({ state: 'proved', attempts: 2 });
    expect(provers.made).toHaveLength(2);
    const { counters } = await queue.farm();
    expect(counters.failures).toEqual([{ circuit: 'a', code: 'WORKER_FAILED', count: 1 }]);
  });

  it('is not tried again when its input is bad', async () => {
    provers.prove = async () => {
      throw new PippinError('WITNESS_REJECTED', 'the circuit rejects it', { hint: 'look there' });
    };
    await startWorker();
    const id = await submit('1');
    await expect(queue.result(id)).rejects.toMatchObject({ code: 'WITNESS_REJECTED', hint: 'look there' });
    expect(await queue.status(id)).toMatchObject({ state: 'failed', attempts: 1 });
  });

  it('goes to another worker when its circuit cannot be loaded at one', async () => {
    provers.load = async () => {
      provers.load = async () => undefined;
      throw new PippinError('KEY_MISMATCH', 'another file');
    };
    await startWorker({ id: 'first' });
    const id = await submit('1');
    await expect.poll(() => events.some(({ kind }) => kind === 'failed')).toBe(true);
    await startWorker({ id: 'second' });
    await queue.result(id);
    expect(await queue.status(id)).toMatchObject({ state: 'proved', worker: 'second' });
  });

  it('comes in the order of priorities, and among equals in that of submission', async () => {
    for (const [x, priority] of [
      ['5', 500],
      ['9', 900],
      ['6', 500],
      ['0', 0],
    ] as const)
      await submit(x, { priority });
    await startWorker();
    await expect.poll(() => provers.order).toEqual(['0', '5', '6', '9']);
  });

  it('is proved once for one id, whoever asks', async () => {
    await Promise.all(Array.from({ length: 8 }, (_, i) => submit(String(i), { id: 'same' })));
    const again = await queue.submit({ circuit: 'a', inputs: { x: '9' }, id: 'same' });
    expect(again).toEqual({ id: 'a.same', created: false });
    await startWorker();
    await queue.result('a.same');
    expect(await queue.submit({ circuit: 'a', inputs: { x: '9' }, id: 'same' })).toEqual(again);
    expect(provers.order).toHaveLength(1);
  });

  it('fails at its deadline, waiting or being proved', async () => {
    provers.prove = endless;
    const worker = await startWorker();
    const proving = await submit('1', { deadline: Date.now() + 3000 });
    await expect.poll(() => provers.order.length).toBe(1);
    const waiting = await submit('2', { deadline: Date.now() + 300 });
    for (const id of [proving, waiting]) {
      await expect(queue.result(id)).rejects.toMatchObject({ code: 'DEADLINE_PASSED' });
    }
    expect(provers.order).toEqual(['1']);
    expect(worker.id).toBe((await queue.status(proving))!.worker);
  });

  it('is cancelled while it waits and while it is proved', async () => {
    provers.prove = endless;
    await startWorker();
    const proving = await submit('1');
    const waiting = await submit('2');
    await expect.poll(async () => (await queue.status(proving))!.state).toBe('proving');
    expect(await queue.cancel(waiting)).toMatchObject({ state: 'cancelled', error: { code: 'ABORTED' } });
    await queue.cancel(proving);
    await expect(queue.result(proving)).rejects.toMatchObject({ code: 'ABORTED' });
    expect(await queue.status(proving)).toMatchObject({ state: 'cancelled' });
    expect(provers.order).toEqual(['1']);
  });
});

describe('a worker', () => {
  it('ends what it is proving when it drains, and takes nothing more', async () => {
    let end = (_: readonly string[]): void => undefined;
    provers.prove = () => new Promise((resolve) => (end = resolve));
    const worker = await startWorker();
    const [first, second] = [await submit('1'), await submit('2')];
    await expect.poll(() => provers.order.length).toBe(1);
    const drained = worker.drain();
    end(['7']);
    await drained;
    expect(await queue.status(first)).toMatchObject({ state: 'proved' });
    expect(await queue.status(second)).toMatchObject({ state: 'waiting', position: 0, attempts: 0 });
    expect((await queue.farm()).workers).toEqual([]);
  });

  it('gives back what it cannot end in time', async () => {
    provers.prove = endless;
    const worker = await startWorker();
    const id = await submit('1');
    await expect.poll(() => provers.order.length).toBe(1);
    await worker.drain(50);
    expect(await queue.status(id)).toMatchObject({ state: 'waiting' });
    provers.prove = async () => ['1'];
    await startWorker();
    await queue.result(id);
  });

  it('goes on without a GPU that has computed wrong, and tells of it', async () => {
    const worker = await startWorker({ prover: { backend: 'webgpu' } });
    provers.prove = async () => {
      provers.prove = async () => ['1'];
      provers.made.at(-1)!.onNotice!({ code: 'WEBGPU_DISTRUSTED', message: 'a sum was wrong' });
      throw new PippinError('RESULT_INVALID', 'a sum was wrong');
    };
    await queue.result(await submit('1'));
    expect(provers.made.map(({ backend }) => backend)).toEqual(['webgpu', 'wasm']);
    const { counters } = await queue.farm();
    expect(counters.alarms).toEqual([{ kind: 'gpu-distrusted', count: 1 }]);
    expect(events).toContainEqual({ kind: 'gpu-distrusted', worker: worker.id, message: 'a sum was wrong' });
  });

  it('opens another prover before it takes the next job, when one has lost its device', async () => {
    provers.prove = async () => {
      provers.prove = async () => ['1'];
      throw new PippinError('DEVICE_LOST', 'the device is gone');
    };
    await startWorker();
    await queue.result(await submit('1'));
    expect(provers.made).toHaveLength(2);
    expect(provers.disposed).toBe(1);
  });

  it('keeps to the circuit whose key it holds, until another job has waited longer', async () => {
    await startWorker({ patienceMs: 3_600_000 });
    await queue.result(await submit('a0'));
    let end = (_: readonly string[]): void => undefined;
    provers.prove = () => new Promise((resolve) => (end = resolve));
    const blocking = await submit('a1');
    await expect.poll(() => provers.order.length).toBe(2);
    const foreign = (await queue.submit({ circuit: 'b', inputs: { x: 'b0' } })).id;
    const own = await submit('a2');
    provers.prove = async () => ['1'];
    end(['1']);
    await Promise.all([blocking, foreign, own].map((id) => queue.result(id)));
    expect(provers.order).toEqual(['a0', 'a1', 'a2', 'b0']);
  });

  it('lets a job of another circuit come first that has waited longer than its patience', async () => {
    const foreign = (await queue.submit({ circuit: 'b', inputs: { x: 'b0' } })).id;
    await delay(60);
    const own = [await submit('a0'), await submit('a1')];
    await startWorker({ patienceMs: 50 });
    await Promise.all([foreign, ...own].map((id) => queue.result(id)));
    expect(provers.order).toEqual(['b0', 'a0', 'a1']);
  });

  it('frees the key used longest ago when memory is short', async () => {
    await startWorker({ keyMemory: 150 });
    for (const circuit of ['a', 'b', 'a']) {
      await queue.result((await queue.submit({ circuit, inputs: { x: circuit } })).id);
    }
    expect(provers.loaded).toEqual(['a.zkey', 'b.zkey', 'a.zkey']);
    expect(provers.freed).toEqual(['a.zkey', 'b.zkey']);
  });
});

it('no input is in Redis in the clear, whatever becomes of the job', async () => {
  const secret = '271828182845904523536';
  const client = new Redis(used.redis.connection);
  try {
    await startWorker();
    provers.prove = async ({ x }) => {
      if (x === `${secret}1`) throw new TypeError(`cannot read ${secret}`);
      if (x === `${secret}2`) throw new PippinError('INVALID_INPUT', 'expected a number');
      return ['1'];
    };
    const ids = await Promise.all([0, 1, 2].map((i) => submit(`${secret}${i}`)));
    await submit(`${secret}3`, { circuit: 'b' });
    await queue.result(ids[0]!);
    await expect(queue.result(ids[2]!)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await expect.poll(async () => (await queue.status(ids[1]!))!.attempts).toBeGreaterThan(0);
    expect(await dump(client)).not.toContain(secret);
    expect(JSON.stringify(events)).not.toContain(secret);
  } finally {
    client.disconnect();
  }
});

/** Everything that Redis holds, as text. A key may expire meanwhile. */
async function dump(client: Redis): Promise<string> {
  const parts: string[] = [];
  for (const key of await client.keys('*')) {
    const type = await client.type(key);
    if (type === 'string') parts.push((await client.getBuffer(key))?.toString('latin1') ?? '');
    if (type === 'hash') parts.push(JSON.stringify(await client.hgetall(key)));
    if (type === 'stream') parts.push(JSON.stringify(await client.xrange(key, '-', '+')));
    if (type === 'list') parts.push(JSON.stringify(await client.lrange(key, 0, -1)));
    if (type === 'zset') parts.push(JSON.stringify(await client.zrange(key, 0, '-1')));
  }
  return parts.join('\n');
}
