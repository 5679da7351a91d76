import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type DevelopmentRedis, makeKeyPair, ProofQueue, startRedis } from '../../farm/src/index.js';
import { Names } from '../../farm/src/queue/names.js';
import { connectRedis } from '../../farm/src/redis/connection.js';
import { JobTaker, type JobTakerOptions } from '../../farm/src/worker/job-taker.js';
import { scriptedCircuit } from '../support/scripted-prover.js';

const names = new Names('taker');
const circuits = ['a', 'b'].map((id) => scriptedCircuit(id).info);
/** Circuits for one test each, whose jobs no other test's worker counts the deaths of. */
const dying = [1, 2].map((deaths) => scriptedCircuit(`dying-${deaths}`).info);
const takers: JobTaker[] = [];
let redis: DevelopmentRedis;
let queue: ProofQueue;
let client: Awaited<ReturnType<typeof connectRedis>>;

const onError = (error: Error): void => {
  throw error;
};

async function openTaker(worker: string, more: Partial<JobTakerOptions> = {}): Promise<JobTaker> {
  const ids = circuits.map(({ id }) => id);
  const times = { lockMs: 30_000, deaths: 3, patienceMs: 5000, ...more };
  const taker = await JobTaker.open({ worker, client, names, circuits: ids, ...times, onError });
  takers.push(taker);
  return taker;
}

const submit = (circuit: string, priority = 500) => queue.submit({ circuit, inputs: { x: 1 }, priority });

beforeAll(async () => {
  redis = await startRedis();
  client = await connectRedis(redis.connection, { retries: 'forever', onError });
  const { publicKey } = await makeKeyPair();
  queue = await ProofQueue.open({
    connection: redis.connection,
    prefix: 'taker',
    circuits: [...circuits, ...dying],
    publicKey,
  });
  await Promise.all(['first', 'second'].map((worker) => openTaker(worker)));
});

beforeEach(() => client.flushall());

afterAll(async () => {
  await Promise.all(takers.map((taker) => taker.close()));
  client.disconnect();
  await queue.close();
  await redis.stop();
});

/** Waits as an idle worker does, a second at a time. */
async function wait(taker: JobTaker, held: readonly string[], isOver: () => boolean) {
  while (!isOver()) {
    const taken = await taker.next(held);
    if (taken !== undefined) return taken;
  }
  return undefined;
}

/** How many workers wait for a mark at the moment. */
const waiting = async () => String(await client.client('LIST')).match(/flags=b/g)?.length ?? 0;

it('gives a job to an idle worker that holds its key, though another one has been idle for longer', async () => {
  const [other, holder] = takers as [JobTaker, JobTaker];
  for (let time = 0; time < 5; time++) {
    let isOver = false;
    const others = wait(other, ['b'], () => isOver);
    await expect.poll(waiting).toBe(1);
    const holders = wait(holder, ['a'], () => isOver);
    await expect.poll(waiting).toBe(2);
    const { id } = await submit('a');
    expect((await holders)?.job.id).toBe(id);
    isOver = true;
    expect(await others).toBeUndefined();
  }
});

it('gives a job to a worker without its key when no holder is idle', async () => {
  const [other] = takers as [JobTaker, JobTaker];
  const others = wait(other, ['b'], () => false);
  const { id } = await submit('a');
  expect((await others)?.job.id).toBe(id);
});

it('takes a job of a held key before one that is a little older, and one of a higher priority before both', async () => {
  const [taker] = takers as [JobTaker, JobTaker];
  const older = await submit('a');
  const held = await submit('b');
  const urgent = await submit('a', 1);
  const taken: unknown[] = [];
  for (let i = 0; i < 3; i++) taken.push((await taker.next(['b']))?.job.id);
  expect(taken).toEqual([urgent.id, held.id, older.id]);
});

it.each([1, 2])('gives a job up when %s workers have died while they had it', async (deaths) => {
  const circuit = `dying-${deaths}`;
  // Every worker of a circuit looks for dead ones, and fails their jobs by its own limit.
  const taker = await openTaker(circuit, { circuits: [circuit], lockMs: 2000, deaths });
  const { id } = await submit(circuit);
  for (let died = 0; died <= deaths; died++) {
    // None renews its lock, as if it had died.
    const taken = await wait(taker, [], () => false);
    expect(taken?.job.id).toBe(id);
    expect(taken?.job.deferredFailure === undefined).toBe(died < deaths);
  }
});
