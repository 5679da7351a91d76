import { readlink, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, sep } from 'node:path';

/**
 * Where what is written to a path arrives: its real path, with all links followed. A link may lead to a file that does not exist yet, which is
 * then made there, as a shell does. Rejects if the folder does not exist.
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
