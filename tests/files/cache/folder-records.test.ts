import { chmod, mkdtemp, readdir, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { memorySource } from '../../../sdk/files/byte-source.js';
import { folderRecords, nameOfRecord, removeFolderRecords } from '../../../sdk/files/cache/folder-records.js';
import { folderStore, storeFolder } from '../../../sdk/files/cache/folder-store.js';
import { encodeManifest } from '../../../sdk/files/cache/manifest.js';
import { PreparedCache } from '../../../sdk/files/cache/prepared-cache.js';
import { FORMAT_VERSION, readRecordKey, recordKey, recordPrefix } from '../../../sdk/files/cache/record-key.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pippin-records-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('folderRecords', () => {
  it('are none where there is no folder', async () => {
    expect(await folderRecords(join(folder, 'none'))).toEqual([]);
  });

  it('have the bytes of their files, and can be deleted one by one', async () => {
    const cache = new PreparedCache(folderStore(folder));
    await cache.save('v3/a/1/x', { facts: {}, arrays: { one: new Uint8Array(10), two: new Uint8Array(20) } });
    await cache.save('map/2', { facts: { some: 'thing' }, arrays: {} });
    await folderStore(folder).set('v3/b/1/y#0.0', new Uint8Array(7));
    await writeFile(join(storeFolder(folder), 'foreign.chunk%'), 'x');
    const records = await folderRecords(folder);
    expect(records.map(({ key, isComplete }) => [key, isComplete]).toSorted()).toEqual([
      ['map/2', true],
      ['v3/a/1/x', true],
      ['v3/b/1/y', false],
    ]);
    expect(records.find(({ key }) => key === 'v3/a/1/x')!.bytes).toBeGreaterThan(30);
    expect(records.find(({ key }) => key === 'v3/b/1/y')!.bytes).toBe(7);
    await removeFolderRecords(
      folder,
      records.filter(({ key }) => key.startsWith('v3/a')),
    );
    expect((await folderRecords(folder)).map(({ key }) => key).toSorted()).toEqual(['map/2', 'v3/b/1/y']);
    expect(await cache.load('v3/a/1/x')).toEqual({ kind: 'miss' });
    expect(await cache.load('map/2')).toMatchObject({ kind: 'hit' });
  });

  it.runIf(process.getuid !== undefined)('are not read from a folder that others may write', async () => {
    await folderStore(folder).set('a#manifest', new Uint8Array(1));
    await chmod(storeFolder(folder), 0o777);
    await expect(folderRecords(folder)).rejects.toThrow(/expected .* to be writable by this user alone/);
  });
});

describe('nameOfRecord', () => {
  const KEY = 'v3/a/1/x';
  const record = { facts: {}, arrays: { one: new Uint8Array(10) } };
  const nameOf = (key = KEY): Promise<string | undefined> => nameOfRecord(folder, { key });
  const pathOf = (name: string): string => join(storeFolder(folder), `${encodeURIComponent(name)}.chunk`);

  it('is what the record was saved with, of a file, too', async () => {
    const cache = new PreparedCache(folderStore(folder));
    await cache.save(KEY, { ...record, name: 'spend.zkey' });
    await cache.saveFile('file/url/y', {}, { ...memorySource(new Uint8Array(3)), name: 'spend.wasm' });
    expect([await nameOf(), await nameOf('file/url/y')]).toEqual(['spend.zkey', 'spend.wasm']);
    expect(await cache.load(KEY)).toEqual({ kind: 'hit', record });
  });

  it('is none where the record has none, is absent, damaged or of another key', async () => {
    const store = folderStore(folder);
    expect(await nameOf()).toBeUndefined();
    await new PreparedCache(store).save(KEY, record);
    expect(await nameOf()).toBeUndefined();
    expect(await nameOf('absent')).toBeUndefined();
    for (const name of ['', 7, null, { toString: 'x' }]) {
      await store.set(
        `${KEY}#manifest`,
        await encodeManifest({ key: KEY, name: name as string, facts: 1, arrays: [] }),
      );
      expect(await nameOf()).toBeUndefined();
    }
    await store.set(`${KEY}#manifest`, await encodeManifest({ key: 'other', name: 'x', facts: 1, arrays: [] }));
    expect(await nameOf()).toBeUndefined();
    await store.set(`${KEY}#manifest`, new Uint8Array(100));
    expect(await nameOf()).toBeUndefined();
  });

  it('is not read from more than 4 MiB, nor through a link', async () => {
    const store = folderStore(folder);
    const facts = 'x'.repeat(2 ** 22);
    await store.set(`${KEY}#manifest`, await encodeManifest({ key: KEY, name: 'large', facts, arrays: [] }));
    expect(await nameOf()).toBeUndefined();
    await new PreparedCache(store).save(KEY, { ...record, name: 'linked' });
    await symlink(pathOf(`${KEY}#manifest`), pathOf('b#manifest'));
    expect([await nameOf(), await nameOf('b')]).toEqual(['linked', undefined]);
  });

  it('is looked at without counting as a use', async () => {
    await new PreparedCache(folderStore(folder)).save(KEY, { ...record, name: 'spend.zkey' });
    const long = new Date(2020, 1, 1);
    const paths = (await readdir(storeFolder(folder))).map((name) => join(storeFolder(folder), name));
    for (const path of paths) await utimes(path, long, long);
    expect(await nameOf()).toBe('spend.zkey');
    for (const path of paths) expect((await stat(path)).mtime).toEqual(long);
  });

  it.runIf(process.getuid !== undefined)('is not read from a file or folder that others may write', async () => {
    await new PreparedCache(folderStore(folder)).save(KEY, { ...record, name: 'spend.zkey' });
    await chmod(pathOf(`${KEY}#manifest`), 0o666);
    expect(await nameOf()).toBeUndefined();
    await chmod(pathOf(`${KEY}#manifest`), 0o600);
    expect(await nameOf()).toBe('spend.zkey');
    await chmod(storeFolder(folder), 0o777);
    expect(await nameOf()).toBeUndefined();
  });
});

describe('readRecordKey', () => {
  it('reads what recordKey writes', () => {
    const key = recordKey(recordPrefix('bases/bn254/g1/montgomery', 96), 'c0ffee');
    expect(readRecordKey(key)).toEqual({
      format: FORMAT_VERSION,
      plan: 'bases/bn254/g1/montgomery',
      size: 96,
      sourceHash: 'c0ffee',
    });
  });

  it.each(['', 'map/2', 'v3/a', 'v3/a/b/c', 'vx/a/1/b'])('is not one: %j', (key) => {
    expect(readRecordKey(key)).toBeUndefined();
  });
});
