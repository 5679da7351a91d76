import type { Redis } from 'ioredis';
import type { Names } from './names.js';

/**
 * Has an idle worker look for a job of the circuit: one that holds its key, and one that may not, in case that there is none or all are busy. A worker
 * that finds no job has asked in vain and waits on.
 */
export async function wakeWorkers(client: Redis, names: Names, circuit: string): Promise<void> {
  await Promise.all([client.zadd(names.wakeHolders(circuit), 0, circuit), client.zadd(names.wake, 0, circuit)]);
}
