import { closeSync, constants, openSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { isatty, ReadStream } from 'node:tty';
import { onAbort, throwIfAborted } from '../base/abort.js';

/**
 * Pipes and terminals that a path names. The functions of node:fs would wait for their other ends in a thread that
 * nothing can interrupt and that keeps the process alive, `process.exit` or not. Here they are opened without waiting,
 * and Node's event loop waits instead.
 */

/** Milliseconds between two looks whether a pipe has a reader: the system tells of none. */
const READER_POLL_MS = 50;

/** Whether a path names a pipe or a terminal, which can be read once, from its beginning. False if it names nothing. */
export async function isPipe(path: string): Promise<boolean> {
  const stats = await stat(path).catch(() => undefined);
  if (stats === undefined) return false;
  return stats.isFIFO() || (stats.isCharacterDevice() && isTerminal(path));
}

/** What comes from a pipe or a terminal. It waits for a writer. */
export function openPipe(path: string): Readable {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  return isatty(fd) ? new ReadStream(fd) : new Socket({ fd, readable: true, writable: false });
}

/**
 * Writes to a pipe that has a name, as soon as somebody reads it. `ABORTED` when the signal fires before all is
 * written.
 */
export async function writePipe(path: string, data: string | Uint8Array, signal: AbortSignal): Promise<void> {
  const pipe = new Socket({ fd: await openForReader(path, signal), readable: false, writable: true });
  const stop = onAbort(signal, () => pipe.destroy());
  try {
    pipe.end(data);
    await finished(pipe);
  } catch (error) {
    throwIfAborted(signal);
    throw error;
  } finally {
    stop();
  }
}

async function openForReader(path: string, signal: AbortSignal): Promise<number> {
  for (;;) {
    throwIfAborted(signal);
    try {
      return openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENXIO') throw error;
    }
    // The wait ends early when the signal fires.
    await wait(READER_POLL_MS, undefined, { signal }).catch(() => undefined);
  }
}

function isTerminal(path: string): boolean {
  try {
    const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
    try {
      return isatty(fd);
    } finally {
      closeSync(fd);
    }
  } catch {
    // The error reaches whoever reads it.
    return false;
  }
}
