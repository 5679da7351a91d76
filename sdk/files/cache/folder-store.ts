import { constants, type Stats } from 'node:fs';
import { lstat, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { ChunkStore } from './chunk-store.js';

/** The bits of a file's mode. */
const MODE = { writableByOthers: 0o002, writableByGroupOrOthers: 0o022, sticky: 0o1000 } as const;

/**
 * Makes a folder that only this user may read and write, and the folders above it. Throws if something of this name is
 * there that is not such a folder, or if the folder above it lets anyone replace it.
 *
 * Node's own recursive `mkdir` does not end in a folder such as /proc, in which nothing can be made.
 */
async function makePrivateFolder(parent: string, name: string): Promise<void> {
  await makeFolders(parent);
  try {
    await mkdir(join(parent, name), { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
  await expectPrivateFolder(parent, name);
}

/** Whether the folder is there; throws if it is not one that only this user may write. */
async function hasPrivateFolder(parent: string, name: string): Promise<boolean> {
  try {
    await expectPrivateFolder(parent, name);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}

/**
 * Throws unless a file or folder is this user's own and nobody else may write it. Windows has no such modes, and is not
 * asked.
 */
function expectOwn(facts: Stats, path: string): void {
  const user = process.getuid?.();
  if (user === undefined) return;
  if (facts.uid !== user) throw new Error(`expected ${path} to be this user's own, got another user's`);
  if ((facts.mode & MODE.writableByGroupOrOthers) !== 0) {
    throw new Error(`expected ${path} to be writable by this user alone, got the mode ${octal(facts.mode)}`);
  }
}

async function expectPrivateFolder(parent: string, name: string): Promise<void> {
  const path = join(parent, name);
  const facts = await lstat(path);
  if (!facts.isDirectory()) throw new Error(`expected ${path} to be a folder, got something else`);
  expectOwn(facts, path);
  const above = await stat(parent);
  const anyoneMayReplace = (above.mode & MODE.writableByOthers) !== 0 && (above.mode & MODE.sticky) === 0;
  if (process.getuid !== undefined && anyoneMayReplace) {
    throw new Error(`expected ${parent} to be writable by its owner alone, got the mode ${octal(above.mode)}`);
  }
}

async function makeFolders(path: string): Promise<void> {
  const missing: string[] = [];
  // The root of a drive that is not there is its own parent.
  for (let at = path; at !== dirname(at) && !(await exists(at)); at = dirname(at)) missing.unshift(at);
  for (const folder of missing) {
    try {
      await mkdir(folder);
    } catch (error) {
      // Another process may have been quicker.
      if (codeOf(error) !== 'EEXIST') throw error;
    }
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

function octal(mode: number): string {
  return (mode & 0o7777).toString(8);
}

/** The folder within the given one that is the store's own. Nothing outside of it is read, written or deleted. */
const OWN_FOLDER = 'pippin-prepared';
const CHUNK = '.chunk';
/** The names of files that are being written: a UUID. */
const TEMPORARY = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.tmp$/;
/** A temporary file this old belongs to no process that still writes it. */
const ABANDONED_AFTER_MS = 60 * 60 * 1000;
/** Neither a link is followed nor a pipe waited for. Windows has neither flag. */
const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * A store in a folder of its own, `pippin-prepared` in the given folder, one file a chunk; it is made by the first
 * write, for this user alone. Every operation rejects if that folder, or a file in it, belongs to another user or may
 * be written by others. Files whose names are not the store's are left alone.
 *
 * A chunk is written under a temporary name, flushed and renamed, so that a crash or a second process leaves either the
 * old chunk or the new one.
 */
export function folderStore(directory: string): ChunkStore {
  const parent = resolve(directory);
  const folder = storeFolder(directory);
  const pathOf = (key: string): string => chunkPath(folder, key);
  let opening: Promise<void> | undefined;

  /** Makes the folder once. */
  const made = (): Promise<void> => {
    opening ??= openFolder(parent, folder).catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
  /** Whether there is a folder that may be used. */
  const isThere = async (): Promise<boolean> => {
    if (opening === undefined) return hasPrivateFolder(parent, OWN_FOLDER);
    await opening;
    return true;
  };

  return {
    get: async (key) => ((await isThere()) ? readOwn(pathOf(key)) : undefined),
    async set(key, bytes) {
      await made();
      const temporary = join(folder, `${crypto.randomUUID()}.tmp`);
      try {
        await writeFlushed(temporary, bytes);
        await rename(temporary, pathOf(key));
      } catch (error) {
        await rm(temporary, { force: true }).catch(() => undefined);
        throw error;
      }
    },
    async delete(key) {
      if (await isThere()) await rm(pathOf(key), { force: true });
    },
    async keys() {
      if (!(await isThere())) return [];
      return ((await absentAsUndefined(readdir(folder))) ?? []).flatMap(keysOf);
    },
  };
}

/** A chunk in a folder, without its contents. */
export interface FolderChunk {
  readonly key: string;
  readonly bytes: number;
  /** When it was last read or written. */
  readonly lastUse: Date;
}

/** The store's own folder within a given one. */
export function storeFolder(directory: string): string {
  return join(resolve(directory), OWN_FOLDER);
}

/** What a `folderStore` in this folder keeps; nothing if there is none. Rejects as its operations do. */
export async function folderChunks(directory: string): Promise<FolderChunk[]> {
  const folder = storeFolder(directory);
  if (!(await hasPrivateFolder(resolve(directory), OWN_FOLDER))) return [];
  const chunks: FolderChunk[] = [];
  for (const name of (await absentAsUndefined(readdir(folder))) ?? []) {
    const facts = await absentAsUndefined(lstat(join(folder, name)));
    for (const key of keysOf(name)) {
      if (facts?.isFile()) chunks.push({ key, bytes: facts.size, lastUse: facts.mtime });
    }
  }
  return chunks;
}

/**
 * A chunk of at most `maxBytes` in a folder, as a `folderStore` reads it, but this does not count as a use; undefined
 * if it is absent or larger.
 */
export async function peekChunk(directory: string, key: string, maxBytes: number): Promise<Uint8Array | undefined> {
  if (!(await hasPrivateFolder(resolve(directory), OWN_FOLDER))) return undefined;
  return readOwn(chunkPath(storeFolder(directory), key), { maxBytes, isUse: false });
}

function chunkPath(folder: string, key: string): string {
  return join(folder, `${encodeName(key)}${CHUNK}`);
}

/** A file name for any key: percent-encoded, including the *, which Windows does not allow in names. */
function encodeName(key: string): string {
  return encodeURIComponent(key).replaceAll('*', '%2A');
}

/** The key of a chunk's file name; none for a name that the store does not give. */
function keysOf(name: string): string[] {
  if (!name.endsWith(CHUNK)) return [];
  const encoded = name.slice(0, -CHUNK.length);
  try {
    const key = decodeURIComponent(encoded);
    return encodeName(key) === encoded ? [key] : [];
  } catch {
    // Not percent-encoded.
    return [];
  }
}

/** The contents of a file of this user, in a fresh buffer; undefined if it is absent or larger than `maxBytes`. */
async function readOwn(
  path: string,
  { maxBytes = Number.POSITIVE_INFINITY, isUse = true } = {},
): Promise<Uint8Array | undefined> {
  const file = await absentAsUndefined(open(path, READ_FLAGS));
  if (file === undefined) return undefined;
  try {
    const facts = await file.stat();
    if (!facts.isFile()) throw new Error(`expected ${path} to be a file, got something else`);
    expectOwn(facts, path);
    if (facts.size > maxBytes) return undefined;
    const bytes = await file.readFile();
    // The file's time is the time of its last use, by which unused records are found. A read-only file system keeps no
    // times.
    const now = new Date();
    if (isUse) await file.utimes(now, now).catch(() => undefined);
    // Node may read a small file into a part of a buffer that other data share; such a part is copied.
    return new Uint8Array(bytes.length === bytes.buffer.byteLength ? bytes.buffer : bytes);
  } finally {
    await file.close();
  }
}

async function writeFlushed(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * Makes the folder if it is missing, and removes the temporary files of processes that were killed while they wrote.
 */
async function openFolder(parent: string, folder: string): Promise<void> {
  await makePrivateFolder(parent, OWN_FOLDER);
  for (const name of await readdir(folder)) {
    if (!TEMPORARY.test(name)) continue;
    const path = join(folder, name);
    const facts = await absentAsUndefined(lstat(path));
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
