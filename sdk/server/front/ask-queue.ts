import { PippinError } from '../../base/errors.js';
import { within } from '../../base/within.js';
import type { FrontQueue } from './front-queue.js';
import { RequestError } from './problem.js';

/** The seconds after which a client may try again when Redis does not answer. */
const RETRY_AFTER = 5;

/** Asks the queue. `QUEUE_UNAVAILABLE` if it does not answer in time. */
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
      return await within(this.timeoutMs, 'the queue', settled);
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
