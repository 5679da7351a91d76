import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import {
  type DevelopmentRedis,
  Farm,
  makeKeyPair,
  ProofQueue,
  type RegisteredCircuit,
  startRedis,
} from '../../../farm/src/index.js';
import { registered, workerScript } from '../../support/farm.js';
import type { Random } from '../../support/random.js';

/** How many workers there are. */
const WORKERS = 2;

/** Milliseconds between two disturbances, at least and at most. */
const PAUSES = [100, 900] as const;

/** A farm whose workers and whose Redis are killed and started again. Redis keeps its jobs in an append-only file. */
export class ChaoticFarm {
  readonly kills: Record<string, number> = {};

  private constructor(
    private readonly folder: string,
    private redis: DevelopmentRedis,
    private readonly farm: Farm,
    readonly queue: ProofQueue,
    readonly circuits: readonly RegisteredCircuit[],
  ) {}

  static async open(): Promise<ChaoticFarm> {
    const folder = await mkdtemp(join(tmpdir(), 'pippin-chaos-'));
    const [redis, keys, circuits] = await Promise.all([
      startRedis({ folder, persistent: true }),
      makeKeyPair(),
      registered('chain', 'hash'),
    ]);
    const { connection } = redis;
    const farm = await Farm.start({
      ...{ connection, circuits, keyPairs: [keys], workers: WORKERS },
      // Short, so that much happens; and no job is given up, however often a worker dies with it.
      ...{ lockMs: 1500, deaths: 1000 },
      prover: { backend: 'wasm', threads: 1, cache: false },
      script: workerScript(),
    });
    const infos = circuits.map(({ info }) => info);
    const { publicKey } = keys;
    const queue = await ProofQueue.open({ connection, circuits: infos, publicKey, attempts: 100, keepResults: 86_400 });
    return new ChaoticFarm(folder, redis, farm, queue, circuits);
  }

  /** Disturbs the farm until the signal fires, and leaves Redis running. */
  async disturb(random: Random, until: AbortSignal): Promise<void> {
    while (!until.aborted) {
      await delay(PAUSES[0] + random.integer(PAUSES[1] - PAUSES[0]), undefined, { signal: until }).catch(
        () => undefined,
      );
      if (!until.aborted) await this.disturbOnce(random);
    }
  }

  /**
   * How often BullMQ has told that each job of a circuit has ended: its stream of events keeps at least the last 10
   * 000.
   */
  async endings(circuit: string): Promise<ReadonlyMap<string, number>> {
    const client = new Redis(this.redis.connection);
    try {
      const events = await client.xrange(`pippin:${circuit}:events`, '-', '+');
      const counts = new Map<string, number>();
      for (const [, fields] of events) {
        const [, event, , id] = fields;
        if (event === 'completed' || event === 'failed') counts.set(id!, (counts.get(id!) ?? 0) + 1);
      }
      return counts;
    } finally {
      client.disconnect();
    }
  }

  async close(): Promise<void> {
    await this.queue.close();
    await this.farm.drain(5000);
    await this.redis.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  private async disturbOnce(random: Random): Promise<void> {
    const pid = this.farm.pids[random.integer(WORKERS)];
    const what = random.integer(10);
    if (what >= 7) await this.restartRedis(random);
    else if (pid !== undefined) this.signal(pid, what < 5 ? 'SIGKILL' : 'SIGTERM');
  }

  private signal(pid: number, signal: 'SIGKILL' | 'SIGTERM'): void {
    try {
      process.kill(pid, signal);
      this.count(`workers, ${signal}`);
    } catch {
      // It has just ended by itself.
    }
  }

  private async restartRedis(random: Random): Promise<void> {
    process.kill(this.redis.pid, 'SIGKILL');
    this.count('Redis, SIGKILL');
    await delay(random.integer(1500));
    this.redis = await startRedis({ folder: this.folder, persistent: true });
  }

  private count(kind: string): void {
    this.kills[kind] = (this.kills[kind] ?? 0) + 1;
  }
}
