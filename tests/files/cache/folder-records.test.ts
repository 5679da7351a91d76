import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { folderRecords, removeFolderRecords } from '../../../sdk/files/cache/folder-records.js';
import { folderStore, storeFolder } from '../../../sdk/files/cache/folder-store.js';
import { PreparedCache } from '../../../sdk/files/cache/prepared-cache.js';
import { readRecordKey, recordKey, recordPrefix } from '../../../sdk/files/cache/record-key.js';

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

describe('readRecordKey', () => {
  it('reads what recordKey writes', () => {
    const key = recordKey(recordPrefix('bases/bn254/g1/montgomery', 96), 'c0ffee');
    expect(readRecordKey(key)).toEqual({
      format: 3,
      plan: 'bases/bn254/g1/montgomery',
      size: 96,
      sourceHash: 'c0ffee',
    });
  });

  it.each(['', 'map/2', 'v3/a', 'v3/a/b/c', 'vx/a/1/b'])('is not one: %j', (key) => {
    expect(readRecordKey(key)).toBeUndefined();
  });
});
