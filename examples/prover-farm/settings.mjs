import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * What workers and front are configured by: `farm.json` (or the file that PIPPIN_FARM names), and from the environment what differs between machines and
 * what is secret.
 *
 * - FRONT_HOST, PORT: for the front alone, where it listens, instead of what the file says. Without an address it is 127.0.0.1, which nobody reaches
 *   from elsewhere; 0.0.0.0 is every address of the machine, or of the container.
 * - REDIS_URL: `redis://` or `rediss://` with TLS, or the path of a socket. Default redis://127.0.0.1:6379.
 * - WORKERS: how many workers this machine has, instead of what the file says.
 * - WORKER_KEYS: for the workers alone, the file with their pair of keys.
 * - FRONT_KEYS: for the front, the file with the workers' public key and the API keys as hashes.
 */
export async function readSettings() {
  const path = process.env.PIPPIN_FARM ?? fileURLToPath(new URL('farm.json', import.meta.url));
  const { circuits, workers, front } = JSON.parse(await readFile(path, 'utf8'));
  return {
    circuits: join(dirname(path), circuits),
    workers: process.env.WORKERS === undefined ? workers : { ...workers, workers: Number(process.env.WORKERS) },
    front: {
      ...front,
      host: process.env.FRONT_HOST ?? front.host ?? '127.0.0.1',
      port: Number(process.env.PORT ?? front.port),
    },
    redis: process.env.REDIS_URL ?? 'redis://127.0.0.1:6379',
  };
}

/** A variable of the environment that must be set. @param {string} name */
export function required(name) {
  const value = process.env[name];
  if (value === undefined || value === '') throw new Error(`expected ${name} in the environment, got nothing`);
  return value;
}
