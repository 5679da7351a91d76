import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type CircuitRegistration,
  type DevelopmentRedis,
  gpuProcesses,
  makeKeyPair,
  ProofQueue,
  type ProofRequest,
  readCircuits,
  startRedis,
} from '../../farm/src/index.js';
import { redisOptions } from '../../farm/src/redis/connection.js';
import { bls12381 } from '../../sdk/curves/index.js';
import { memorySource } from '../../sdk/files/byte-source.js';
import { readZkey } from '../../sdk/files/snarkjs/zkey.js';
import { MAKING_TIMEOUT } from '../support/circuits.js';
import { registrations } from '../support/farm.js';
import { FileServer } from '../support/file-server.js';
import { scriptedCircuit } from '../support/scripted-prover.js';
import { wtnsOf } from '../support/wtns.js';

let redis: DevelopmentRedis;
let queue: ProofQueue;
let publicKey: Uint8Array;
const takesWitness = { ...scriptedCircuit('w').info, takesInputs: false };
const circuits = [scriptedCircuit('a').info, takesWitness];

beforeAll(async () => {
  [redis, { publicKey }] = await Promise.all([startRedis(), makeKeyPair()]);
  queue = await ProofQueue.open({ connection: redis.connection, circuits, publicKey, maxInputBytes: 1000 });
});

afterAll(async () => {
  await queue?.close();
  await redis?.stop();
});

describe('a request', () => {
  const good = { circuit: 'a', inputs: { x: 1 } };
  const witness = new Uint8Array(10);
  it.each([
    ['nothing', undefined],
    ['an unknown circuit', { ...good, circuit: 'c' }],
    ['a circuit with a colon', { ...good, circuit: 'a:b' }],
    ['neither inputs nor witness', { circuit: 'a' }],
    ['both', { ...good, witness }],
    ['inputs that are a list', { ...good, inputs: [1] }],
    ['inputs for a circuit without WASM', { ...good, circuit: 'w' }],
    ['a witness that is no bytes', { circuit: 'a', witness: 'AAAA' }],
    ['an id with a full stop', { ...good, id: 'a.b' }],
    ['an id of 65 characters', { ...good, id: 'a'.repeat(65) }],
    ['a priority of -1', { ...good, priority: -1 }],
    ['a priority of 1001', { ...good, priority: 1001 }],
    ['a deadline in 31 days', { ...good, deadline: Date.now() + 31 * 86_400_000 }],
    ['an owner that is a number', { ...good, owner: 5 }],
    ['a misspelt member', { ...good, prio: 5 }],
  ])('with %s is refused', async (_, request) => {
    await expect(queue.submit(request as ProofRequest)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  it('is refused when its deadline is over, or its input is too large', async () => {
    await expect(queue.submit({ ...good, deadline: Date.now() - 1000 })).rejects.toMatchObject({
      code: 'DEADLINE_PASSED',
    });
    const large = { circuit: 'a', witness: wtnsOf(40) };
    await expect(queue.submit(large)).rejects.toMatchObject({ code: 'INVALID_LENGTH' });
  });

  it('tells where a job waits', async () => {
    for (const id of ['one', 'two', 'three']) await queue.submit({ ...good, id });
    await queue.submit({ ...good, id: 'first', priority: 0 });
    const positions = ['first', 'one', 'two', 'three'].map(async (id) => (await queue.status(`a.${id}`))!.position);
    expect(await Promise.all(positions)).toEqual([0, 1, 2, 3]);
  });

  it('fails at its deadline where no worker is', async () => {
    const { id } = await queue.submit({ ...good, deadline: Date.now() + 100 });
    await expect(queue.result(id)).rejects.toMatchObject({ code: 'DEADLINE_PASSED' });
  });

  it('of a job that there is not has no answer', async () => {
    for (const id of ['a.none', 'c.none', 'a', '', 'a.b.c', 'a:b']) {
      expect(await queue.status(id)).toBeUndefined();
      expect(await queue.cancel(id)).toBeUndefined();
      await expect(queue.result(id)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    }
  });

  it('is no longer waited for when the signal fires', async () => {
    const { id } = await queue.submit(good);
    await expect(queue.result(id, { signal: AbortSignal.timeout(50) })).rejects.toMatchObject({ code: 'ABORTED' });
  });
});

describe('a circuit that there is not', () => {
  it.each([
    ['of a list', circuits],
    ['in Redis', 'from redis' as const],
  ])('leaves nothing, whatever is asked of it: %s', async (_, given) => {
    const client = new Redis(redis.connection);
    const its = await ProofQueue.open({ connection: redis.connection, circuits: given, publicKey, prefix: 'none' });
    const connections = async () =>
      String(await client.client('LIST'))
        .trim()
        .split('\n').length;
    const before = await connections();
    try {
      for (let i = 0; i < 20; i++) {
        const id = `invented-${i}.job`;
        expect(await its.status(id)).toBeUndefined();
        expect(await its.cancel(id)).toBeUndefined();
        await expect(its.result(id)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
        const submitted = its.submit({ circuit: `invented-${i}`, inputs: { x: 1 } });
        await expect(submitted).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
      }
      expect(await client.keys('none:*')).toEqual([]);
      expect(await connections()).toBe(before);
    } finally {
      await its.close();
      client.disconnect();
    }
  });

  it('may be told of by a worker later', async () => {
    const client = new Redis(redis.connection);
    const connection = { connection: redis.connection, publicKey, prefix: 'later' };
    const [writer, reader] = await Promise.all([
      ProofQueue.open({ ...connection, circuits }),
      ProofQueue.open({ ...connection, circuits: 'from redis' }),
    ]);
    const { id } = await writer.submit({ circuit: 'a', inputs: { x: 1 } });
    expect(await reader.status(id)).toBeUndefined();
    await client.hset('later:pippin.circuits', 'a', JSON.stringify(circuits[0]));
    expect(await reader.status(id)).toMatchObject({ state: 'waiting' });
    await Promise.all([writer.close(), reader.close()]);
    client.disconnect();
  });
});

describe('a witness', () => {
  const its = { ...scriptedCircuit('v').info, variables: 5 };
  let checking: ProofQueue;
  beforeAll(async () => {
    checking = await ProofQueue.open({ connection: redis.connection, circuits: [its], publicKey, prefix: 'checking' });
  });
  afterAll(() => checking.close());

  it.each([
    ['zeros', 'MALFORMED_FILE', new Uint8Array(200)],
    ['another prime', 'CURVE_MISMATCH', wtnsOf(5, bls12381.fr.modulus)],
    ['too many values', 'INVALID_LENGTH', wtnsOf(6)],
    ['too few values', 'INVALID_LENGTH', wtnsOf(4)],
    ['values that are missing', 'MALFORMED_FILE', wtnsOf(5).subarray(0, 200)],
    ['no bytes', 'MALFORMED_FILE', new Uint8Array()],
  ])('of %s is not queued', async (_, code, witness) => {
    await expect(checking.submit({ circuit: 'v', witness, id: 'wrong' })).rejects.toMatchObject({ code });
    expect(await checking.status('v.wrong')).toBeUndefined();
  });

  it('of the circuit is queued, and gone from Redis when the deadline is over', async () => {
    const deadline = Date.now() + 60_000;
    expect((await checking.submit({ circuit: 'v', witness: wtnsOf(5), deadline })).created).toBe(true);
    const client = new Redis(redis.connection);
    const inputs = await client.keys('checking:pippin.input:*');
    expect(inputs).toHaveLength(1);
    expect(await client.pexpiretime(inputs[0]!)).toBeLessThan(deadline + 5000);
    client.disconnect();
  });
});

describe('Redis', () => {
  it('that is not there is an error which says what to do', async () => {
    const connection = join(tmpdir(), 'no-redis.sock');
    const open = ProofQueue.open({ connection, circuits, publicKey });
    await expect(open).rejects.toMatchObject({ code: 'QUEUE_UNAVAILABLE', hint: expect.stringContaining('Redis') });
    const start = startRedis({ program: 'no-such-redis-server' });
    await expect(start).rejects.toMatchObject({
      code: 'UNSUPPORTED_ENVIRONMENT',
      hint: expect.stringContaining('apt-get'),
    });
  });

  it('that has died keeps nobody from closing, which ends calls under way', async () => {
    const own = await startRedis();
    const its = await ProofQueue.open({ connection: own.connection, circuits, publicKey });
    const { id } = await its.submit({ circuit: 'a', inputs: { x: 1 } });
    const watched = its.result(id).catch(({ code }) => code);
    await expect.poll(async () => (await its.status(id))?.state).toBe('waiting');
    process.kill(own.pid, 'SIGKILL');
    await expect.poll(() => its.redisReady()).toBe(false);
    await its.close();
    expect(await watched).toBe('DISPOSED');
    await expect(its.status(id)).rejects.toMatchObject({ code: 'DISPOSED' });
    await own.stop();
  });

  it('keeps what it has in a folder, and deletes a folder of its own', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pippin-test-'));
    const open = async (own: DevelopmentRedis) => ProofQueue.open({ connection: own.connection, circuits, publicKey });
    let own = await startRedis({ folder, persistent: true });
    let its = await open(own);
    const { id } = await its.submit({ circuit: 'a', inputs: { x: 1 } });
    await its.close();
    await own.stop();
    own = await startRedis({ folder, persistent: true });
    its = await open(own);
    expect(await its.status(id)).toMatchObject({ state: 'waiting' });
    await its.close();
    await own.stop();
    expect(existsSync(folder)).toBe(true);
    await rm(folder, { recursive: true });
  });

  it('is named by a URL, a path or options, and a password is never repeated', () => {
    expect(redisOptions('/tmp/x.sock')).toEqual({ path: '/tmp/x.sock' });
    expect(redisOptions('rediss://me:p%40ss@redis.example:7000/2')).toEqual({
      ...{ host: 'redis.example', port: 7000, username: 'me', password: 'p@ss', db: 2, tls: {} },
    });
    expect(() => redisOptions('http://me:SECRET@x')).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
    expect(() => redisOptions('http://me:SECRET@x')).not.toThrow(/SECRET/);
    expect(() => redisOptions(5)).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
  });
});

describe('circuits', () => {
  it(
    'are read from a list and from a file',
    async () => {
      const list = await registrations('chain');
      const [chain] = await readCircuits(list);
      expect(chain!.info).toMatchObject({ id: 'chain', curve: 'bn128', publicSignals: 2, takesInputs: true });
      const folder = await mkdtemp(join(tmpdir(), 'pippin-test-'));
      await writeFile(join(folder, 'circuits.json'), JSON.stringify(list));
      expect(await readCircuits(join(folder, 'circuits.json'))).toEqual([chain]);
      await rm(folder, { recursive: true });
    },
    MAKING_TIMEOUT,
  );

  it('have as many values of a witness as their key says, whether it is a file or at a server that answers', async () => {
    const [chain] = await registrations('chain');
    const bytes = await readFile(chain!.zkey.source);
    const { variables } = (await readZkey(memorySource(bytes))).facts;
    const server = await FileServer.start();
    server.files.set('/chain.zkey', { bytes });
    const at = (source: string | URL) => ({ ...chain!, zkey: { ...chain!.zkey, source } });
    const infoOf = async (source: string | URL) => (await readCircuits([at(source)]))[0]!.info;
    expect(await infoOf(chain!.zkey.source)).toMatchObject({ variables });
    expect(await infoOf(server.url('/chain.zkey'))).toMatchObject({ variables });
    expect(await infoOf(server.url('/none.zkey'))).not.toHaveProperty('variables');
    await server.stop();
  });

  it('are refused at places that are none, without a word of their secrets', async () => {
    const [{ verificationKey, ...chain }] = (await registrations('chain')) as [CircuitRegistration];
    for (const source of [
      'https://me:SECRET@/x',
      'http://me:SECRET@127.0.0.1:1/key?t=SECRET',
      'http:me:SECRET@127.0.0.1:1',
    ]) {
      const refused = readCircuits([{ ...chain, verificationKey: { ...verificationKey, source } }]);
      await expect(refused).rejects.toMatchObject({ code: expect.stringMatching(/IO_FAILED|INVALID_ARGUMENT/) });
      await expect(refused).rejects.not.toThrow(/SECRET/);
    }
  });

  it('are refused when a file is another one, missing or none', async () => {
    const [chain, hash] = await registrations('chain', 'hash');
    const { id, zkey, verificationKey } = chain!;
    const other = { source: zkey.source, sha256: hash!.zkey.sha256 };
    const refused = (registration: object, code: string) =>
      expect(readCircuits([registration as never])).rejects.toMatchObject({ code });
    await refused({ id, zkey: other, verificationKey }, 'KEY_MISMATCH');
    await refused({ id, zkey, verificationKey: zkey }, 'MALFORMED_FILE');
    await refused({ id, zkey: { ...zkey, source: '/none' }, verificationKey }, 'IO_FAILED');
    await refused({ id: 'a b', zkey, verificationKey }, 'INVALID_ARGUMENT');
    await refused({ id, zkey: { source: zkey.source }, verificationKey }, 'INVALID_ARGUMENT');
    await refused({ id, zkey }, 'INVALID_ARGUMENT');
    await expect(readCircuits([chain!, chain!])).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await expect(readCircuits([])).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });
});

it('without several GPUs a farm of GPUs has one process', () => {
  expect(gpuProcesses()).toEqual([{}]);
});
