import { Redis } from 'ioredis';
import { PippinError } from 'pippin-prover';
import { withTimeout } from '../../../sdk/base/abort.js';
import { describeType, messageOf } from '../../../sdk/base/describe.js';
import { isObject } from '../../../sdk/base/records.js';

/** The address and credentials of Redis. All other options of ioredis are accepted, too. */
export interface RedisOptions {
  /**
   * Its name or address.
   *
   * @defaultValue 127.0.0.1
   */
  readonly host?: string;
  /**
   * Its port.
   *
   * @defaultValue 6379
   */
  readonly port?: number;
  /**
   * The path of a Unix socket, instead of host and port.
   *
   * @defaultValue none
   */
  readonly path?: string;
  /**
   * The user of its access control list.
   *
   * @defaultValue none
   */
  readonly username?: string;
  /**
   * The password.
   *
   * @defaultValue none
   */
  readonly password?: string;
  /**
   * The number of the database.
   *
   * @defaultValue 0
   */
  readonly db?: number;
  /**
   * Options of node:tls; `{}` for TLS with defaults.
   *
   * @defaultValue none
   */
  readonly tls?: object;
  readonly [option: string]: unknown;
}

/** Redis by its options, by a URL (`redis://`, `rediss://` with TLS), or by the path of its Unix socket. */
export type RedisAddress = string | RedisOptions;

/** The options of ioredis for an address. `INVALID_ARGUMENT` for anything else. */
export function redisOptions(address: unknown): RedisOptions {
  if (typeof address === 'string') return address.includes('://') ? optionsOfUrl(address) : { path: address };
  if (isObject(address)) return address;
  throw new PippinError(
    'INVALID_ARGUMENT',
    `expected connection as options, a redis:// URL or the path of a socket, got ${describeType(address)}`,
  );
}

function optionsOfUrl(text: string): RedisOptions {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // The text may hold a password: do not repeat it.
  if (url === undefined || (url.protocol !== 'redis:' && url.protocol !== 'rediss:')) {
    throw new PippinError('INVALID_ARGUMENT', 'expected connection as a redis:// or rediss:// URL, got another one');
  }
  return {
    host: url.hostname,
    port: url.port === '' ? 6379 : Number(url.port),
    ...(url.username !== '' && { username: decodeURIComponent(url.username) }),
    ...(url.password !== '' && { password: decodeURIComponent(url.password) }),
    ...(url.pathname.length > 1 && { db: Number(url.pathname.slice(1)) }),
    ...(url.protocol === 'rediss:' && { tls: {} }),
  };
}

/** The maximum of the pause between two attempts to connect, in milliseconds. */
const RETRY_MS = 2000;

/** The timeout of the first connection in milliseconds. */
const CONNECT_MS = 10_000;

/** The purpose of a connection. */
interface ConnectionUse {
  /**
   * The retries of a command after Redis was gone, before it is rejected; `forever` for workers, which can only wait
   * for Redis.
   */
  readonly retries: number | 'forever';
  /** Called with each fault of the connection, which reconnects automatically. */
  readonly onError: (error: Error) => void;
}

/** Connects to Redis. `QUEUE_UNAVAILABLE` if there is none at first; later it reconnects automatically. */
export async function connectRedis(address: RedisAddress, { retries, onError }: ConnectionUse): Promise<Redis> {
  const options = redisOptions(address);
  const client = new Redis({
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
    await withTimeout(CONNECT_MS, 'Redis', () => client.connect());
    return client;
  } catch (error) {
    client.disconnect();
    throw redisUnavailable(latest ?? error);
  }
}

/** The result of `work`; foreign errors count as errors of Redis. */
export async function fromRedis<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof PippinError ? error : redisUnavailable(error);
  }
}

/** The error for a Redis that does not answer or rejects. ioredis' messages contain no arguments of commands. */
function redisUnavailable(cause: unknown): PippinError {
  return new PippinError('QUEUE_UNAVAILABLE', `expected an answer of Redis, got: ${messageOf(cause)}`, {
    hint: 'look whether Redis runs there and the password is right; asking again does no harm, because jobs with an id are made once',
  });
}
