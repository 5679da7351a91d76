import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { PippinError } from 'pippin-prover';
import { connectRedis } from './connection.js';

/** Options of `startRedis`. */
export interface DevelopmentRedisOptions {
  /**
   * The program to start.
   *
   * @defaultValue `redis-server`, as the PATH finds it
   */
  readonly program?: string;
  /**
   * The folder of its socket and append-only file.
   *
   * @defaultValue a new temporary one, which is deleted at the end
   */
  readonly folder?: string;
  /**
   * Whether it writes an append-only file, so that it can be restarted in the same folder with all jobs.
   *
   * @defaultValue false
   */
  readonly persistent?: boolean;
}

/** A Redis for development and tests, owned by this process. */
export interface DevelopmentRedis {
  /** The connection for `ProofQueue.open` and workers: the path of its socket. */
  readonly connection: string;
  /** The id of its process. */
  readonly pid: number;
  /**
   * Stops it, and deletes its temporary folder. Never rejects; idempotent.
   *
   * @returns when its process has ended.
   * @example
   * ```js
   * import { startRedis } from 'pippin-farm';
   *
   * const redis = await startRedis();
   * await redis.stop();
   * ```
   */
  stop(): Promise<void>;
}

const START_MS = 20_000;

/**
 * Starts a Redis that listens on a Unix socket in a folder of this user only, and on no port. It ends with this
 * process, even if that is killed (Linux and macOS). Not for production: nothing restarts it.
 *
 * @param options the program, and where its files lie.
 * @returns its connection, and `stop`.
 * @throws {PippinError} UNSUPPORTED_ENVIRONMENT when the program is missing.
 * @throws {PippinError} QUEUE_UNAVAILABLE when it does not start.
 * @example
 * ```js
 * import { startRedis } from 'pippin-farm';
 *
 * const redis = await startRedis();
 * console.log(redis.connection);
 * await redis.stop();
 * ```
 */
export async function startRedis(options: DevelopmentRedisOptions = {}): Promise<DevelopmentRedis> {
  const { program = 'redis-server', persistent = false } = options;
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'pippin-redis-')));
  const connection = join(folder, 'redis.sock');
  const ownFolder = options.folder === undefined ? folder : '';
  const remove = async () => ownFolder !== '' && rm(ownFolder, { recursive: true, force: true });
  const args = [
    ...['--port', '0', '--unixsocket', connection, '--unixsocketperm', '700', '--dir', folder],
    ...['--appendonly', persistent ? 'yes' : 'no', '--save', '', '--daemonize', 'no', '--loglevel', 'warning'],
    // The default, made explicit: BullMQ's keys must never be evicted.
    ...['--maxmemory-policy', 'noeviction'],
  ];
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  try {
    await answering(child, connection, program);
  } catch (error) {
    await end(child);
    await remove();
    throw error;
  }
  watchOver(child, ownFolder);
  // It does not keep an otherwise idle process alive.
  child.unref();
  return {
    connection,
    pid: child.pid!,
    async stop() {
      await end(child);
      await remove();
    },
  };
}

/**
 * A shell that ends Redis, and deletes its folder, when its standard input closes, which happens however this process
 * ends.
 *
 * @param ownFolder the folder to delete; empty for none.
 */
function watchOver(redis: ChildProcess, ownFolder: string): void {
  const script = 'cat > /dev/null; kill "$0"; test -z "$1" || rm -rf -- "$1"';
  const watcher = spawn('sh', ['-c', script, String(redis.pid), ownFolder], { stdio: ['pipe', 'ignore', 'ignore'] });
  // Without it Redis outlives a process that is killed; nothing else is lost.
  watcher.on('error', () => undefined);
  redis.once('exit', () => watcher.kill('SIGKILL'));
  watcher.unref();
  (watcher.stdin as Socket).unref();
}

async function answering(child: ChildProcess, connection: string, program: string): Promise<void> {
  const failed = new Promise<never>((_, reject) => {
    child.once('error', (cause) => reject(missing(program, cause)));
    child.once('exit', (code, signal) => {
      const message = `expected ${program} to run, got its end with ${signal ?? `code ${code}`}`;
      reject(new PippinError('QUEUE_UNAVAILABLE', message, { hint: 'what it wrote stands above' }));
    });
  });
  await Promise.race([failed, connected(connection)]);
}

async function connected(connection: string): Promise<void> {
  const until = Date.now() + START_MS;
  for (;;) {
    try {
      const client = await connectRedis(connection, { retries: 0, onError: () => undefined });
      client.disconnect();
      return;
    } catch (error) {
      if (Date.now() > until || (error as PippinError).code !== 'QUEUE_UNAVAILABLE') throw error;
      await delay(20);
    }
  }
}

function missing(program: string, cause: unknown): PippinError {
  const how = process.platform === 'darwin' ? 'brew install redis' : 'sudo apt-get install redis-server';
  return new PippinError('UNSUPPORTED_ENVIRONMENT', `expected the program ${program}, got none that starts`, {
    cause,
    hint: `install Redis 7 (${how}), or give the address of one that runs`,
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.ref();
  child.kill('SIGTERM');
  await ended;
}
