import type { Stats } from 'node:fs';
import { lstat, mkdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** The bits of a file's mode. */
const MODE = { writableByOthers: 0o002, writableByGroupOrOthers: 0o022, sticky: 0o1000 } as const;

/**
 * Makes a folder that only this user may read and write, and the folders above it. Throws if something of this name is there that is not such
 * a folder, or if the folder above it lets anyone replace it.
 *
 * Node's own recursive `mkdir` does not end in a folder such as /proc, in which nothing can be made.
 */
export async function makePrivateFolder(parent: string, name: string): Promise<void> {
  await makeFolders(parent);
  try {
    await mkdir(join(parent, name), { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
  await expectPrivateFolder(parent, name);
}

/** Whether the folder is there; throws if it is not one that only this user may write. */
export async function hasPrivateFolder(parent: string, name: string): Promise<boolean> {
  try {
    await expectPrivateFolder(parent, name);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}

/** Throws unless a file or folder is this user's own and nobody else may write it. Windows has no such modes, and is not asked. */
export function expectOwn(facts: Stats, path: string): void {
  const user = process.getuid?.();
  if (user === undefined) return;
  if (facts.uid !== user) throw new Error(`expected ${path} to be this user's own, got that of another user`);
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
