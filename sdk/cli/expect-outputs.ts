import { constants, type Stats } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { messageOf, type PippinError } from '../base/errors.js';
import { isPath, STANDARD } from './files.js';
import { usageError } from './option.js';
import { destinationOf, writeError } from './output-file.js';

/** Files by the options that name them, without dashes; undefined where the option is left out. */
export type NamedFiles = Readonly<Record<string, string | undefined>>;

/** A file that an option names, or that does not exist yet. */
interface NamedFile {
  readonly option: string;
  readonly given: string;
  /** Its path with all links followed. */
  readonly path: string;
  /** undefined if it does not exist. */
  readonly stats: Stats | undefined;
}

/**
 * Asked before the work begins, so that nobody waits for a proof that cannot be kept, and no file is overwritten that
 * holds something else: `IO_FAILED` unless every output can be written, `INVALID_ARGUMENT` if one of them is another
 * output or an input, whatever the ways are in which their paths are spelled. Standard output, pipes and devices take
 * any number of outputs.
 */
export async function expectOutputs(outputs: NamedFiles, inputs: NamedFiles): Promise<void> {
  const written: NamedFile[] = [];
  for (const [option, given] of pathsOf(outputs)) written.push(await expectWritable(option, given));
  const read = await Promise.all(pathsOf(inputs).map(([option, given]) => existingFile(option, given)));
  for (const [i, file] of written.entries()) {
    const other = [...written.slice(0, i), ...read].find((each) => each !== undefined && isSameFile(each, file));
    if (other !== undefined) throw sameFileError(other, file);
  }
}

/** The named files, without standard input and output. */
function pathsOf(files: NamedFiles): [option: string, path: string][] {
  return Object.entries(files).flatMap(([option, path]) =>
    path === undefined || path === STANDARD ? [] : [[option, path] as [string, string]],
  );
}

async function expectWritable(option: string, given: string): Promise<NamedFile> {
  if (!isPath(given)) throw writeError(given, 'a URL', 'Pippin writes to files of this machine only');
  try {
    const path = await destinationOf(given);
    const stats = await stat(path).catch(() => undefined);
    if (stats?.isDirectory()) throw new Error('a folder of this name');
    if (stats === undefined && /[/\\]$/.test(given)) throw new Error("a folder's name");
    await access(stats === undefined ? dirname(path) : path, constants.W_OK);
    return { option, given, path, stats };
  } catch (error) {
    const { code, path } = error as NodeJS.ErrnoException;
    throw writeError(
      given,
      messageOf(error),
      code === 'ENOENT' ? `make the folder first: mkdir -p ${path}` : undefined,
      error,
    );
  }
}

/** undefined for what does not exist: whoever reads it says so. */
async function existingFile(option: string, given: string): Promise<NamedFile | undefined> {
  if (!isPath(given)) return undefined;
  const stats = await stat(given).catch(() => undefined);
  return stats === undefined ? undefined : { option, given, path: await destinationOf(given), stats };
}

function isSameFile(one: NamedFile, other: NamedFile): boolean {
  if (one.stats?.isFile() === false || other.stats?.isFile() === false) return false;
  // A file may have several names besides links that lead to it.
  const hasSameNumber =
    one.stats !== undefined && one.stats.ino === other.stats?.ino && one.stats.dev === other.stats.dev;
  return one.path === other.path || hasSameNumber;
}

function sameFileError(one: NamedFile, other: NamedFile): PippinError {
  const names = one.given === other.given ? one.given : `${one.given} and ${other.given}, which are the same`;
  return usageError(
    `expected different files for --${one.option} and --${other.option}, got ${names}`,
    `--${other.option} would overwrite what --${one.option} names`,
  );
}
