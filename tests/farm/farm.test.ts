import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type DevelopmentRedis,
  Farm,
  type JobStatus,
  type KeyPair,
  makeKeyPair,
  ProofQueue,
  type RegisteredCircuit,
  startRedis,
  type WorkerEvent,
} from '../../farm/src/index.js';
import type { Groth16VerificationKey } from '../../sdk/api/index.js';
import { MAKING_TIMEOUT, plonkCircuit, snarkjsWitness, testCircuit } from '../support/circuits.js';
import { registered, workerScript } from '../support/farm.js';

/** Two worker processes of the built package, with a Redis of their own. */
let redis: DevelopmentRedis;
let keys: KeyPair;
let circuits: readonly RegisteredCircuit[];
let queue: ProofQueue;
let farm: Farm;
const events: WorkerEvent[] = [];

beforeAll(async () => {
  [redis, keys, circuits] = await Promise.all([
    startRedis(),
    makeKeyPair(),
    registered('smallest', 'hash', 'chain.plonk'),
  ]);
  const { connection } = redis;
  farm = await Farm.start({
    ...{ connection, circuits, keyPairs: [keys], workers: 2, lockMs: 1000, deaths: 10 },
    prover: { backend: 'wasm', threads: 1, cache: false },
    script: workerScript(),
    onEvent: (event) => events.push(event),
  });
  queue = await ProofQueue.open({ connection, circuits: 'from redis', publicKey: keys.publicKey });
}, MAKING_TIMEOUT);

afterAll(async () => {
  await queue?.close();
  await farm?.drain();
  await redis?.stop();
});

async function holds(verificationKey: Groth16VerificationKey, id: string): Promise<boolean> {
  const snarkjs = await import('snarkjs');
  const { proof, publicSignals } = await queue.result(id);
  return snarkjs.groth16.verify(verificationKey, [...publicSignals], proof);
}

describe('a farm', () => {
  it('knows its circuits and its workers', async () => {
    expect(
      queue
        .circuits()
        .map(({ id }) => id)
        .sort(),
    ).toEqual(['chain-plonk', 'hash', 'smallest']);
    const { workers } = await queue.farm();
    expect(workers.map(({ state, backend, gpu }) => [state, backend, gpu])).toEqual([
      ['ready', 'wasm', 'none'],
      ['ready', 'wasm', 'none'],
    ]);
  });

  it.each(['smallest', 'hash'] as const)('proves %s from inputs and from a witness', async (name) => {
    const circuit = await testCircuit(name);
    const fromInputs = await queue.submit({ circuit: name, inputs: circuit.inputs });
    const fromWitness = await queue.submit({ circuit: name, witness: await snarkjsWitness(circuit) });
    expect(await holds(circuit.verificationKey, fromInputs.id)).toBe(true);
    expect(await holds(circuit.verificationKey, fromWitness.id)).toBe(true);
  });

  it('proves with a PLONK key', async () => {
    const circuit = await plonkCircuit('chain');
    const jobs = [
      await queue.submit({ circuit: 'chain-plonk', inputs: circuit.inputs }),
      await queue.submit({ circuit: 'chain-plonk', witness: await snarkjsWitness(circuit) }),
    ];
    const snarkjs = await import('snarkjs');
    for (const { id } of jobs) {
      const { proof, publicSignals } = await queue.result(id);
      expect(await snarkjs.plonk.verify(circuit.verificationKey, [...publicSignals], proof)).toBe(true);
    }
  });

  it('tells how a job goes on, up to the end', async () => {
    const { id } = await queue.submit({ circuit: 'hash', inputs: { inputs: [3, 4] }, owner: 'somebody' });
    const seen: JobStatus[] = [];
    for await (const status of queue.watch(id)) seen.push(status);
    const last = seen.at(-1)!;
    expect(last).toMatchObject({ id, circuit: 'hash', state: 'proved', progress: 1, attempts: 1, owner: 'somebody' });
    expect(last.submitted).toBeLessThanOrEqual(last.started!);
    expect(last.started).toBeLessThanOrEqual(last.finished!);
  });

  it('proves on when its workers are killed', async () => {
    const ids: string[] = [];
    for (let i = 1; i <= 12; i++) {
      ids.push((await queue.submit({ circuit: 'hash', inputs: { inputs: [i, i] } })).id);
    }
    for (const pid of farm.pids) process.kill(pid, 'SIGKILL');
    const results = await Promise.all(ids.map((id) => queue.result(id)));
    expect(new Set(results.map(({ publicSignals }) => publicSignals[0])).size).toBe(ids.length);
    const { counters } = await queue.farm();
    expect(counters.alarms).toEqual([{ kind: 'worker-died', count: 2 }]);
  });
});
