import { PippinError } from '../../base/errors.js';

/** The part before the first colon of all our names in Redis, unless the caller has another one. */
const PREFIX = 'pippin';

/** How long an input outlives the deadline of its job: no worker begins with it then, and it would fill Redis. */
const INPUT_GRACE_MS = 1000;

/** Our names in Redis. Those of the queues, `PREFIX:CIRCUIT:...`, are BullMQ's; ours have a word with a full stop in the circuit's place. */
export class Names {
  constructor(readonly prefix: string = PREFIX) {
    if (typeof prefix === 'string' && /^[A-Za-z0-9_{}-]{1,64}$/.test(prefix)) return;
    throw new PippinError('INVALID_ARGUMENT', 'expected prefix as 1 to 64 of A-Z a-z 0-9 _ - { }, got another one');
  }

  /** The sealed input of a job. */
  input(name: string): string {
    return `${this.prefix}:pippin.input:${name}`;
  }

  /** There while a job is to be cancelled that a worker has, and for a job that was cancelled while it waited, its last status. */
  cancelled(job: string): string {
    return `${this.prefix}:pippin.cancelled:${job}`;
  }

  /** The channel on which ids of jobs are told that are to be cancelled at their workers. */
  get cancelChannel(): string {
    return `${this.prefix}:pippin.cancel`;
  }

  /** A sorted set of circuits that may have jobs waiting, from which idle workers take one. */
  get wake(): string {
    return `${this.prefix}:pippin.wake`;
  }

  /** The same for the workers that hold the circuit's key: the circuit is its only member. */
  wakeHolders(circuit: string): string {
    return `${this.prefix}:pippin.wake:${circuit}`;
  }

  /** A hash of what the workers prove: the id of a circuit and its `CircuitInfo`. */
  get circuits(): string {
    return `${this.prefix}:pippin.circuits`;
  }

  /** A hash of the workers: the id of each and its `WorkerStatus`. */
  get workers(): string {
    return `${this.prefix}:pippin.workers`;
  }

  /** A hash of counters. */
  get counters(): string {
    return `${this.prefix}:pippin.counters`;
  }

  /** The channel on which alarms are told. */
  get alarmChannel(): string {
    return `${this.prefix}:pippin.alarms`;
  }
}

/** Milliseconds for which the input of a job with this deadline is kept if nobody deletes it before. */
export function inputLifeMs(deadline: number, now: number): number {
  return Math.max(1, deadline - now) + INPUT_GRACE_MS;
}
