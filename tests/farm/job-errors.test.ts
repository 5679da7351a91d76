import { Redis } from 'ioredis';
import { describe, expect, it } from 'vitest';
import { createFront, newApiKey } from '../../farm/src/index.js';
import { PippinError } from '../../sdk/base/errors.js';
import { useScriptedFarm } from '../support/scripted-farm.js';

/** What those who wait for a job learn of a failure, and what the operator does. */
const SOURCE = 'https://keys.example/private/a.zkey';
const used = useScriptedFarm();

const failures = () => used.farm.events.filter(({ kind }) => kind === 'failed');

/** Everything that Redis holds of the farm's jobs. */
async function jobsInRedis(): Promise<string> {
  const client = new Redis(used.redis.connection);
  const keys = (await client.keys(`${used.farm.prefix}:a:*`)).filter((key) => /:(a\.[^:]+|events)$/.test(key));
  const held = await Promise.all(
    keys.map((key) => (key.endsWith('events') ? client.xrange(key, '-', '+') : client.hgetall(key))),
  );
  client.disconnect();
  return JSON.stringify(held);
}

describe("a circuit's file that cannot be loaded", () => {
  it('shows tenants no source, neither in the job nor in its events nor on the board, and the operator where it is', async () => {
    used.farm.provers.load = async () => {
      throw new PippinError(
        'KEY_MISMATCH',
        `expected a file at https://me:SECRET@keys.example/private/a.zkey?t=SECRET, got`,
      );
    };
    const { key, sha256 } = newApiKey();
    const apiKeys = [{ name: 'alice', sha256, operator: true }];
    const front = await createFront({ queue: used.farm.queue, apiKeys, board: '/board' });
    const headers = { authorization: `Bearer ${key}` };
    const payload = { circuit: 'a', inputs: { x: '1' }, id: 'one', deadline: Date.now() + 3000 };
    await front.inject({ method: 'POST', url: '/v1/proofs', headers, payload });
    const events = front.inject({ url: '/v1/proofs/a.alice_one/events', headers });
    await used.farm.startWorker();
    await expect.poll(() => failures().length).toBe(1);
    expect(failures()[0]).toMatchObject({
      code: 'KEY_MISMATCH',
      message: `expected a file at ${SOURCE} got`,
      again: true,
    });
    const basic = { authorization: `Basic ${Buffer.from(`x:${key}`).toString('base64')}` };
    const board = await front.inject({ url: '/board/api/queues?activeQueue=a&status=latest&page=1', headers: basic });
    const stored = await jobsInRedis();
    await events;
    const answers = [(await events).payload, board.payload, stored];
    expect(stored).toContain("load the circuit's files");
    for (const text of [...answers, JSON.stringify(used.farm.events)]) expect(text).not.toContain('SECRET');
    for (const text of answers) expect(text).not.toContain('keys.example');
    await front.close();
  });

  it("is the farm's fault in the words of a job, whatever is wrong with the file", async () => {
    used.farm.provers.load = async () => {
      throw new PippinError('MALFORMED_FILE', `expected a key at ${SOURCE}, got none`);
    };
    const client = new Redis(used.redis.connection);
    await used.farm.startWorker();
    const id = await used.farm.submit('1');
    await expect.poll(() => failures().length).toBe(1);
    const failed = JSON.parse((await client.hget(`${used.farm.prefix}:a:${id}`, 'failedReason'))!);
    client.disconnect();
    expect(failed).toMatchObject({ code: 'IO_FAILED', hint: expect.stringContaining('operator') });
  });
});

describe('a fault of a machine', () => {
  it('is told in full to the operator alone', async () => {
    used.farm.provers.prove = async () => {
      throw new PippinError('WORKER_FAILED', 'expected the worker at file:///opt/farm/kernel.js to start, got: ENOENT');
    };
    await used.farm.startWorker();
    await used.farm.submit('1');
    await expect.poll(() => failures().length).toBe(1);
    expect(failures()[0]).toMatchObject({ code: 'WORKER_FAILED', message: expect.stringContaining('/opt/farm') });
    const stored = await jobsInRedis();
    expect(stored).toContain('WORKER_FAILED');
    expect(stored).not.toContain('/opt/farm');
  });

  it('of the inputs is told to both', async () => {
    used.farm.provers.prove = async () => {
      throw new PippinError('INVALID_INPUT', 'expected 2 values for x, got 1');
    };
    await used.farm.startWorker();
    const id = await used.farm.submit('1');
    await expect(used.farm.queue.result(id)).rejects.toMatchObject({ message: 'expected 2 values for x, got 1' });
    expect(failures()[0]).toMatchObject({ message: 'expected 2 values for x, got 1', again: false });
  });
});
