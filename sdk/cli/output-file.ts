import { randomUUID } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { access, open, readlink, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, sep } from 'node:path';
import { throwIfAborted } from '../base/abort.js';
import { messageOf, PippinError } from '../base/errors.js';
import type { Context } from './context.js';
import { STANDARD } from './files.js';
import { printBytes } from './output.js';
import { writePipe } from './pipe.js';

/** The modes of new files, before the user's umask. */
export const MODE = { public: 0o666, secret: 0o600 } as const;

/** The bits of a mode that say who may do what. */
const PERMISSIONS = 0o7777;

/**
 * Writes a file, or to standard output if the path is `-`. A file that exists is replaced when everything has been
 * written, and not before: it is written under another name in the same folder and renamed. Its mode stays. What is no
 * file, such as /dev/null, and a file in a folder that may not be written, is overwritten in place. A pipe is waited
 * for until somebody reads it, or the signal fires.
 *
 * @param mode the mode of a new file.
 */
export async function writeOutput(
  path: string,
  data: string | Uint8Array,
  { signal }: Pick<Context, 'signal'>,
  mode: number = MODE.public,
): Promise<void> {
  if (path === STANDARD) return printBytes(data);
  try {
    const existing = await statOrNone(path);
    if (existing?.isFIFO()) return await writePipe(path, data, signal);
    // What is named by /dev/stdout or /dev/fd has no other path.
    if (existing !== undefined && !existing.isFile()) return await writeFile(path, data);
    // A link stays, and what it leads to is replaced, or made.
    const target = await destinationOf(path);
    const isReplaceable = existing === undefined || (await isWritable(dirname(target)));
    if (isReplaceable) await replace(target, data, mode, existing?.mode);
    else await writeFile(target, data);
  } catch (error) {
    throwIfAborted(signal);
    throw writeError(path, messageOf(error), undefined, error);
  }
}

async function replace(
  path: string,
  data: string | Uint8Array,
  mode: number,
  former: number | undefined,
): Promise<void> {
  const temporary = join(dirname(path), `.${basename(path)}.${randomUUID()}.tmp`);
  try {
    const file = await open(temporary, 'wx', mode);
    try {
      if (former !== undefined) await file.chmod(former & PERMISSIONS);
      await file.writeFile(data);
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

function isWritable(folder: string): Promise<boolean> {
  return access(folder, constants.W_OK).then(
    () => true,
    () => false,
  );
}

async function statOrNone(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** The error for what cannot be written. */
export function writeError(path: string, got: string, hint?: string, cause?: unknown): PippinError {
  return new PippinError('IO_FAILED', `expected to write ${path}, got: ${got}`, { hint, cause });
}

/**
 * Where what is written to a path arrives: its real path, with all links followed. A link may lead to a file that does
 * not exist yet, which is then made there, as a shell does. Rejects if the folder does not exist.
 */
export async function destinationOf(path: string): Promise<string> {
  const existing = await realpath(path).catch(ifAbsent);
  if (existing !== undefined) return existing;
  const folder = await realpath(dirname(path));
  const target = await readlink(path).catch(ifAbsent);
  if (target === undefined) return join(folder, basename(path));
  // Not joined: `..` behind a link is the folder above the one that it leads to.
  return destinationOf(isAbsolute(target) ? target : `${folder}${sep}${target}`);
}

function ifAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined;
  throw error;
}
