import { describe, expect, it } from 'vitest';
import { createFront, newApiKey } from '../../../farm/src/index.js';
import { FakeProofQueue } from '../../support/fake-proof-queue.js';
import { expectProblem, openFront, responseOf } from '../../support/front.js';

const NOTE = { circuit: 'note', inputs: { a: '1' } };

describe('an API key', () => {
  it('is random, and known by its hash', () => {
    const [one, other] = [newApiKey(), newApiKey()];
    expect(one.key).toMatch(/^pippin_[\w-]{43}$/);
    expect(one.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(one.key).not.toBe(other.key);
  });

  it('is asked for', async () => {
    const { app, queue } = await openFront();
    const given = [
      undefined,
      '',
      'Bearer',
      'Bearer wrong',
      'Basic eDp5',
      `Bearer ${'x'.repeat(5000)}`,
      'Bearer \u00e9',
    ];
    const requests = [
      { method: 'POST', url: '/v1/proofs', payload: NOTE },
      { method: 'GET', url: '/v1/proofs/note.x' },
      { method: 'GET', url: '/v1/proofs/note.x/result' },
      { method: 'GET', url: '/v1/proofs/note.x/events' },
      { method: 'DELETE', url: '/v1/proofs/note.x' },
      { method: 'GET', url: '/v1/circuits' },
      { method: 'GET', url: '/metrics' },
    ] as const;
    for (const authorization of given) {
      for (const request of requests) {
        const response = await app.inject({
          ...request,
          headers: authorization === undefined ? {} : { authorization },
        });
        expectProblem(responseOf(response), 401, 'UNAUTHENTICATED');
        expect(response.headers['www-authenticate']).toMatch(/^Bearer /);
      }
    }
    expect(queue.jobs.size).toBe(0);
  });

  it('may be one of two while one replaces the other', async () => {
    const [old, fresh] = [newApiKey(), newApiKey()];
    const app = await createFront({
      queue: new FakeProofQueue(),
      apiKeys: [{ name: 'alice', sha256: [old.sha256, fresh.sha256.toUpperCase()] }],
    });
    for (const { key } of [old, fresh]) {
      const headers = { authorization: `bearer ${key}` };
      expect((await app.inject({ url: '/v1/circuits', headers })).statusCode).toBe(200);
    }
    await app.close();
  });

  it.each([
    [{ name: 'Alice' }, 'name'],
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(24) }, 'name'],
    [{ sha256: 'abc' }, 'SHA-256'],
    [{ sha256: [] }, 'SHA-256'],
    [{ openJobs: -1 }, 'openJobs'],
    [{ openBytes: -1 }, 'openBytes'],
    [{ bodyBytes: 0.5 }, 'bodyBytes'],
    [{ requestsPerMinute: 0 }, 'requestsPerMinute'],
    [{ highestPriority: 1001 }, 'highestPriority'],
    [{ circuits: 'note' as never }, 'circuits'],
  ])('is refused as %j', async (changes, text) => {
    const apiKeys = [{ name: 'alice', sha256: 'ab'.repeat(32), ...changes }];
    await expect(createFront({ queue: new FakeProofQueue(), apiKeys })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringContaining(text),
    });
  });

  it('has a name and a hash of its own', async () => {
    const one = { name: 'alice', sha256: 'ab'.repeat(32) };
    for (const other of [
      { ...one, sha256: 'cd'.repeat(32) },
      { ...one, name: 'bob' },
    ]) {
      await expect(createFront({ queue: new FakeProofQueue(), apiKeys: [one, other] })).rejects.toMatchObject({
        code: 'INVALID_ARGUMENT',
      });
    }
  });
});

describe('the limits of an API key', () => {
  it('jobs are visible to their owner alone', async () => {
    const { queue, send, submit } = await openFront();
    const { id } = (await submit({ ...NOTE, id: 'x' })).body;
    queue.prove(id);
    for (const url of [`/v1/proofs/${id}`, `/v1/proofs/${id}/result`]) {
      expect((await send({ url })).status).toBe(200);
      expectProblem(await send({ url }, 'bob'), 404, 'NOT_FOUND');
    }
    expectProblem(await send({ url: `/v1/proofs/${id}/events` }, 'bob'), 404, 'NOT_FOUND');
    expectProblem(await send({ method: 'DELETE', url: `/v1/proofs/${id}` }, 'bob'), 404, 'NOT_FOUND');
    expectProblem(await send({ method: 'DELETE', url: `/v1/proofs/${id}` }, 'root'), 404, 'NOT_FOUND');
    // The same id of another owner is another job.
    expect((await submit({ ...NOTE, id: 'x' }, 'bob')).body).toMatchObject({ id: 'note.bob_x', created: true });
  });

  it('circuits that it may not use are none to it', async () => {
    const { send, submit } = await openFront({ bob: { circuits: ['vote'] } });
    expect((await send({ url: '/v1/circuits' }, 'bob')).body.circuits.map(({ id }: { id: string }) => id)).toEqual([
      'vote',
    ]);
    expect((await send({ url: '/v1/circuits' })).body.circuits).toHaveLength(3);
    const [foreign, unknown] = [await submit(NOTE, 'bob'), await submit({ ...NOTE, circuit: 'none' }, 'bob')];
    expectProblem(foreign, 404, 'NOT_FOUND');
    expectProblem(unknown, 404, 'NOT_FOUND');
    expect(foreign.body.message).toBe(unknown.body.message);
    expect((await submit({ ...NOTE, circuit: 'vote' }, 'bob')).status).toBe(202);
  });

  it('priorities begin at its highest', async () => {
    const { submit } = await openFront({ bob: { highestPriority: 600 }, alice: { highestPriority: 100 } });
    expect((await submit(NOTE, 'bob')).body.priority).toBe(600);
    expect((await submit({ ...NOTE, priority: 600 }, 'bob')).body.priority).toBe(600);
    expectProblem(await submit({ ...NOTE, priority: 599 }, 'bob'), 403, 'FORBIDDEN');
    // That of jobs which ask for none.
    expect((await submit({ ...NOTE, priority: 500 }, 'root')).status).toBe(202);
    expectProblem(await submit({ ...NOTE, priority: 499 }, 'root'), 403, 'FORBIDDEN');
    expect((await submit(NOTE)).body.priority).toBe(500);
    expect((await submit(NOTE, 'root')).body.priority).toBe(500);
  });

  it('unfinished jobs are counted until they end', async () => {
    const { queue, send, submit } = await openFront({ alice: { openJobs: 2 } });
    const ids = [(await submit()).body.id, (await submit()).body.id];
    const full = await submit();
    expectProblem(full, 429, 'TOO_MANY_JOBS');
    expect(full.headers['retry-after']).toBe('1');
    expect((await submit(undefined, 'bob')).status).toBe(202);
    queue.prove(ids[1]);
    expect((await submit()).status).toBe(202);
    expectProblem(await submit(), 429, 'TOO_MANY_JOBS');
    expect((await send({ method: 'DELETE', url: `/v1/proofs/${ids[0]}` })).body.state).toBe('cancelled');
    expect((await submit()).status).toBe(202);
    // One whose submission failed takes no place.
    expectProblem(await submit(), 429, 'TOO_MANY_JOBS');
    expect(queue.jobs.size).toBe(5);
  });

  it('a submission that the queue refuses takes no place', async () => {
    const { queue, submit } = await openFront({ alice: { openJobs: 1 } });
    const { submit: real } = queue;
    queue.submit = () => Promise.reject(new TypeError('a bug with secret=5'));
    const response = await submit();
    expectProblem(response, 500, 'INTERNAL');
    expect(response.text).not.toContain('secret');
    queue.submit = real;
    expect((await submit()).status).toBe(202);
  });

  it('requests are counted by the minute, those without a key by address', async () => {
    const { app, send } = await openFront({ alice: { requestsPerMinute: 3 } });
    const statuses: number[] = [];
    for (let i = 0; i < 4; i++) statuses.push((await send({ url: '/v1/circuits' })).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    const limited = await send({ url: '/v1/circuits' });
    expectProblem(limited, 429, 'RATE_LIMITED');
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0);
    expect((await send({ url: '/v1/circuits' }, 'bob')).status).toBe(200);
    let last = 401;
    for (let i = 0; i < 61; i++) last = (await app.inject('/v1/circuits')).statusCode;
    expect(last).toBe(429);
    expect((await app.inject('/healthz')).statusCode).toBe(200);
  });

  it('requests that wait are counted while they do', async () => {
    const { queue, send, submit } = await openFront({ alice: { waiting: 1 } });
    const { id } = (await submit()).body;
    const url = `/v1/proofs/${id}?wait=60`;
    const first = send({ url });
    await expect.poll(() => queue.watching).toBe(1);
    expectProblem(await send({ url }), 429, 'TOO_MANY_WAITING');
    expectProblem(await send({ url: `/v1/proofs/${id}/events` }), 429, 'TOO_MANY_WAITING');
    queue.prove(id);
    expect((await first).body.state).toBe('proved');
    expect((await send({ url })).status).toBe(200);
  });
});
