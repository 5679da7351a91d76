import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type DevelopmentRedis, startRedis } from '../../../farm/src/redis/development.js';
import { ChildProgram } from '../../../scripts/lib/child-program.mjs';
import { root } from '../../support/root.js';

/** The programs of examples/prover-farm, with the built package. `npm run farm` has its workers prove. */
const example = join(root, 'examples', 'prover-farm');

let folder: string;
let redis: DevelopmentRedis;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pippin-front-'));
  redis = await startRedis();
});
afterAll(async () => {
  await redis.stop();
  rmSync(folder, { recursive: true });
});

const newKey = (...owner: string[]): string =>
  execFileSync(process.execPath, [join(example, 'new-keys.mjs'), folder, ...owner], { encoding: 'utf8' }).trim();

it('the front takes requests with the keys that were made for it, and ends on SIGTERM', async () => {
  const keys = [newKey(), newKey(), newKey('other')];
  const file = join(folder, 'front', 'keys.json');
  const { publicKey, apiKeys } = JSON.parse(readFileSync(file, 'utf8'));
  expect(apiKeys.map(({ name, sha256 }: { name: string; sha256: string[] }) => [name, sha256.length])).toEqual([
    ['demo', 2],
    ['other', 1],
  ]);
  const pair = join(folder, 'workers', 'keys.json');
  expect(JSON.parse(readFileSync(pair, 'utf8')).publicKey).toBe(publicKey);
  expect([file, pair].map((path) => statSync(path).mode & 0o777)).toEqual([0o600, 0o600]);

  const front = new ChildProgram(join(example, 'front.mjs'), {
    REDIS_URL: redis.connection,
    FRONT_KEYS: file,
    PORT: '0',
  });
  try {
    const url = await front.ready;
    expect(url).toContain('//127.0.0.1:');
    // Another address of this machine, where there is one.
    await expect(fetch(url.replace('127.0.0.1', '127.0.0.2'))).rejects.toThrow();
    for (const key of keys) {
      const response = await fetch(`${url}/v1/circuits`, { headers: { authorization: `Bearer ${key}` } });
      expect(await response.json()).toMatchObject({ circuits: [{ id: 'note', curve: 'bn128', takesInputs: true }] });
    }
    const ready = await fetch(`${url}/readyz`);
    expect([ready.status, await ready.json()]).toEqual([503, { state: 'not ready', reason: 'no worker is ready' }]);
  } finally {
    expect(await front.end()).toBe(0);
  }
});
