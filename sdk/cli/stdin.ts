import { onAbort, throwIfAborted } from '../abort.js';
import { messageOf, PippinError } from '../errors.js';
import { joinBytes } from '../field/bytes.js';
import { wipe } from '../transport/free-memory.js';
import type { Context } from './context.js';

/** All of standard input. `IO_FAILED` if it cannot be read, or is empty. */
export async function readStdin({ signal, note }: Context, what: string): Promise<Uint8Array> {
  const { stdin } = process;
  if (stdin.isTTY) note(`reading ${what} from the terminal; end it with Ctrl-D`);
  const stop = onAbort(signal, () => stdin.destroy());
  const parts: Uint8Array[] = [];
  try {
    for await (const part of stdin) parts.push(part as Uint8Array);
  } catch (error) {
    throwIfAborted(signal);
    throw new PippinError('IO_FAILED', `expected to read ${what} from standard input, got: ${messageOf(error)}`);
  } finally {
    stop();
  }
  throwIfAborted(signal);
  if (parts.length === 0) {
    throw new PippinError('IO_FAILED', `expected ${what} on standard input, got nothing`, {
      hint: 'send it through a pipe, such as: cat file | pippin ...',
    });
  }
  const bytes = joinBytes(parts);
  // They may be secret, and are not needed twice.
  for (const part of parts) wipe(part);
  return bytes;
}
