import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { onAbort, throwIfAborted } from '../base/abort.js';
import { messageOf, PippinError } from '../base/errors.js';
import { type ReadingContext, STANDARD } from './files.js';
import { isPipe, openPipe } from './pipe.js';

/** A line that is not blank, and its number, from 1. */
export interface Line {
  readonly number: number;
  readonly text: string;
}

/** The most characters of a line: a thousand times what a proof has. */
const MOST_CHARACTERS = 2 ** 22;

/**
 * The lines of a file, of a pipe that has a name, or of standard input, as they are read. `IO_FAILED` if it cannot be
 * read, `MALFORMED_FILE` for a line that is too long to be kept.
 */
export async function* readLines(path: string, context: ReadingContext): AsyncGenerator<Line> {
  const { signal } = context;
  const stream = await openStream(path);
  const stop = onAbort(signal, () => stream.destroy());
  let number = 0;
  let rest = '';
  try {
    throwIfAborted(signal);
    stream.setEncoding('utf8');
    for await (const part of stream) {
      const lines = (rest + part).split('\n');
      rest = lines.pop()!;
      for (const text of lines) {
        number++;
        if (text.trim() !== '') yield { number, text };
      }
      if (rest.length > MOST_CHARACTERS) {
        const message = `expected lines of at most ${MOST_CHARACTERS} characters in ${path}, got a longer line ${number + 1}`;
        throw new PippinError('MALFORMED_FILE', message, { hint: 'each proof has a line of its own' });
      }
    }
  } catch (error) {
    throwIfAborted(signal);
    if (error instanceof PippinError) throw error;
    throw new PippinError('IO_FAILED', `expected to read ${path}, got: ${messageOf(error)}`, { cause: error });
  } finally {
    stop();
    stream.destroy();
  }
  throwIfAborted(signal);
  if (rest.trim() !== '') yield { number: number + 1, text: rest };
}

async function openStream(path: string): Promise<Readable> {
  if (path === STANDARD) return process.stdin;
  return (await isPipe(path)) ? openPipe(path) : createReadStream(path);
}
