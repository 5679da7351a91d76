import { connect } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFront, newApiKey } from '../../../farm/src/index.js';
import { ProofQueue } from '../../../farm/src/queue/proof-queue.js';
import { type DevelopmentRedis, startRedis } from '../../../farm/src/redis/development.js';
import { makeKeyPair } from '../../../farm/src/sealing/key-pair.js';
import { bls12381 } from '../../../sdk/curves/index.js';
import { expectProblem, responseOf, type TestResponse } from '../../support/front.js';
import { wtnsOf } from '../../support/wtns.js';

/** A front over a real queue in a real Redis, without workers: jobs wait. */
const circuit = {
  ...{ id: 'note', keySha256: 'ab'.repeat(32), curve: 'bn128', publicSignals: 3, variables: 10, takesInputs: true },
};
const NOTE = { circuit: 'note', inputs: { amount: '918273645546372819' } };

describe('a front over a real queue', () => {
  const [alice, root] = [newApiKey(), newApiKey()];
  const apiKeys = [
    { name: 'alice', sha256: alice.sha256, openJobs: 3, requestsPerMinute: 40 },
    { name: 'root', sha256: root.sha256, operator: true },
  ];
  let redis: DevelopmentRedis;
  let queue: ProofQueue;
  let fronts: FastifyInstance[];
  beforeAll(async () => {
    redis = await startRedis();
    const { publicKey } = await makeKeyPair();
    queue = await ProofQueue.open({ connection: redis.connection, circuits: [circuit], publicKey });
    const options = { queue, apiKeys, redis: redis.connection, board: '/board' };
    fronts = [await createFront(options), await createFront(options)];
  });
  afterAll(async () => {
    await Promise.all(fronts.map((front) => front.close()));
    await queue.close();
    await redis.stop();
  });

  const send = async (
    method: 'GET' | 'POST' | 'DELETE',
    url: string,
    payload?: object,
    front = 0,
  ): Promise<TestResponse> => {
    const headers = { authorization: `Bearer ${alice.key}` };
    return responseOf(
      await fronts[front]!.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) }),
    );
  };

  it('submits a job, once for its id, which any front knows', async () => {
    const deadline = Date.now() + 60_000;
    const first = await send('POST', '/v1/proofs', { ...NOTE, id: 'one', deadline });
    expect(first).toMatchObject({
      status: 202,
      body: { id: 'note.alice_one', state: 'waiting', deadline, created: true },
    });
    const again = await send('POST', '/v1/proofs?wait=1', { ...NOTE, id: 'one' }, 1);
    expect(again).toMatchObject({ status: 202, body: { id: 'note.alice_one', state: 'waiting', created: false } });
    expect((await send('GET', '/v1/proofs/note.alice_one', undefined, 1)).body).toMatchObject({
      deadline,
      progress: 0,
    });
    expectProblem(await send('GET', '/v1/proofs/note.alice_one/result'), 409, 'NOT_READY');
  });

  it('follows a job to its cancellation', async () => {
    const { id } = (await send('POST', '/v1/proofs', NOTE)).body;
    const events = send('GET', `/v1/proofs/${id}/events`);
    const waiting = send('GET', `/v1/proofs/${id}?wait=60`, undefined, 1);
    expect((await send('DELETE', `/v1/proofs/${id}`)).body).toMatchObject({
      state: 'cancelled',
      error: { code: 'ABORTED' },
    });
    expect((await events).text).toMatch(/"state":"cancelled"[^\n]*\n\n$/);
    expect((await waiting).body.state).toBe('cancelled');
    expectProblem(await send('GET', `/v1/proofs/${id}/result`), 410, 'CANCELLED');
  });

  it('knows nothing of circuits that there are not, and keeps nothing of them', async () => {
    const client = new Redis(redis.connection);
    const before = (await client.keys('*')).sort();
    const headers = { authorization: `Bearer ${root.key}` };
    const get = async (method: 'GET' | 'DELETE', url: string) =>
      responseOf(await fronts[0]!.inject({ method, url, headers }));
    for (let i = 0; i < 10; i++) {
      const url = `/v1/proofs/invented-${i}.root_x`;
      for (const path of ['', '?wait=1', '/result', '/events']) {
        expectProblem(await get('GET', url + path), 404, 'NOT_FOUND');
      }
      expectProblem(await get('DELETE', url), 404, 'NOT_FOUND');
      const payload = { ...NOTE, circuit: `invented-${i}` };
      const submitted = await fronts[0]!.inject({ method: 'POST', url: '/v1/proofs', headers, payload });
      expectProblem(responseOf(submitted), 404, 'NOT_FOUND');
    }
    const known = [...before, 'pippin:front:rate:key:root'];
    expect((await client.keys('*')).filter((key) => !known.includes(key))).toEqual([]);
    client.disconnect();
  });

  it("refuses another circuit's witness with a hint, and queues nothing", async () => {
    const headers = { authorization: `Bearer ${root.key}`, 'content-type': 'application/octet-stream' };
    const url = '/v1/proofs?circuit=note&id=w';
    const post = async (witness: Uint8Array) =>
      responseOf(await fronts[0]!.inject({ method: 'POST', url, headers, payload: Buffer.from(witness) }));
    const answers = [
      [await post(wtnsOf(11)), 'INVALID_LENGTH', 'one compilation of the circuit'],
      [await post(wtnsOf(10, bls12381.fr.modulus)), 'CURVE_MISMATCH', 'GET /v1/circuits'],
      [await post(new Uint8Array(400)), 'MALFORMED_FILE', '.wtns'],
    ] as const;
    for (const [response, code, hint] of answers) {
      expectProblem(response, 400, code);
      expect(response.body.hint).toContain(hint);
    }
    expect((await fronts[0]!.inject({ url: '/v1/proofs/note.root_w', headers })).statusCode).toBe(404);
    expect((await post(wtnsOf(10))).status).toBe(202);
    await queue.cancel('note.root_w');
  });

  it('counts the bytes of the open jobs of all fronts together', async () => {
    const { key, sha256 } = newApiKey();
    const options = {
      queue,
      redis: redis.connection,
      apiKeys: [{ name: 'carol', sha256, openBytes: 1000, openJobs: 9 }],
    };
    const both = [await createFront(options), await createFront(options)];
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/octet-stream' };
    const payload = Buffer.from(wtnsOf(10));
    const post = async (front: number, id: string) => {
      const url = `/v1/proofs?circuit=note&id=${id}`;
      return responseOf(await both[front]!.inject({ method: 'POST', url, headers, payload }));
    };
    expect([(await post(0, 'a')).status, (await post(1, 'b')).status]).toEqual([202, 202]);
    expectProblem(await post(0, 'c'), 429, 'TOO_MANY_BYTES');
    expect((await post(1, 'a')).body.created).toBe(false);
    await queue.cancel('note.carol_b');
    expect((await post(0, 'c')).status).toBe(202);
    expectProblem(await post(1, 'd'), 429, 'TOO_MANY_BYTES');
    for (const name of ['a', 'c']) {
      await both[0]!.inject({
        method: 'DELETE',
        url: `/v1/proofs/note.carol_${name}`,
        headers: { authorization: headers.authorization },
      });
    }
    expect([(await post(0, 'e')).status, (await post(1, 'f')).status]).toEqual([202, 202]);
    for (const name of ['e', 'f']) await queue.cancel(`note.carol_${name}`);
    await Promise.all(both.map((front) => front.close()));
  });

  it('refuses what the queue refuses', async () => {
    expectProblem(await send('POST', '/v1/proofs', { ...NOTE, deadline: 5 }), 410, 'DEADLINE_PASSED');
    expectProblem(await send('GET', '/v1/proofs/none.x'), 404, 'NOT_FOUND');
  });

  it('counts the open jobs of all fronts together, and forgets those that ended', async () => {
    const taken = [];
    for (let i = 0; taken.length < 5 && i < 5; i++) {
      const { status, body } = await send('POST', '/v1/proofs', NOTE, i % 2);
      if (status === 429) break;
      taken.push(body.id);
    }
    // With the one of the first test.
    expect(taken).toHaveLength(2);
    expectProblem(await send('POST', '/v1/proofs', NOTE, 1), 429, 'TOO_MANY_JOBS');
    await queue.cancel(taken[0]);
    expect((await send('POST', '/v1/proofs', NOTE, 1)).status).toBe(202);
  });

  it('is not ready without workers, and tells metrics', async () => {
    expect((await fronts[0]!.inject('/readyz')).json()).toEqual({ state: 'not ready', reason: 'no worker is ready' });
    const headers = { authorization: `Bearer ${root.key}` };
    const metrics = (await fronts[0]!.inject({ url: '/metrics', headers })).payload;
    expect(metrics).toContain('pippin_jobs{circuit="note",state="waiting"} 3');
    expect(metrics).toContain('pippin_redis_reachable 1');
  });

  it('shows the board to operators alone, and lets nobody change jobs there', async () => {
    const basic = (key: string) => ({ authorization: `Basic ${Buffer.from(`x:${key}`).toString('base64')}` });
    const get = (url: string, key?: string) => fronts[0]!.inject({ url, headers: key === undefined ? {} : basic(key) });
    const refused = await get('/board/api/queues');
    expect(refused.statusCode).toBe(401);
    expect(refused.headers['www-authenticate']).toMatch(/^Basic /);
    expect((await get('/board/api/queues', alice.key)).statusCode).toBe(403);
    expect((await get('/board/', root.key)).payload).toContain('<html');
    const shown = await get('/board/api/queues?activeQueue=note&status=latest&page=1', root.key);
    expect(shown.statusCode).toBe(200);
    expect(shown.payload).toContain('note.alice_one');
    expect(shown.payload).not.toContain('918273645546372819');
    const url = '/board/api/queues/note/note.alice_one/clean';
    const changed = await fronts[0]!.inject({ method: 'PUT', url, headers: basic(root.key) });
    expect(changed.statusCode).toBeGreaterThanOrEqual(400);
    expect((await send('GET', '/v1/proofs/note.alice_one')).status).toBe(200);
  });

  it('keeps inputs and API keys out of Redis', async () => {
    const socket = connect(redis.connection);
    const stored: Buffer[] = [];
    socket.on('data', (bytes) => stored.push(bytes));
    socket.write('KEYS *\r\n');
    await expect.poll(() => Buffer.concat(stored).toString()).toContain('pippin:front:open:alice');
    socket.destroy();
    const names = Buffer.concat(stored).toString();
    expect(names).toContain('pippin:front:rate:key:alice');
    for (const secret of ['918273645546372819', alice.key, alice.sha256]) expect(names).not.toContain(secret);
  });

  it('counts the requests of all fronts together', async () => {
    let limited = 0;
    for (let i = 0; i < 40; i++) {
      if ((await send('GET', '/v1/circuits', undefined, i % 2)).status === 429) limited++;
    }
    // With those of the tests before.
    expect(limited).toBeGreaterThan(10);
    expect(limited).toBeLessThan(40);
  });

  it('answers in time when Redis does not', async () => {
    const front = await createFront({ queue, apiKeys, queueTimeout: 300, redis: redis.connection });
    process.kill(redis.pid, 'SIGSTOP');
    try {
      const headers = { authorization: `Bearer ${root.key}` };
      const response = responseOf(await front.inject({ url: '/v1/proofs/note.root_x', headers }));
      expectProblem(response, 503, 'QUEUE_UNAVAILABLE');
      expect((await front.inject('/readyz')).statusCode).toBe(503);
    } finally {
      process.kill(redis.pid, 'SIGCONT');
    }
    await expect.poll(async () => (await front.inject('/readyz')).json().reason).toContain('worker');
    await front.close();
  });
});
