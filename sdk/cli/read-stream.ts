import type { Readable } from 'node:stream';
import { onAbort, throwIfAborted } from '../base/abort.js';
import { joinBytes } from '../base/bytes.js';
import { messageOf, PippinError } from '../base/errors.js';
import { wipe } from '../base/free-memory.js';
import type { Context } from './context.js';

/** What comes from a stream, and from where, in messages. */
export interface StreamNames {
  readonly what: string;
  readonly from: string;
}

/** All that comes from a stream, which is destroyed when the signal fires. `IO_FAILED` if it cannot be read. */
export async function readStream(
  stream: Readable,
  signal: AbortSignal,
  { what, from }: StreamNames,
): Promise<Uint8Array> {
  const stop = onAbort(signal, () => stream.destroy());
  const parts: Uint8Array[] = [];
  try {
    throwIfAborted(signal);
    for await (const part of stream) parts.push(part as Uint8Array);
  } catch (error) {
    throwIfAborted(signal);
    throw new PippinError('IO_FAILED', `expected to read ${what} from ${from}, got: ${messageOf(error)}`);
  } finally {
    stop();
    stream.destroy();
  }
  throwIfAborted(signal);
  const bytes = joinBytes(parts);
  // They may be secret, and are not needed twice.
  for (const part of parts) wipe(part);
  return bytes;
}

/** All of standard input. `IO_FAILED` if it cannot be read, or is empty. */
export async function readStdin({ signal, note }: Pick<Context, 'signal' | 'note'>, what: string): Promise<Uint8Array> {
  const { stdin } = process;
  if (stdin.isTTY) note(`reading ${what} from the terminal; end it with Ctrl-D`);
  const bytes = await readStream(stdin, signal, { what, from: 'standard input' });
  if (bytes.length > 0) return bytes;
  throw new PippinError('IO_FAILED', `expected ${what} on standard input, got nothing`, {
    hint: 'send it through a pipe, such as: cat file | pippin ...',
  });
}
