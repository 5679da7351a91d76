import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { newBytes } from '../base/bytes.js';
import { asPippinError, PippinError } from '../base/errors.js';
import { type ClosableSource, expectWithin } from './byte-source.js';
import { nameOfPath } from './source-name.js';

/**
 * The times of files move in steps of up to 10 ms on Linux and 16 ms on Windows: changes within a step have the same
 * time.
 */
const TIME_STEP_MS = 20;

/**
 * Without O_NONBLOCK a named pipe would be waited for, by a thread that nothing can interrupt. Windows has no such
 * flag.
 */
const READ_FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** Node ends the process when it is asked for 2^31 bytes or more at a time. */
const MAX_READ_BYTES = 2 ** 30;

/** What to do about the system's errors. */
const HINTS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file: a relative path starts at the current directory of the process',
  EACCES: 'this user may not read the file',
  EPERM: 'this user may not read the file',
  EISDIR: 'this is a directory: give the path of the file in it',
  EMFILE: 'the process has too many open files: dispose of keys that are not needed, or raise the limit (ulimit -n)',
};

/** What changes when somebody writes to a file. */
interface FileVersion {
  readonly size: number;
  /** Nanoseconds of the last change of the contents. */
  readonly changedAt: bigint;
}

/**
 * A file by its path, which is opened once: every read is of the same file, even if another one gets its name
 * meanwhile. A read fails with `IO_FAILED` if somebody has written to the file since this call, so that parts of two
 * different keys are never combined. This is known by its size and the time of its last change; a writer that sets this
 * time back is not noticed. Pipes and devices, which have no size, are refused.
 */
export async function openNodeFile(path: string): Promise<ClosableSource> {
  const file = await reading(path, () => open(path, READ_FLAGS));
  let version: FileVersion;
  try {
    await expectSeekable(path, file);
    version = await reading(path, () => settledVersion(path, file));
  } catch (error) {
    await file.close();
    throw error;
  }
  const { size } = version;
  return {
    size,
    name: nameOfPath(path),
    async read(offset, length) {
      expectWithin(size, offset, length);
      return reading(path, async () => {
        const bytes = newBytes(length);
        for (let done = 0; done < length; ) {
          const { bytesRead } = await file.read(bytes, done, Math.min(MAX_READ_BYTES, length - done), offset + done);
          if (bytesRead === 0) throw new Error(`the file ends at ${offset + done}`);
          done += bytesRead;
        }
        // Asked for after the bytes were read, so that they belong to this version.
        expectSame(path, version, await versionOf(file));
        return bytes;
      });
    },
    // What closing may tell is about bytes that were written.
    close: () => file.close().catch(() => undefined),
  };
}

async function expectSeekable(path: string, file: FileHandle): Promise<void> {
  const stats = await reading(path, () => file.stat());
  // Reading from a directory fails by itself.
  if (stats.isFile() || stats.isDirectory()) return;
  throw new PippinError('IO_FAILED', `expected the file ${path}, got a pipe or a device of this name`, {
    hint: 'write it to a file first: its parts are read in any order',
  });
}

/** The version of a file from which every later one can be told. */
async function settledVersion(path: string, file: FileHandle): Promise<FileVersion> {
  const version = await versionOf(file);
  const age = Date.now() - Number(version.changedAt / 1_000_000n);
  if (Math.abs(age) >= TIME_STEP_MS) return version;
  await wait(TIME_STEP_MS);
  expectSame(path, version, await versionOf(file));
  return version;
}

async function versionOf(file: FileHandle): Promise<FileVersion> {
  const { size, mtimeNs } = await file.stat({ bigint: true });
  return { size: Number(size), changedAt: mtimeNs };
}

function expectSame(path: string, before: FileVersion, now: FileVersion): void {
  if (now.size === before.size && now.changedAt === before.changedAt) return;
  throw new PippinError('IO_FAILED', `expected to read the file ${path}, got: it was changed since it was opened`, {
    hint: 'load it again; to replace a file that is in use, write another one and rename it to this name',
  });
}

async function reading<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    throw asPippinError(error, 'IO_FAILED', `expected to read the file ${path}, got`, HINTS[code]);
  }
}
