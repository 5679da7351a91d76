import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { PippinError, type PippinErrorCode } from '../../../sdk/base/errors.js';
import { FAKE_RESULT } from '../../support/fake-proof-queue.js';
import { expectProblem, openFront, type TestFront } from '../../support/front.js';

async function openWithJob(): Promise<TestFront & { id: string; url: string }> {
  const front = await openFront();
  const { id } = (await front.submit()).body;
  return { ...front, id, url: `/v1/proofs/${id}` };
}

describe('the status of a job', () => {
  it('follows the job, and names neither owner nor worker', async () => {
    const { queue, send, id, url } = await openWithJob();
    queue.change(id, { state: 'proving', progress: 0.25, phase: 'msm', worker: 'one', started: 5, attempts: 1 });
    const { status, body } = await send({ url });
    expect(status).toBe(200);
    expect(body).toMatchObject({ state: 'proving', progress: 0.25, phase: 'msm', started: 5, attempts: 1 });
    expect(body).not.toHaveProperty('owner');
    expect(body).not.toHaveProperty('worker');
    queue.prove(id);
    expect((await send({ url })).body).toMatchObject({ state: 'proved', result: FAKE_RESULT });
  });

  it('waits as long as it is asked to', async () => {
    const { queue, send, id, url } = await openWithJob();
    const waiting = send({ url: `${url}?wait=60` });
    await expect.poll(() => queue.watching).toBe(1);
    queue.change(id, { state: 'proving' });
    queue.prove(id);
    expect((await waiting).body.state).toBe('proved');
    expect(queue.watching).toBe(0);
  });

  it('is the latest one when the time is over', async () => {
    const { queue, send, id, url } = await openWithJob();
    const waiting = send({ url: `${url}?wait=1` });
    await expect.poll(() => queue.watching).toBe(1);
    queue.change(id, { progress: 0.5 });
    expect((await waiting).body).toMatchObject({ state: 'waiting', progress: 0.5 });
    expect(queue.watching).toBe(0);
  });

  it('waits for whole seconds up to 60 alone', async () => {
    const { send, url } = await openWithJob();
    for (const wait of ['-1', '61', 'x', '1.5', '', '1&wait=2']) {
      expectProblem(await send({ url: `${url}?wait=${wait}` }), 400, 'INVALID_ARGUMENT');
    }
  });

  it('is there for ids of jobs alone', async () => {
    const { send } = await openFront();
    for (const id of ['note.none', 'x', '..', 'note.alice_x.y']) {
      expectProblem(await send({ url: `/v1/proofs/${id}` }), 404, 'NOT_FOUND');
    }
    for (const id of ['note%00', 'a%2Fb', '%F0%9F%92%A9', 'x'.repeat(301), 'x'.repeat(500), '%zz']) {
      expectProblem(await send({ url: `/v1/proofs/${id}` }), 400, 'INVALID_ARGUMENT');
    }
  });

  it('a submission can wait as well', async () => {
    const { queue, submit } = await openFront();
    const waiting = submit({ circuit: 'note', inputs: {}, id: 'x' }, 'alice', '?wait=60');
    await expect.poll(() => queue.watching).toBe(1);
    queue.prove('note.alice_x');
    expect(await waiting).toMatchObject({ status: 200, body: { state: 'proved', created: true, result: FAKE_RESULT } });
  });
});

describe('the result of a job', () => {
  it('is the proof', async () => {
    const { queue, send, id, url } = await openWithJob();
    const early = await send({ url: `${url}/result` });
    expectProblem(early, 409, 'NOT_READY');
    expect(early.headers['retry-after']).toBe('1');
    queue.prove(id);
    expect(await send({ url: `${url}/result` })).toMatchObject({ status: 200, body: FAKE_RESULT });
  });

  it.each([
    ['INVALID_INPUT', 422, 'INVALID_INPUT'],
    ['WITNESS_REJECTED', 422, 'WITNESS_REJECTED'],
    ['DEADLINE_PASSED', 410, 'DEADLINE_PASSED'],
    ['WORKER_FAILED', 500, 'WORKER_FAILED'],
  ] as const)('is a problem where the job failed with %s', async (code, status, shown) => {
    const { queue, send, id, url } = await openWithJob();
    queue.change(id, { state: 'failed', error: { code, message: 'expected x, got y', hint: 'do z' } });
    const response = await send({ url: `${url}/result` });
    expectProblem(response, status, shown);
    expect(response.body).toMatchObject({ message: 'expected x, got y', hint: 'do z' });
    expect((await send({ url })).body).toMatchObject({ state: 'failed', error: { code, hint: 'do z' } });
  });
});

describe('the hint of a problem', () => {
  /** What the library says to callers of its own, who have the key, the circuit and its source. */
  const ofLibrary = (code: PippinErrorCode, hint?: string) => {
    const { message, hint: shown } = new PippinError(code, 'expected x, got y', { hint });
    return { code, message, ...(shown !== undefined && { hint: shown }) };
  };

  it.each([
    ['INVALID_INPUT', undefined, /input signal/],
    ['INVALID_INPUT', 'did you mean leaf?', /^did you mean leaf\?$/],
    ['WITNESS_REJECTED', undefined, /inputs are complete/],
    ['WITNESS_FAILED', 'raise witnessTimeout if the circuit is that large', /operator/],
    ['PROOF_INVALID', 'get the key again from where it was published', /operator/],
    ['INVALID_SCALAR', undefined, /GET \/v1\/circuits/],
  ] as const)('of %s is for those who ask over HTTP', async (code, hint, expected) => {
    const { queue, send, id, url } = await openWithJob();
    const error = ofLibrary(code, hint);
    queue.change(id, { state: 'failed', error });
    const hints = [(await send({ url: `${url}/result` })).body.hint, (await send({ url })).body.error.hint];
    const [, event = ''] = /^data: (.*)$/m.exec((await send({ url: `${url}/events` })).text) ?? [];
    for (const shown of [...hints, JSON.parse(event).error.hint]) {
      expect(shown).toMatch(expected);
      expect(shown).not.toMatch(/loadCircuit|loadKey|source|log\(\)|prover|witnessTimeout/);
    }
  });

  it('of wrong inputs and of inputs for a circuit that takes none says what to send', async () => {
    const { submit } = await openFront();
    const wrong = await submit({ circuit: 'note', inputs: { a: '-1' } });
    expectProblem(wrong, 422, 'INVALID_INPUT');
    expect(wrong.body.hint).not.toMatch(/loadCircuit|source/);
    const none = await submit({ circuit: 'witness-only', inputs: { a: '1' } });
    expectProblem(none, 400, 'INVALID_ARGUMENT');
    expect(none.body.hint).toContain('.wtns');
  });
});

describe('cancelling', () => {
  it('ends a job, once', async () => {
    const { send, url } = await openWithJob();
    expect((await send({ method: 'DELETE', url })).body).toMatchObject({
      state: 'cancelled',
      error: { code: 'ABORTED' },
    });
    expect((await send({ method: 'DELETE', url })).body.state).toBe('cancelled');
    expectProblem(await send({ url: `${url}/result` }), 410, 'CANCELLED');
  });

  it('leaves one that has ended', async () => {
    const { queue, send, id, url } = await openWithJob();
    queue.prove(id);
    expect((await send({ method: 'DELETE', url })).body.state).toBe('proved');
  });
});

describe('the events of a job', () => {
  it('tell each change and end with the last one', async () => {
    const { queue, send, id, url } = await openWithJob();
    const response = send({ url: `${url}/events` });
    await expect.poll(() => queue.watching).toBe(1);
    queue.change(id, { state: 'proving', progress: 0.5, worker: 'one' });
    await expect.poll(() => queue.watching).toBe(1);
    queue.prove(id);
    const { status, headers, text } = await response;
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/event-stream; charset=utf-8');
    const [retry, ...events] = text.trim().split('\n\n');
    expect(retry).toBe('retry: 2000');
    const jobs = events.map((event) => JSON.parse(/^event: status\ndata: (.*)$/.exec(event)![1]!));
    expect(jobs.map(({ state }) => state)).toEqual(['waiting', 'proving', 'proved']);
    expect(jobs.at(-1).result).toEqual(FAKE_RESULT);
    expect(text).not.toContain('owner');
  });

  it('end when the client goes away', async () => {
    const { app, keys, queue, url } = await openWithJob();
    const address = await app.listen({ port: 0, host: '127.0.0.1' });
    const client = request(`${address}${url}/events`, { headers: { authorization: `Bearer ${keys.alice}` } });
    client.on('error', () => {});
    client.end();
    await expect.poll(() => queue.watching).toBe(1);
    client.destroy();
    await expect.poll(() => queue.watching).toBe(0);
  });

  it('end when the queue fails', async () => {
    const { queue, send, url } = await openWithJob();
    queue.watch = async function* () {
      await queue.before();
      yield* [];
      throw new PippinError('QUEUE_UNAVAILABLE', 'Redis is gone');
    };
    expect((await send({ url: `${url}/events` })).text).toBe('retry: 2000\n\n');
  });
});

describe('a queue that does not answer', () => {
  it('is a problem of the server, in time', async () => {
    const { app, queue, send, submit, url } = await openWithJob().then(async ({ queue, keys, id }) => {
      const front = await openFront({}, { queue, queueTimeout: 50 });
      return { ...front, queue, keys, url: `/v1/proofs/${id}` };
    });
    queue.before = () => new Promise(() => {});
    const responses = [
      await submit(),
      await send({ url }),
      await send({ url: `${url}/result` }),
      await send({ url: `${url}/events` }),
      await send({ method: 'DELETE', url }),
    ];
    for (const response of responses) {
      expectProblem(response, 503, 'QUEUE_UNAVAILABLE');
      expect(response.headers['retry-after']).toBe('5');
    }
    expect((await app.inject('/healthz')).statusCode).toBe(200);
    expect((await app.inject('/readyz')).statusCode).toBe(503);
    queue.before = () => Promise.reject(new PippinError('QUEUE_UNAVAILABLE', 'no answer of redis at 10.0.0.7'));
    const response = await send({ url });
    expectProblem(response, 503, 'QUEUE_UNAVAILABLE');
    expect(response.text).not.toContain('10.0.0.7');
  });
});
