import type { Redis } from 'ioredis';
import type { PippinErrorCode } from '../../base/errors.js';
import { counterField, secondsIncrements } from '../queue/counters.js';
import type { Names } from '../queue/names.js';
import type { WorkerStatus } from '../queue/types.js';

/** What a worker writes to Redis for those who look at the farm: its own status, and counters that all workers share. */
export class WorkerRecord {
  constructor(
    private readonly client: Redis,
    private readonly names: Names,
    private readonly onError: (error: Error) => void,
  ) {}

  status(status: WorkerStatus): Promise<unknown> {
    return this.client.hset(this.names.workers, status.id, JSON.stringify(status)).catch(this.onError);
  }

  gone(id: string): Promise<unknown> {
    return this.client.hdel(this.names.workers, id).catch(this.onError);
  }

  /** A proof, with the seconds of each phase. */
  proved(circuit: string, seconds: Readonly<Record<string, number>>): void {
    const taken = Object.entries(seconds).flatMap(([phase, value]) => secondsIncrements(circuit, phase, value));
    this.add([[counterField('proofs', circuit), 1], ...taken]);
  }

  failed(circuit: string, code: PippinErrorCode): void {
    this.add([[counterField('failures', circuit, code), 1]]);
  }

  /** Counts an alarm and tells it on a channel. */
  alarm(kind: string, worker: string, message: string): void {
    this.add([[counterField('alarms', kind), 1]]);
    const text = JSON.stringify({ kind, worker, message, at: Date.now() });
    this.client.publish(this.names.alarmChannel, text).catch(this.onError);
  }

  /** Counters are for people: a proof does not wait for them. */
  private add(increments: readonly (readonly [string, number])[]): void {
    const pipeline = this.client.pipeline();
    for (const [field, by] of increments) pipeline.hincrbyfloat(this.names.counters, field, by);
    pipeline.exec().catch(this.onError);
  }
}
