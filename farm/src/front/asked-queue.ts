import { PippinError } from 'pippin-prover';
import { withTimeout } from '../../../sdk/base/abort.js';
import type { CircuitInfo } from '../queue/types.js';
import type { ApiKey } from './api-keys.js';
import type { FrontQueue } from './options.js';
import { RequestError } from './problem.js';

/** The seconds after which a client may retry when Redis does not answer. */
const RETRY_AFTER = 5;

/** Queries the queue. `QUEUE_UNAVAILABLE` if it does not answer in time. */
export class AskedQueue {
  constructor(
    private readonly queue: FrontQueue,
    private readonly timeoutMs: number,
  ) {}

  async ask<T>(work: (queue: FrontQueue) => Promise<T>): Promise<T> {
    let isLate = true;
    const settled = async (): Promise<T> => {
      try {
        return await work(this.queue);
      } finally {
        isLate = false;
      }
    };
    try {
      return await withTimeout(this.timeoutMs, 'the queue', settled);
    } catch (error) {
      if (isLate || (error instanceof PippinError && error.code === 'QUEUE_UNAVAILABLE')) throw unavailable(error);
      throw error;
    }
  }
}

function unavailable(cause: unknown): RequestError {
  return new RequestError('QUEUE_UNAVAILABLE', 'expected the queue to answer, got nothing in time', {
    hint: 'try again; a job that has an id of yours is made only once',
    retryAfter: RETRY_AFTER,
    cause,
  });
}

/** The minimum interval in milliseconds of queries for further circuits. */
const KEPT_MS = 1000;

/** The circuits of a queue that API keys may use. Workers may add further ones while the front runs. */
export class KnownCircuits {
  private askedAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly queue: FrontQueue,
    private readonly asked: AskedQueue,
  ) {}

  /** All circuits of the key. */
  async list(apiKey: ApiKey): Promise<CircuitInfo[]> {
    await this.learn();
    return this.known(apiKey);
  }

  async find(id: string, apiKey: ApiKey): Promise<CircuitInfo | undefined> {
    const known = this.known(apiKey).find((circuit) => circuit.id === id);
    return known ?? (await this.list(apiKey)).find((circuit) => circuit.id === id);
  }

  private known({ circuits }: ApiKey): CircuitInfo[] {
    return this.queue.circuits().filter(({ id }) => circuits === undefined || circuits.includes(id));
  }

  private async learn(): Promise<void> {
    const now = performance.now();
    if (now - this.askedAt < KEPT_MS) return;
    this.askedAt = now;
    await this.asked.ask((queue) => queue.farm());
  }
}
