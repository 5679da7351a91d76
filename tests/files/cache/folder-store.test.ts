import { execFileSync } from 'node:child_process';
import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readdir,
  rm,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { folderStore } from '../../../sdk/files/cache/folder-store.js';
import { PreparedCache } from '../../../sdk/files/cache/prepared-cache.js';

let parent: string;
let folder: string;
/** The store's own folder in the given one. */
let own: string;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'pippin-store-'));
  folder = join(parent, 'deep', 'cache');
  own = join(folder, 'pippin-prepared');
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
    expect(await readdir(own)).toEqual(['a.chunk']);
  });

  it('lets many writers write one chunk', async () => {
    const stores = Array.from({ length: 8 }, () => folderStore(folder));
    const bytes = stores.map((_, i) => new Uint8Array(50_000).fill(i));
    await Promise.all(stores.map((store, i) => store.set('a', bytes[i]!)));
    const result = await stores[0]!.get('a');
    expect(bytes.some((each) => Buffer.compare(each, result!) === 0)).toBe(true);
    expect(await readdir(own)).toEqual(['a.chunk']);
  });

  it('removes temporary files of writers that were killed, and no others', async () => {
    await folderStore(folder).set('a', new Uint8Array(1));
    const uuid = (digit: number): string => `${digit}0000000-0000-4000-8000-000000000000.tmp`;
    const foreign = ['foreign', 'foreign.tmp'];
    for (const name of [uuid(1), uuid(2), ...foreign]) await writeFile(join(own, name), 'x');
    const hoursAgo = new Date(Date.now() - 2 * 60 * 60 * 1000);
    for (const name of [uuid(1), ...foreign]) await utimes(join(own, name), hoursAgo, hoursAgo);
    const store = folderStore(folder);
    await store.set('b', new Uint8Array(1));
    expect((await readdir(own)).toSorted()).toEqual([uuid(2), 'a.chunk', 'b.chunk', ...foreign]);
    expect((await store.keys()).toSorted()).toEqual(['a', 'b']);
  });

  it("leaves the caller's own files alone, whatever their names and ages", async () => {
    await mkdir(folder, { recursive: true });
    const names = ['draft.tmp', '10000000-0000-4000-8000-000000000000.tmp', '100%.chunk', 'a.chunk', 'notes'];
    const longAgo = new Date(0);
    for (const name of names) {
      await writeFile(join(folder, name), 'x');
      await utimes(join(folder, name), longAgo, longAgo);
    }
    const cache = new PreparedCache(folderStore(folder));
    expect(await cache.save('key', { facts: {}, arrays: { bytes: new Uint8Array(5) } })).toEqual({ kind: 'saved' });
    expect(await cache.clear()).toEqual({ kind: 'removed' });
    expect((await readdir(folder)).toSorted()).toEqual([...names, 'pippin-prepared'].toSorted());
    expect(await readdir(own)).toEqual([]);
  });

  it('does not take files of other names for chunks', async () => {
    const store = folderStore(folder);
    await store.set('a', new Uint8Array(1));
    for (const name of ['100%.chunk', '%41.chunk', 'a b.chunk']) await writeFile(join(own, name), 'x');
    expect(await store.keys()).toEqual(['a']);
    expect(await new PreparedCache(store).clear()).toEqual({ kind: 'removed' });
    expect((await readdir(own)).toSorted()).toEqual(['%41.chunk', '100%.chunk', 'a b.chunk']);
  });

  describe.runIf(process.getuid !== undefined)('on a system with modes', () => {
    const refused = async (store: ReturnType<typeof folderStore>, message: string): Promise<void> => {
      await expect(store.set('a', new Uint8Array(1))).rejects.toThrow(message);
      await expect(store.get('a')).rejects.toThrow(message);
      await expect(store.delete('a')).rejects.toThrow(message);
      await expect(store.keys()).rejects.toThrow(message);
    };

    it('makes its folder and its files for this user alone', async () => {
      await mkdir(folder, { recursive: true, mode: 0o775 });
      await folderStore(folder).set('a', new Uint8Array(1));
      expect((await stat(own)).mode & 0o777).toBe(0o700);
      expect((await stat(join(own, 'a.chunk'))).mode & 0o777).toBe(0o600);
    });

    it('uses a folder like /tmp, but none in which others may replace its own', async () => {
      await mkdir(folder, { recursive: true });
      await chmod(folder, 0o1777);
      await folderStore(folder).set('a', new Uint8Array([7]));
      expect(await folderStore(folder).get('a')).toStrictEqual(new Uint8Array([7]));
      await chmod(folder, 0o777);
      await refused(folderStore(folder), 'writable by its owner alone, got the mode 777');
    });

    it('refuses its folder, and a file in it, when others may write them', async () => {
      await folderStore(folder).set('a', new Uint8Array(1));
      await chmod(join(own, 'a.chunk'), 0o622);
      await expect(folderStore(folder).get('a')).rejects.toThrow('writable by this user alone, got the mode 622');
      await chmod(own, 0o770);
      await refused(folderStore(folder), 'writable by this user alone, got the mode 770');
    });

    it('refuses a link in place of its folder, or of a file', async () => {
      const elsewhere = join(parent, 'elsewhere');
      await mkdir(elsewhere, { mode: 0o700 });
      await writeFile(join(elsewhere, 'a.chunk'), 'x');
      await mkdir(folder, { recursive: true });
      await symlink(elsewhere, own);
      await refused(folderStore(folder), 'to be a folder, got something else');
      await rm(own);
      const store = folderStore(folder);
      await store.set('b', new Uint8Array(1));
      await symlink(join(elsewhere, 'a.chunk'), join(own, 'a.chunk'));
      await expect(store.get('a')).rejects.toMatchObject({ code: 'ELOOP' });
    });

    it('refuses a pipe in place of a file instead of waiting for it', async () => {
      const store = folderStore(folder);
      await store.set('b', new Uint8Array(1));
      execFileSync('mkfifo', [join(own, 'a.chunk')]);
      await expect(store.get('a')).rejects.toThrow('to be a file, got something else');
    });

    it.runIf(process.getuid?.() === 0)('refuses what belongs to another user', async () => {
      await folderStore(folder).set('a', new Uint8Array(1));
      await chown(join(own, 'a.chunk'), 1, 1);
      await expect(folderStore(folder).get('a')).rejects.toThrow("got another user's");
      await chown(own, 1, 1);
      await refused(folderStore(folder), "got another user's");
    });
  });

  it.runIf(process.platform === 'linux')('ends where nothing can be made', async () => {
    await expect(folderStore('/proc/pippin/cache').set('a', new Uint8Array(1))).rejects.toThrow();
    expect(await folderStore('/proc/pippin/cache').get('a')).toBeUndefined();
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
    const chunk = (await readdir(own)).find((name) => !name.includes('manifest'))!;
    await truncate(join(own, chunk), 999);
    expect(await cache.load('v1/key')).toMatchObject({ kind: 'damaged' });
  });

  it('is unavailable where the folder cannot be', async () => {
    await writeFile(join(parent, 'deep'), 'a file in the way');
    const cache = new PreparedCache(folderStore(folder));
    expect(await cache.save('v1/key', record)).toMatchObject({ kind: 'unavailable', cause: { code: 'ENOTDIR' } });
    expect(await cache.load('v1/key')).toMatchObject({ kind: 'unavailable' });
  });
});
