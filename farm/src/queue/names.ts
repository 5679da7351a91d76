import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { PippinError } from 'pippin-prover';
import { describeType } from '../../../sdk/base/describe.js';

/** The default prefix of all our names in Redis, before the first colon. */
const PREFIX = 'pippin';

/** The time that an input outlives the deadline of its job: no worker starts it then, and it would fill Redis. */
const INPUT_GRACE_MS = 1000;

/**
 * Our names in Redis. Queues have BullMQ's names, `PREFIX:CIRCUIT:...`; ours have a word with a full stop in place of
 * the circuit.
 */
export class Names {
  constructor(readonly prefix: string = PREFIX) {
    if (typeof prefix === 'string' && /^[A-Za-z0-9_{}-]{1,64}$/.test(prefix)) return;
    throw new PippinError('INVALID_ARGUMENT', 'expected prefix as 1 to 64 of A-Z a-z 0-9 _ - { }, got another one');
  }

  /** The sealed input of a job. */
  input(name: string): string {
    return `${this.prefix}:pippin.input:${name}`;
  }

  /**
   * Exists while a job that a worker holds is to be cancelled; for a job cancelled while waiting, it holds its last
   * status.
   */
  cancelled(job: string): string {
    return `${this.prefix}:pippin.cancelled:${job}`;
  }

  /** The channel of the ids of jobs that their workers must cancel. */
  get cancelChannel(): string {
    return `${this.prefix}:pippin.cancel`;
  }

  /** A sorted set of circuits that may have waiting jobs; idle workers take circuits from it. */
  get wake(): string {
    return `${this.prefix}:pippin.wake`;
  }

  /** The same for the workers that hold the circuit's key: the circuit is its only member. */
  wakeHolders(circuit: string): string {
    return `${this.prefix}:pippin.wake:${circuit}`;
  }

  /** A hash of the circuits that the workers prove: id and `CircuitInfo`. */
  get circuits(): string {
    return `${this.prefix}:pippin.circuits`;
  }

  /** A hash of the workers: id and `WorkerStatus`. */
  get workers(): string {
    return `${this.prefix}:pippin.workers`;
  }

  /** A hash of counters. */
  get counters(): string {
    return `${this.prefix}:pippin.counters`;
  }

  /** The channel of alarms. */
  get alarmChannel(): string {
    return `${this.prefix}:pippin.alarms`;
  }
}

/** Milliseconds that the input of a job with this deadline is stored unless it is deleted earlier. */
export function inputLifeMs(deadline: number, now: number): number {
  return Math.max(1, deadline - now) + INPUT_GRACE_MS;
}

/**
 * Wakes idle workers for a job of the circuit: one that holds its key, and one that may not, in case there is none or
 * all are busy. A worker that finds no job waits on.
 */
export async function wakeWorkers(client: Redis, names: Names, circuit: string): Promise<void> {
  await Promise.all([client.zadd(names.wakeHolders(circuit), 0, circuit), client.zadd(names.wake, 0, circuit)]);
}

/** The allowed names of circuits and jobs: these characters have no meaning in Redis, BullMQ and URLs. */
const NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** The id of a circuit. `INVALID_ARGUMENT` for an invalid one. */
export function checkedCircuitId(id: unknown): string {
  return checkedName(id, 'the id of a circuit');
}

/** The id of a job: the circuit's, a full stop, and the caller's name for the job, or a random one. */
export function jobIdOf(circuit: string, name: unknown): string {
  return `${circuit}.${name === undefined ? randomUUID() : checkedName(name, 'id')}`;
}

/** The circuit in a job's id; undefined for an invalid id. */
export function circuitOfJob(id: unknown): string | undefined {
  const [circuit = '', name = '', ...others] = typeof id === 'string' ? id.split('.') : [];
  return NAME.test(circuit) && NAME.test(name) && others.length === 0 ? circuit : undefined;
}

function checkedName(name: unknown, what: string): string {
  if (typeof name === 'string' && NAME.test(name)) return name;
  const got = typeof name === 'string' ? 'another string' : describeType(name);
  throw new PippinError('INVALID_ARGUMENT', `expected ${what} as 1 to 64 of A-Z a-z 0-9 _ -, got ${got}`);
}
