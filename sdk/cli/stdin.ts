import { PippinError } from '../base/errors.js';
import type { Context } from './context.js';
import { readStream } from './read-stream.js';

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
