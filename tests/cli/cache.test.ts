import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { cacheCommand } from '../../sdk/cli/commands/cache.js';
import { folderStore } from '../../sdk/files/cache/folder-store.js';
import { PreparedCache } from '../../sdk/files/cache/prepared-cache.js';
import { recordKey, recordPrefix } from '../../sdk/files/cache/record-key.js';
import { runPippin } from '../support/cli.js';
import { runCommand } from '../support/run-command.js';

let home: string;
const cacheFolder = (): string => join(home, 'pippin', 'pippin-prepared');
const run = (...args: string[]) => runCommand(cacheCommand, ...args);
const runJson = async (...args: string[]) => {
  const { code, object, notes } = await run(...args);
  expect({ code, notes }).toEqual({ code: 0, notes: [] });
  // biome-ignore lint/suspicious/noExplicitAny: each command has an object of its own.
  return object as any;
};
const hash = (digit: string): string => digit.repeat(64);
const keyOf = (digit: string): string => recordKey(recordPrefix('groth16/bn254', 1000), hash(digit));

const cache = (): PreparedCache => new PreparedCache(folderStore(join(home, 'pippin')));

async function save(...digits: string[]): Promise<void> {
  const store = cache();
  for (const digit of digits) {
    const arrays = { A: new Uint8Array(5000), B: new Uint8Array(0) };
    expect(await store.save(keyOf(digit), { facts: {}, arrays })).toEqual({ kind: 'saved' });
  }
}

/** Makes a record's files look as if they had been used so long ago. */
async function age(digit: string, days: number): Promise<void> {
  const time = new Date(Date.now() - days * 86_400_000);
  for (const name of await readdir(cacheFolder()))
    if (name.includes(hash(digit))) await utimes(join(cacheFolder(), name), time, time);
}

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'pippin-cli-cache-'));
  vi.stubEnv('XDG_CACHE_HOME', home);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await rm(home, { recursive: true, force: true });
});

describe('pippin cache', () => {
  it('is content without a cache', async () => {
    expect(await runJson('ls')).toEqual({ folder: cacheFolder(), bytes: 0, records: [] });
    expect((await run('ls')).text).toBe(`Nothing is cached.\n\n0 bytes in ${cacheFolder()}`);
    expect(await runJson('clear')).toEqual({ folder: cacheFolder(), removed: 0, bytes: 0, kept: 0 });
  });

  it('lists records with their sizes and last uses', async () => {
    await save('a', 'b');
    await age('a', 3);
    const { bytes, records } = await runJson('ls');
    expect(records).toMatchObject([
      { kind: 'proving key', curve: 'bn254', key: keyOf('b'), source: { bytes: 1000, hash: hash('b') } },
      { kind: 'proving key', curve: 'bn254', key: keyOf('a') },
    ]);
    for (const record of records) expect(record.bytes).toBeGreaterThan(5000);
    expect(bytes).toBe(records[0].bytes + records[1].bytes);
    const { text } = await run('ls');
    expect(text).toMatch(/^proving key +- +bn254 +[0-9.]+ KiB +3 days ago +1000 bytes, a{12}$/m);
    expect(records[0]).not.toHaveProperty('name');
    expect(text).toContain(cacheFolder());
  });

  it('knows that a record was used', async () => {
    await age('b', 5);
    await cache().load(keyOf('b'));
    const { records } = await runJson('ls');
    expect(records[0].key).toBe(keyOf('b'));
    expect(Date.now() - Date.parse(records[0].lastUse)).toBeLessThan(60_000);
  });

  it('deletes what was not used for long, then everything, and nothing of others', async () => {
    await writeFile(join(cacheFolder(), 'foreign'), 'x');
    expect(await runJson('clear', '--older-than', '4d')).toMatchObject({ removed: 0, kept: 2 });
    expect(await runJson('clear', '--older-than', '48h')).toMatchObject({ removed: 1, kept: 1 });
    expect((await runJson('ls')).records).toMatchObject([{ key: keyOf('b') }]);
    expect((await run('clear')).text).toMatch(/^Deleted 1 of 1 records \([0-9.]+ KiB\) from /);
    expect(await readdir(cacheFolder())).toEqual(['foreign']);
  });

  it('lists the names of what records were made from', async () => {
    await cache().save(keyOf('c'), { name: 'spend.zkey', facts: {}, arrays: {} });
    expect((await runJson('ls')).records).toMatchObject([{ kind: 'proving key', name: 'spend.zkey' }]);
    expect((await run('ls')).text).toMatch(/^Kind +Name +Curve .*\nproving key +spend\.zkey +bn254 /);
    await run('clear');
  });

  it('shows what someone else has written into the cache as text', async () => {
    const name = `\u001b[2J\u009b\n\u202e${'x'.repeat(1000)}`;
    await cache().save(keyOf('c'), { name, facts: {}, arrays: {} });
    await cache().save(recordKey(recordPrefix('groth16/bn254', 1), '\u001b[31mred'), { facts: {}, arrays: {} });
    const { records } = await runJson('ls');
    const named = records.find((record: { name?: string }) => record.name !== undefined);
    expect(named.name).toBe(`\\u{1b}[2J\\u{9b}\\u{a}\\u{202e}${'x'.repeat(72)}`);
    const { text } = await run('ls');
    expect(text).toContain(` ${named.name} `);
    expect(text).toContain('1 bytes, \\u{1b}[31mre');
    expect(text).not.toMatch(/[^\P{C}\n]/u);
    await run('clear');
  });

  it.each([
    [['ls', '--older-than', '1d']],
    [['clear', '--older-than', '1']],
    [['clear', '--older-than', '-1d']],
    [['clear', '--older-than', '1y']],
    [['clear', 'all']],
    [['list']],
    [[]],
  ])('refuses %j', async (args) => {
    await expect(run(...args)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringMatching(/^expected .*got/),
    });
  });

  it('says when the folder is not one', async () => {
    const { code, errors } = await runPippin(['cache', 'ls'], {
      env: { XDG_CACHE_HOME: join(home, 'pippin', 'pippin-prepared', 'foreign') },
    });
    expect(code).toBe(2);
    expect(errors).toEqual([expect.stringMatching(/^pippin: IO_FAILED: /)]);
  });
});
