import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { ApiKey } from '../../../farm/src/index.js';
import { expectProblem, openFront, type TestFront } from '../../support/front.js';

const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

interface ListeningFront extends TestFront {
  /** Begins a request, of which what follows may never come, and waits until the front has its headers. */
  begin(
    lines: readonly string[],
    owner?: string,
  ): Promise<{ readonly socket: Socket; readonly answer: Promise<string> }>;
  /** Begins to send a witness of so many bytes, and sends one of them. */
  beginWitness(bytes: number, owner?: string): ReturnType<ListeningFront['begin']>;
}

async function listen(
  owners: Readonly<Record<string, Partial<ApiKey>>>,
  options: NonNullable<Parameters<typeof openFront>[1]>,
): Promise<ListeningFront> {
  const front = await openFront(owners, options);
  const { port } = new URL(await front.app.listen({ port: 0, host: '127.0.0.1' }));
  const begin: ListeningFront['begin'] = async (lines, owner) => {
    const arrived = once(front.app.server, 'request');
    const socket = connect(Number(port), '127.0.0.1');
    sockets.push(socket);
    const key = owner === undefined ? [] : [`Authorization: Bearer ${front.keys[owner]}`];
    const head = ['POST /v1/proofs?circuit=note HTTP/1.1', 'Host: x', ...key, ...lines];
    const answer = new Promise<string>((resolve) => {
      let text = '';
      socket
        .on('error', () => {})
        .on('data', (bytes) => {
          text += bytes;
          if (text.includes('}')) resolve(text);
        });
    });
    socket.write(`${head.join('\r\n')}\r\n\r\n1`);
    await arrived;
    return { socket, answer };
  };
  const beginWitness: ListeningFront['beginWitness'] = (bytes, owner = 'alice') =>
    begin(['Content-Type: application/octet-stream', `Content-Length: ${bytes}`], owner);
  return { ...front, begin, beginWitness };
}

const witness = (bytes: number) => ({
  method: 'POST' as const,
  url: '/v1/proofs?circuit=note',
  payload: Buffer.alloc(bytes),
  headers: { 'content-type': 'application/octet-stream' },
});

/**
 * The status of a body of so many bytes, asked for until it is the expected one: what has arrived is counted a moment
 * later.
 */
const until = (front: TestFront, bytes: number, status: number, owner = 'alice') =>
  expect.poll(async () => (await front.send(witness(bytes), owner)).status).toBe(status);

describe('an API key', () => {
  it.each([
    ['none', undefined],
    ['an unknown one', 'Authorization: Bearer pippin_unknown'],
  ])('is asked for before a body is read: %s', async (_, header) => {
    const { begin } = await listen({}, {});
    const lines = ['Content-Type: application/octet-stream', 'Content-Length: 1000', ...(header ? [header] : [])];
    const answer = await (await begin(lines)).answer;
    expect(answer).toMatch(/^HTTP\/1\.1 401 [\s\S]*"UNAUTHENTICATED"/);
    expect(answer).toMatch(/^www-authenticate: Bearer /m);
  });
});

describe('bodies that are arriving', () => {
  const limits = { witnessLimit: 1000, inputsLimit: 1000, bodyBytes: 2500 };

  it('are bounded for each API key', async () => {
    const front = await listen({ alice: { bodyBytes: 2000 } }, limits);
    const first = await front.beginWitness(1000);
    await front.beginWitness(1000);
    await until(front, 1, 429);
    const refused = await front.send(witness(1));
    expectProblem(refused, 429, 'TOO_MANY_BODIES');
    expect(refused.headers['retry-after']).toBe('1');
    expect((await front.send(witness(500), 'bob')).status).toBe(202);
    // Requests without a body are not meant.
    expect((await front.send({ url: '/v1/circuits' })).status).toBe(200);
    first.socket.destroy();
    await until(front, 1000, 202);
    expectProblem(await front.send(witness(1001)), 413, 'TOO_LARGE');
  });

  it('are bounded for all of them together', async () => {
    const front = await listen({}, limits);
    await front.beginWitness(1000, 'alice');
    const second = await front.beginWitness(1000, 'bob');
    await until(front, 600, 503, 'root');
    const refused = await front.send(witness(600), 'root');
    expectProblem(refused, 503, 'OVERLOADED');
    expect(refused.headers['retry-after']).toBe('1');
    expect((await front.send(witness(400), 'root')).status).toBe(202);
    second.socket.write(Buffer.alloc(999));
    expect(await second.answer).toMatch(/^HTTP\/1\.1 202 /);
    await until(front, 600, 202, 'root');
  });

  it('count with the longest length where they announce none', async () => {
    const front = await listen({ alice: { bodyBytes: 1500 } }, limits);
    await front.begin(['Content-Type: application/octet-stream', 'Transfer-Encoding: chunked'], 'alice');
    await until(front, 600, 429);
    expect((await front.send(witness(500))).status).toBe(202);
  });

  it('count no longer when their job is in the queue, though the request waits for it', async () => {
    const front = await listen({ alice: { bodyBytes: 1000 } }, limits);
    const waiting = front.send({ ...witness(1000), url: '/v1/proofs?circuit=note&id=w&wait=60' });
    await expect.poll(() => front.queue.watching).toBe(1);
    expect((await front.send(witness(1000))).status).toBe(202);
    front.queue.prove('note.alice_w');
    expect((await waiting).body.state).toBe('proved');
  });

  it('are too large where a key may never send them', async () => {
    const front = await listen({ alice: { bodyBytes: 999 }, bob: { openBytes: 999 } }, limits);
    expectProblem(await front.send(witness(1000)), 413, 'TOO_LARGE');
    expectProblem(await front.send(witness(1000), 'bob'), 413, 'TOO_LARGE');
    expect((await front.send(witness(999))).status).toBe(202);
  });
});

it.each(['/nothing', '/healthz', '/metrics'])('a body is not read where none is taken: %s', async (path) => {
  const { app } = await openFront();
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }));
  const socket = connect(Number(port), '127.0.0.1');
  sockets.push(socket);
  const answer = new Promise<string>((resolve) =>
    socket.on('error', () => {}).once('data', (bytes) => resolve(`${bytes}`)),
  );
  const json = 'Content-Type: application/json\r\nContent-Length: 1000000';
  socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\n${json}\r\n\r\n{`);
  expect(await answer).toMatch(/^HTTP\/1\.1 404 /);
});

describe('the bytes of unfinished jobs', () => {
  it('are bounded for each API key, until jobs end', async () => {
    const front = await openFront({ alice: { openBytes: 1000 } });
    const first = (await front.send(witness(400))).body.id;
    const second = (await front.send(witness(400))).body.id;
    const full = await front.send(witness(400));
    expectProblem(full, 429, 'TOO_MANY_BYTES');
    expect(full.headers['retry-after']).toBe('1');
    expect((await front.send(witness(400), 'bob')).status).toBe(202);
    const inputs = { circuit: 'note', inputs: { a: '1'.repeat(60) } };
    expect((await front.submit(inputs)).status).toBe(202);
    front.queue.prove(second);
    expect((await front.send(witness(400))).status).toBe(202);
    expectProblem(await front.send(witness(400)), 429, 'TOO_MANY_BYTES');
    await front.send({ method: 'DELETE', url: `/v1/proofs/${first}` });
    expect((await front.send(witness(400))).status).toBe(202);
  });
});

describe('a request that comes too slowly', () => {
  it.each([
    ['its body', 'Content-Type: application/octet-stream\r\nContent-Length: 1000\r\n\r\n1'],
    ['its head', 'X-Part: 1\r\nX-Oth'],
  ])('is ended at the end of its time: %s', async (_, rest) => {
    const { app, keys } = await openFront({}, { requestTimeout: 300 });
    const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }));
    const socket = connect(Number(port), '127.0.0.1');
    sockets.push(socket);
    let text = '';
    socket
      .on('error', () => {})
      .on('data', (bytes) => {
        text += bytes;
      });
    const authorization = `Authorization: Bearer ${keys.alice}`;
    socket.write(`POST /v1/proofs?circuit=note HTTP/1.1\r\nHost: x\r\n${authorization}\r\n${rest}`);
    // Node's own would be 30 seconds more for a body, and 60 for a head.
    await expect.poll(() => text).toMatch(/^HTTP\/1\.1 408 [\s\S]*"TIMED_OUT"/);
  });
});
