import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { RegisteredCircuit } from '../../farm/src/circuits/circuits.js';
import {
  type DevelopmentRedis,
  type KeyPair,
  makeKeyPair,
  ProofQueue,
  ProofWorker,
  startRedis,
  type WorkerEvent,
  type WorkerOptions,
} from '../../farm/src/index.js';
import { ScriptedProvers, scriptedCircuit } from './scripted-prover.js';

/** A Redis for the tests of a file, and for each of them a farm of its own. */
export function useScriptedFarm(circuits = [scriptedCircuit('a')]): {
  readonly redis: DevelopmentRedis;
  readonly farm: ScriptedFarm;
} {
  const used = {} as { redis: DevelopmentRedis; farm: ScriptedFarm };
  beforeAll(async () => {
    used.redis = await startRedis();
  });
  afterAll(() => used.redis?.stop());
  beforeEach(async () => {
    used.farm = await ScriptedFarm.open(used.redis.connection, circuits);
  });
  afterEach(() => used.farm.close());
  return used;
}

let farms = 0;

/** A queue, and workers whose provers compute nothing, with names of their own in a Redis. */
export class ScriptedFarm {
  readonly provers = new ScriptedProvers();
  readonly events: WorkerEvent[] = [];
  private readonly workers: ProofWorker[] = [];

  private constructor(
    private readonly connection: string,
    private readonly keys: KeyPair,
    private readonly circuits: readonly RegisteredCircuit[],
    readonly prefix: string,
    readonly queue: ProofQueue,
  ) {}

  static async open(connection: string, circuits: readonly RegisteredCircuit[]): Promise<ScriptedFarm> {
    const keys = await makeKeyPair();
    const prefix = `scripted-${farms++}`;
    const infos = circuits.map(({ info }) => info);
    const queue = await ProofQueue.open({ connection, circuits: infos, publicKey: keys.publicKey, prefix });
    return new ScriptedFarm(connection, keys, circuits, prefix, queue);
  }

  async startWorker(options: Partial<WorkerOptions> = {}): Promise<ProofWorker> {
    const { connection, circuits, prefix } = this;
    const onEvent = (event: WorkerEvent) => this.events.push(event);
    const all = { connection, circuits, keyPairs: [this.keys], prefix, lockMs: 1000, onEvent, ...options };
    const worker = await ProofWorker.start(all, this.provers.create);
    this.workers.push(worker);
    return worker;
  }

  async submit(x: string, more: object = {}): Promise<string> {
    return (await this.queue.submit({ circuit: 'a', inputs: { x }, ...more })).id;
  }

  async close(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.drain(0)));
    await this.queue.close();
  }
}
