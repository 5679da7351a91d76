import type { Redis } from 'ioredis';
import { readCounters } from './counters.js';
import type { CircuitQueue } from './job-status.js';
import type { Names } from './names.js';
import type { FarmStatus, QueueCounts, WorkerStatus } from './types.js';

/** A worker that has told nothing for so long is taken to be gone: several times the pause between two of its messages. */
export const WORKER_GONE_MS = 20_000;

/** What the queues hold, which workers there are `now`, and what they have counted. */
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

/** The workers that told of themselves a short while ago. */
function livingWorkers(hash: Readonly<Record<string, string>>, now: number): WorkerStatus[] {
  const all: WorkerStatus[] = Object.values(hash).map((text) => JSON.parse(text));
  return all.filter(({ seen }) => seen > now - WORKER_GONE_MS).sort((a, b) => a.id.localeCompare(b.id));
}
