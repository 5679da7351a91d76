import { mkdtemp, readdir, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { folderStore } from '../../sdk/cache/folder-store.js';
import { PreparedCache } from '../../sdk/cache/prepared-cache.js';

let parent: string;
let folder: string;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'pippin-store-'));
  folder = join(parent, 'deep', 'cache');
});
afterEach(async () => {
  await rm(parent, { recursive: true, force: true });
});

describe('folderStore', () => {
  it('is empty while its folder does not exist', async () => {
    const store = folderStore(folder);
    expect(await store.keys()).toEqual([]);
    expect(await store.get('a')).toBeUndefined();
    await store.delete('a');
    await expect(stat(folder)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('keeps chunks under any key', async () => {
    const store = folderStore(folder);
    const keys = ['plain', 'v1/bn254/g1#0.1', '..', '.', 'a*b?c:d|e', 'Grüße', '%2F'];
    for (const [i, key] of keys.entries()) await store.set(key, new Uint8Array([i, 255]));
    expect((await store.keys()).toSorted()).toEqual(keys.toSorted());
    const other = folderStore(folder);
    for (const [i, key] of keys.entries()) expect(await other.get(key)).toStrictEqual(new Uint8Array([i, 255]));
    await store.delete('..');
    expect(await other.get('..')).toBeUndefined();
    expect(await readdir(parent)).toEqual(['deep']);
  });

  it('replaces a chunk, keeps empty ones, and leaves no temporary file', async () => {
    const store = folderStore(folder);
    await store.set('a', new Uint8Array(100));
    await store.set('a', new Uint8Array(0));
    expect(await store.get('a')).toStrictEqual(new Uint8Array(0));
    expect(await readdir(folder)).toEqual(['a.chunk']);
  });

  it('lets many writers write one chunk', async () => {
    const stores = Array.from({ length: 8 }, () => folderStore(folder));
    const bytes = stores.map((_, i) => new Uint8Array(50_000).fill(i));
    await Promise.all(stores.map((store, i) => store.set('a', bytes[i]!)));
    const result = await stores[0]!.get('a');
    expect(bytes.some((each) => Buffer.compare(each, result!) === 0)).toBe(true);
    expect(await readdir(folder)).toEqual(['a.chunk']);
  });

  it('removes temporary files of writers that were killed, and no others', async () => {
    await folderStore(folder).set('a', new Uint8Array(1));
    for (const name of ['old.tmp', 'new.tmp', 'foreign']) await writeFile(join(folder, name), 'x');
    const hoursAgo = new Date(Date.now() - 2 * 60 * 60 * 1000);
    for (const name of ['old.tmp', 'foreign']) await utimes(join(folder, name), hoursAgo, hoursAgo);
    const store = folderStore(folder);
    await store.set('b', new Uint8Array(1));
    expect((await readdir(folder)).toSorted()).toEqual(['a.chunk', 'b.chunk', 'foreign', 'new.tmp']);
    expect((await store.keys()).toSorted()).toEqual(['a', 'b']);
  });

  it('rejects where the folder cannot be, and works once it can', async () => {
    await writeFile(join(parent, 'deep'), 'a file in the way');
    const store = folderStore(folder);
    await expect(store.set('a', new Uint8Array(1))).rejects.toThrow();
    await rm(join(parent, 'deep'));
    await store.set('a', new Uint8Array(1));
    expect(await store.keys()).toEqual(['a']);
  });
});

describe('PreparedCache on a folder', () => {
  const record = { facts: { count: 3 }, arrays: { points: new Uint8Array(1000).fill(7), none: new Uint8Array(0) } };

  it('gives back what an earlier process saved', async () => {
    await new PreparedCache(folderStore(folder)).save('v1/key', record);
    expect(await new PreparedCache(folderStore(folder)).load('v1/key')).toStrictEqual({ kind: 'hit', record });
  });

  it('finds a file cut short', async () => {
    const cache = new PreparedCache(folderStore(folder));
    await cache.save('v1/key', record);
    const chunk = (await readdir(folder)).find((name) => !name.includes('manifest'))!;
    await truncate(join(folder, chunk), 999);
    expect(await cache.load('v1/key')).toMatchObject({ kind: 'damaged' });
  });

  it('is unavailable where the folder cannot be', async () => {
    await writeFile(join(parent, 'deep'), 'a file in the way');
    const cache = new PreparedCache(folderStore(folder));
    expect(await cache.save('v1/key', record)).toMatchObject({ kind: 'unavailable', cause: { code: 'ENOTDIR' } });
    expect(await cache.load('v1/key')).toMatchObject({ kind: 'unavailable' });
  });
});
