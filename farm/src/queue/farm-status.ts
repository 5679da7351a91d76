import type { Redis } from 'ioredis';
import type { PippinErrorCode } from 'pippin-prover';
import type { CircuitQueue } from './job.js';
import type { Names } from './names.js';
import type { FarmCounters, FarmStatus, PhaseSeconds, QueueCounts, WorkerStatus } from './types.js';

/** The time without a heartbeat after which a worker counts as gone: several intervals. */
const WORKER_GONE_MS = 20_000;

/** The jobs in the queues, the workers at `now`, and their counters. */
export async function readFarmStatus(
  client: Redis,
  names: Names,
  circuits: readonly CircuitQueue[],
  now: number,
): Promise<FarmStatus> {
  const [queues, workers, counters] = await Promise.all([
    Promise.all(circuits.map(countsOf)),
    client.hgetall(names.workers),
    client.hgetall(names.counters),
  ]);
  return { queues, workers: livingWorkers(workers, now), counters: readCounters(counters) };
}

async function countsOf(queue: CircuitQueue): Promise<QueueCounts> {
  const counts = await queue.getJobCounts('wait', 'prioritized', 'delayed', 'active', 'completed', 'failed');
  const { wait = 0, prioritized = 0, delayed = 0, active = 0, completed = 0, failed = 0 } = counts;
  return { circuit: queue.name, waiting: wait + prioritized, delayed, proving: active, proved: completed, failed };
}

/** The workers whose last heartbeat is recent. */
function livingWorkers(hash: Readonly<Record<string, string>>, now: number): WorkerStatus[] {
  const all: WorkerStatus[] = Object.values(hash).map((text) => JSON.parse(text));
  return all.filter(({ seen }) => seen > now - WORKER_GONE_MS).sort((a, b) => a.id.localeCompare(b.id));
}

/** A worker's entries in Redis for observers of the farm: heartbeats, and counters shared by all workers. */
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

  /** Counts an alarm and publishes it on a channel. */
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

/** The upper bounds of the buckets of a histogram, in seconds. */
export const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300] as const;

/** A counter's field in the hash of all counters: a kind and its labels, none of which holds a space. */
function counterField(...labels: readonly string[]): string {
  return labels.join(' ');
}

/** The increment of each field for one measured time. */
function secondsIncrements(circuit: string, phase: string, seconds: number): readonly [string, number][] {
  const bucket = BUCKETS.find((atMost) => seconds <= atMost);
  const increments: [string, number][] = [
    [counterField('count', circuit, phase), 1],
    [counterField('sum', circuit, phase), seconds],
  ];
  if (bucket !== undefined) increments.push([counterField('bucket', circuit, phase, String(bucket)), 1]);
  return increments;
}

/** The counters of a hash. */
function readCounters(hash: Readonly<Record<string, string>>): FarmCounters {
  const rows = Object.entries(hash).map(([field, value]) => ({ labels: field.split(' '), value: Number(value) }));
  const of = (kind: string) => rows.filter(({ labels }) => labels[0] === kind);
  return {
    proofs: of('proofs').map(({ labels, value }) => ({ circuit: labels[1]!, count: value })),
    failures: of('failures').map(({ labels, value }) => ({ circuit: labels[1]!, code: labels[2]!, count: value })),
    alarms: of('alarms').map(({ labels, value }) => ({ kind: labels[1]!, count: value })),
    seconds: of('count').map(({ labels, value }) => phaseSeconds(hash, labels[1]!, labels[2]!, value)),
  };
}

function phaseSeconds(
  hash: Readonly<Record<string, string>>,
  circuit: string,
  phase: string,
  count: number,
): PhaseSeconds {
  let below = 0;
  const buckets = BUCKETS.map((atMost) => {
    below += Number(hash[counterField('bucket', circuit, phase, String(atMost))] ?? 0);
    return { atMost, count: below };
  });
  return { circuit, phase, count, sum: Number(hash[counterField('sum', circuit, phase)] ?? 0), buckets };
}
