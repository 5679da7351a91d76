import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createFront,
  type DevelopmentRedis,
  Farm,
  type JobStatus,
  type KeyPair,
  makeKeyPair,
  newApiKey,
  ProofQueue,
  type RegisteredCircuit,
  startRedis,
  type WorkerEvent,
} from '../../farm/src/index.js';
import type { Groth16VerificationKey } from '../../sdk/api/index.js';
import { fflonkCircuit, MAKING_TIMEOUT, plonkCircuit, snarkjsWitness, testCircuit } from '../support/circuits.js';
import { registered, workerScript } from '../support/farm.js';
import { wtnsOf } from '../support/wtns.js';

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
    registered('smallest', 'hash', 'chain', 'chain.plonk', 'chain.fflonk'),
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
    ).toEqual(['chain', 'chain-fflonk', 'chain-plonk', 'hash', 'smallest']);
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

/** The circuit `chain` with a key of each proof system: its id in the farm. */
const PROTOCOLS = { groth16: 'chain', plonk: 'chain-plonk', fflonk: 'chain-fflonk' } as const;

describe('the front of the farm', () => {
  const { key, sha256 } = newApiKey();
  let front: FastifyInstance;
  let url: string;
  beforeAll(async () => {
    front = await createFront({ queue, apiKeys: [{ name: 'alice', sha256 }] });
    await front.listen({ host: '127.0.0.1', port: 0 });
    url = `http://127.0.0.1:${(front.server.address() as AddressInfo).port}/v1/proofs`;
  });
  afterAll(async () => {
    await front?.close();
  });

  /** Submits JSON or a witness, or gets what a path below gives. */
  async function answer(path: string, body?: object | Uint8Array) {
    const isWitness = body instanceof Uint8Array;
    const headers = {
      authorization: `Bearer ${key}`,
      ...(body && { 'content-type': isWitness ? 'application/octet-stream' : 'application/json' }),
    };
    const payload = isWitness ? new Uint8Array(body) : JSON.stringify(body);
    const response = await fetch(url + path, { headers, ...(body && { method: 'POST', body: payload }) });
    return { status: response.status, body: await response.json() };
  }

  it.each(['groth16', 'plonk', 'fflonk'] as const)(
    'gives whole proofs of %s, from inputs and witness',
    async (name) => {
      const id = PROTOCOLS[name];
      const made = {
        groth16: () => testCircuit('chain'),
        plonk: () => plonkCircuit('chain'),
        fflonk: () => fflonkCircuit('chain'),
      };
      const circuit = await made[name]();
      const { start, factor, offset } = circuit.inputs;
      const inputs = { start: String(start), factor: String(factor), offset: String(offset) };
      const snarkjs = await import('snarkjs');
      for (const submitted of [
        await answer('?wait=60', { circuit: id, inputs }),
        await answer(`?wait=60&circuit=${id}`, await snarkjsWitness(circuit)),
      ]) {
        expect(submitted).toMatchObject({ status: 200, body: { state: 'proved', circuit: id } });
        const { result } = submitted.body;
        // Every member is there as the worker gave it.
        expect(result).toEqual(JSON.parse(JSON.stringify(await queue.result(submitted.body.id))));
        expect(await snarkjs[name].verify(circuit.verificationKey as never, result.publicSignals, result.proof)).toBe(
          true,
        );
        expect(await answer(`/${submitted.body.id}`)).toMatchObject({ status: 200, body: { result } });
        expect(await answer(`/${submitted.body.id}/result`)).toEqual({ status: 200, body: result });
      }
    },
  );

  it.each(Object.values(PROTOCOLS))('refuses a witness of another length for %s before it is queued', async (id) => {
    const { variables } = circuits.find(({ info }) => info.id === id)!.info;
    expect(variables).toBeGreaterThan(3);
    for (const count of [variables! - 1, variables! + 1]) {
      expect(await answer(`?circuit=${id}&id=long`, wtnsOf(count))).toMatchObject({
        status: 400,
        body: { code: 'INVALID_LENGTH' },
      });
    }
    expect((await answer(`/${id}.alice_long`)).status).toBe(404);
  });
});
