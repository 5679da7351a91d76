import type { Redis } from 'ioredis';
import { messageOf, PippinError } from '../../base/errors.js';
import { within } from '../../base/within.js';
import { loadIoredis } from '../peers.js';
import { type RedisAddress, redisOptions } from './address.js';

/** Milliseconds between two tries to connect, at most. */
const RETRY_MS = 2000;

/** Milliseconds in which the first connection must be there. */
const CONNECT_MS = 10_000;

/** What a connection is for. */
export interface ConnectionUse {
  /**
   * How often a command is sent again after Redis was gone, until it is rejected; `forever` for workers, who have nothing else to do than wait for
   * Redis to come back.
   */
  readonly retries: number | 'forever';
  /** Told of each fault of the connection; the connection is made again by itself. */
  readonly onError: (error: Error) => void;
}

/** Connects to Redis. `QUEUE_UNAVAILABLE` if there is none at first; later it is connected again whenever it comes back. */
export async function connectRedis(address: RedisAddress, { retries, onError }: ConnectionUse): Promise<Redis> {
  const options = redisOptions(address);
  const { Redis: Client } = await loadIoredis();
  const client = new Client({
    ...options,
    lazyConnect: true,
    maxRetriesPerRequest: retries === 'forever' ? null : retries,
    retryStrategy: (times) => Math.min(50 * 2 ** Math.min(times, 6), RETRY_MS),
  });
  let latest: Error | undefined;
  client.on('error', (error) => {
    latest = error;
    onError(error);
  });
  try {
    await within(CONNECT_MS, 'Redis', () => client.connect());
    return client;
  } catch (error) {
    client.disconnect();
    throw redisUnavailable(latest ?? error);
  }
}

/** What `work` gives; its errors that are not ours are those of Redis. */
export async function fromRedis<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof PippinError ? error : redisUnavailable(error);
  }
}

/** The error for a Redis that does not answer or refuses. ioredis' messages hold no arguments of commands. */
function redisUnavailable(cause: unknown): PippinError {
  return new PippinError('QUEUE_UNAVAILABLE', `expected an answer of Redis, got: ${messageOf(cause)}`, {
    hint: 'look whether Redis runs there and the password is right; asking again does no harm, because jobs with an id are made once',
  });
}
