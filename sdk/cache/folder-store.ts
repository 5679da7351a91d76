import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChunkStore } from './chunk-store.js';

const CHUNK = '.chunk';
const TEMPORARY = '.tmp';
/** A temporary file this old belongs to no process that still writes it. */
const ABANDONED_AFTER_MS = 60 * 60 * 1000;

/**
 * A store in a folder, one file a chunk; the folder is made by the first write, and files of other names in it are left alone.
 * A chunk is written under a temporary name, flushed and renamed, so that a crash or a second process leaves either the old
 * chunk or the new one.
 */
export function folderStore(folder: string): ChunkStore {
  const pathOf = (key: string): string => join(folder, `${encodeName(key)}${CHUNK}`);
  let opening: Promise<void> | undefined;

  const ready = (): Promise<void> => {
    opening ??= openFolder(folder).catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };

  return {
    async get(key) {
      const file = await absentAsUndefined(readFile(pathOf(key)));
      // Node may read a small file into a part of a buffer that other data share; such a part is copied.
      return file && new Uint8Array(file.length === file.buffer.byteLength ? file.buffer : file);
    },
    async set(key, bytes) {
      await ready();
      const temporary = join(folder, `${crypto.randomUUID()}${TEMPORARY}`);
      try {
        await writeFlushed(temporary, bytes);
        await rename(temporary, pathOf(key));
      } catch (error) {
        await rm(temporary, { force: true }).catch(() => undefined);
        throw error;
      }
    },
    async delete(key) {
      await rm(pathOf(key), { force: true });
    },
    async keys() {
      const names = (await absentAsUndefined(readdir(folder))) ?? [];
      return names
        .filter((name) => name.endsWith(CHUNK))
        .map((name) => decodeURIComponent(name.slice(0, -CHUNK.length)));
    },
  };
}

/** A file name for any key: percent-encoded, including the *, which Windows does not allow in names. */
function encodeName(key: string): string {
  return encodeURIComponent(key).replaceAll('*', '%2A');
}

async function writeFlushed(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'wx');
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Creates the folder if it is missing, and removes the temporary files of processes that were killed while they wrote. */
async function openFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(folder)) {
    if (!name.endsWith(TEMPORARY)) continue;
    const path = join(folder, name);
    const facts = await absentAsUndefined(stat(path));
    if (facts !== undefined && Date.now() - facts.mtimeMs > ABANDONED_AFTER_MS) await rm(path, { force: true });
  }
}

async function absentAsUndefined<T>(result: Promise<T>): Promise<T | undefined> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
