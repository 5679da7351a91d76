import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { fakeWorker } from '../../support/fake-proof-queue.js';
import { expectProblem, openFront, responseOf } from '../../support/front.js';

const NOTE = { circuit: 'note', inputs: { amount: '987654321' } };

describe('health and readiness', () => {
  it('need no API key', async () => {
    const { app } = await openFront();
    expect((await app.inject('/healthz')).json()).toEqual({ state: 'alive' });
    expect((await app.inject('/readyz')).json()).toEqual({ state: 'ready' });
  });

  it.each([
    ['Redis does not answer', { isReady: false }],
    ['no worker is ready', { workers: [] }],
    ['no worker is ready', { workers: [fakeWorker('one', { state: 'starting' })] }],
  ])('say that %s', async (reason, changes) => {
    const { app, queue } = await openFront();
    Object.assign(queue, changes);
    const response = await app.inject('/readyz');
    expect(response.statusCode).toBe(503);
    expect(response.json()).toEqual({ state: 'not ready', reason });
    expect((await app.inject('/healthz')).statusCode).toBe(200);
  });

  it('ask the queue once for requests that come together', async () => {
    const { app, queue } = await openFront();
    let asked = 0;
    queue.before = async () => void asked++;
    await Promise.all(Array.from({ length: 10 }, () => app.inject('/readyz')));
    expect(asked).toBe(2);
  });
});

describe('metrics', () => {
  it('are for operators', async () => {
    const { send } = await openFront();
    expectProblem(await send({ url: '/metrics' }), 403, 'FORBIDDEN');
    expect((await send({ url: '/metrics' }, 'root')).status).toBe(200);
  });

  it('tell of queues, workers, proofs and requests', async () => {
    const { queue, send, submit } = await openFront();
    queue.workers = [
      fakeWorker('one', { gpu: 'trusted', device: 'GPU 0' }),
      fakeWorker('two', { gpu: 'distrusted', device: 'GPU 1', state: 'draining' }),
      fakeWorker('three'),
    ];
    queue.counters = {
      proofs: [{ circuit: 'note', count: 5 }],
      failures: [{ circuit: 'note', code: 'WORKER_FAILED', count: 2 }],
      alarms: [{ kind: 'gpu-distrusted', count: 1 }],
      seconds: [{ circuit: 'note', phase: 'msm', count: 3, sum: 4.5, buckets: [{ atMost: 1, count: 2 }] }],
    };
    await submit();
    await submit({});
    const expected = [
      'pippin_jobs{circuit="note",state="waiting"} 3',
      'pippin_jobs{circuit="note",state="failed"} 4',
      'pippin_workers{state="ready"} 2',
      'pippin_workers{state="draining"} 1',
      'pippin_worker_gpu_trusted{worker="one",device="GPU 0"} 1',
      'pippin_worker_gpu_trusted{worker="two",device="GPU 1"} 0',
      'pippin_worker_memory_bytes{worker="three"} 100000000',
      'pippin_proofs_total{circuit="note"} 5',
      'pippin_failures_total{circuit="note",code="WORKER_FAILED"} 2',
      'pippin_alarms_total{kind="gpu-distrusted"} 1',
      '# TYPE pippin_phase_seconds histogram',
      'pippin_phase_seconds_bucket{le="1",circuit="note",phase="msm"} 2',
      'pippin_phase_seconds_bucket{le="+Inf",circuit="note",phase="msm"} 3',
      'pippin_phase_seconds_sum{circuit="note",phase="msm"} 4.5',
      'pippin_phase_seconds_count{circuit="note",phase="msm"} 3',
      'pippin_http_request_seconds_count{method="POST",route="/v1/proofs",status="202"} 1',
      'pippin_http_problems_total{code="INVALID_ARGUMENT"} 1',
      'pippin_redis_reachable 1',
    ];
    // Counters are those of the farm, and not added up by each look at them.
    for (let look = 0; look < 2; look++) {
      const lines = (await send({ url: '/metrics' }, 'root')).text.split('\n');
      expect(lines).toEqual(expect.arrayContaining(expected));
      expect(lines.join()).not.toContain('worker="three",device');
    }
    queue.before = () => Promise.reject(new Error('gone'));
    const { status, text } = await send({ url: '/metrics' }, 'root');
    expect(status).toBe(200);
    expect(text).toContain('pippin_redis_reachable 0');
    expect(text).toContain('pippin_proofs_total{circuit="note"} 5');
    expect(text).not.toContain('pippin_workers{');
  });

  it('name requests of unknown paths by no path', async () => {
    const { app, send } = await openFront();
    await app.inject('/a/b/c');
    expect((await send({ url: '/metrics' }, 'root')).text).toContain(
      'pippin_http_request_seconds_count{method="GET",route="none",status="404"} 1',
    );
  });
});

describe('logs', () => {
  it('have a line for each request, and no secrets', async () => {
    const lines: string[] = [];
    const { app, keys, queue, send, submit } = await openFront(
      {},
      { logger: { level: 'trace', stream: { write: (line) => void lines.push(line) } } },
    );
    await submit(NOTE, 'alice', '?wait=0');
    await app.inject({
      url: '/v1/circuits?key=hunter2',
      headers: { authorization: 'Bearer hunter2', cookie: 'hunter2' },
    });
    await app.inject('/hunter2');
    await send({ method: 'POST', url: '/v1/proofs', payload: '{"inputs":{"a":987654321', headers: json });
    queue.before = () =>
      Promise.reject(Object.assign(new Error('OOM'), { command: { name: 'set', args: ['987654321'] } }));
    await submit(NOTE);
    const log = lines.join('');
    expect(lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request')).toMatchObject([
      { method: 'POST', route: '/v1/proofs', status: 202, key: 'alice' },
      { method: 'GET', route: '/v1/circuits', status: 401 },
      { method: 'GET', route: 'none', status: 404 },
      { method: 'POST', route: '/v1/proofs', status: 400, key: 'alice' },
      { method: 'POST', route: '/v1/proofs', status: 500, key: 'alice' },
    ]);
    expect(log).toContain('"message":"OOM"');
    for (const secret of ['987654321', 'hunter2', keys.alice!]) expect(log).not.toContain(secret);
  });
});

const json = { 'content-type': 'application/json' };

describe('the OpenAPI document', () => {
  it('lists the routes, what they take and that they need a key', async () => {
    const { app } = await openFront();
    const { openapi, paths, components } = (await app.inject('/openapi.json')).json();
    expect(openapi).toBe('3.1.0');
    const operations = Object.entries<object>(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(operations.sort()).toEqual([
      'DELETE /v1/proofs/{id}',
      'GET /healthz',
      'GET /metrics',
      'GET /readyz',
      'GET /v1/circuits',
      'GET /v1/proofs/{id}',
      'GET /v1/proofs/{id}/events',
      'GET /v1/proofs/{id}/result',
      'POST /v1/proofs',
    ]);
    const submit = paths['/v1/proofs'].post;
    expect(Object.keys(submit.requestBody.content)).toEqual(['application/json', 'application/octet-stream']);
    expect(submit.security).toEqual([{ apiKey: [] }]);
    expect(paths['/healthz'].get.security).toBeUndefined();
    expect(submit.responses['202'].content['application/json'].schema).toEqual({ $ref: '#/components/schemas/Job' });
    expect(Object.keys(components.schemas).sort()).toEqual(['Circuit', 'Job', 'Problem', 'ProofResult', 'Verdict']);
  });
});

describe('paths and requests that are none of the API', () => {
  it('are problems', async () => {
    const { app, send } = await openFront();
    expectProblem(await send({ url: '/v2/proofs' }), 404, 'NOT_FOUND');
    expectProblem(await send({ method: 'PUT', url: '/v1/proofs' }), 404, 'NOT_FOUND');
    expectProblem(responseOf(await app.inject('/')), 404, 'NOT_FOUND');
  });

  it.each([
    ['nonsense\r\n\r\n', '400 Bad Request', 'INVALID_ARGUMENT'],
    [`GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, '431 Request Header Fields Too Large', 'TOO_LARGE'],
  ])('are problems below HTTP as well (%#)', async (sent, status, code) => {
    const { app } = await openFront();
    const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }));
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(sent);
    const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
    expect(head).toContain(`HTTP/1.1 ${status}`);
    expect(head).toContain('application/problem+json');
    expect(JSON.parse(body).code).toBe(code);
  });
});

it('a front listens on this machine alone, unless it is told an address', async () => {
  const { app } = await openFront();
  await app.listen({ port: 0 });
  const addresses = app.addresses() as readonly { readonly address: string }[];
  for (const { address } of addresses) expect(['127.0.0.1', '::1']).toContain(address);
});

it('a front holds at least one body of the longest length', async () => {
  const open = openFront({}, { witnessLimit: 2 ** 21, bodyBytes: 2 ** 20 });
  await expect(open).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', message: expect.stringContaining('bodyBytes') });
});

describe('closing', () => {
  it('ends what waits and follows, and refuses what comes', async () => {
    const { app, keys, queue, submit } = await openFront();
    const { id } = (await submit()).body;
    const address = await app.listen({ port: 0, host: '127.0.0.1' });
    const headers = { authorization: `Bearer ${keys.alice}` };
    const get = (path: string): Promise<Response> => fetch(`${address}/v1/proofs/${id}${path}`, { headers });
    const [waiting, followed] = [get('?wait=60'), get('/events')];
    await expect.poll(() => queue.watching).toBe(2);
    const closing = app.close();
    expect(await (await waiting).json()).toMatchObject({ id, state: 'waiting' });
    expect(await (await followed).text()).toContain('"state":"waiting"');
    await closing;
    expect(queue.watching).toBe(0);
    await expect(get('')).rejects.toThrow();
  });

  it('does not wait for a client that never ends its request', async () => {
    const { app } = await openFront({}, { closeTimeout: 50 });
    const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }));
    const socket = connect(Number(port), '127.0.0.1');
    socket.on('error', () => {}).resume();
    const ended = new Promise((resolve) => socket.once('close', resolve));
    socket.write('POST /v1/proofs HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n');
    await new Promise((resolve) => app.server.once('connection', resolve));
    await app.close();
    await ended;
  });
});
