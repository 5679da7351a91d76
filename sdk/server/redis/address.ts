import { describeType } from '../../base/describe.js';
import { PippinError } from '../../base/errors.js';
import { isObject } from '../../base/is-object.js';

/** Where Redis is and how to log in. Whatever else ioredis understands may be given, too. */
export interface RedisOptions {
  readonly host?: string;
  readonly port?: number;
  /** The path of a Unix socket, instead of host and port. */
  readonly path?: string;
  readonly username?: string;
  readonly password?: string;
  readonly db?: number;
  /** Options of node:tls; `{}` for TLS as usual. */
  readonly tls?: object;
  readonly [option: string]: unknown;
}

/** Redis by its options, by a URL (`redis://`, `rediss://` with TLS), or by the path of its Unix socket. */
export type RedisAddress = string | RedisOptions;

/** The options of ioredis for an address. `INVALID_ARGUMENT` for what is none. */
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
  // The text may hold a password: it is not repeated.
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
