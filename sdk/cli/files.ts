import { readFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { CircuitInputs } from '../api/index.js';
import { onAbort, throwIfAborted } from '../base/abort.js';
import { joinBytes } from '../base/bytes.js';
import { messageOf, PippinError } from '../base/errors.js';
import { wipe } from '../base/free-memory.js';
import type { Context } from './context.js';
import { isPipe, openPipe } from './pipe.js';

/** The name that stands for standard input, and for standard output. */
export const STANDARD = '-';

/** What reading needs of a command. */
export type ReadingContext = Pick<Context, 'signal' | 'note'>;

/** Whether a location is a path on this machine, not a URL. */
export function isPath(location: string): boolean {
  return !/^(https?|file|data):/.test(location);
}

/** The bytes of a file, of a pipe that has a name, or of standard input. `what` names them in messages. */
export async function readBytes(path: string, context: ReadingContext, what: string): Promise<Uint8Array> {
  if (path === STANDARD) return readStdin(context, what);
  const { signal } = context;
  try {
    if (await isPipe(path)) return await readStream(openPipe(path), signal, { what, from: path });
    return new Uint8Array(await readFile(path, { signal }));
  } catch (error) {
    throwIfAborted(signal);
    if (error instanceof PippinError) throw error;
    throw new PippinError('IO_FAILED', `expected to read ${path}, got: ${messageOf(error)}`, { cause: error });
  }
}

/**
 * The path or URL itself, to be read in any order; the bytes of what can be read only once: standard input, and pipes.
 */
export async function locationOrBytes(
  location: string,
  context: ReadingContext,
  what: string,
): Promise<string | Uint8Array> {
  const isReadOnce = location === STANDARD || (isPath(location) && (await isPipe(location)));
  return isReadOnce ? readBytes(location, context, what) : location;
}

/**
 * Parses JSON. The parser's own message shows a piece of the text, which may be secret, so the error tells only the
 * position.
 */
export async function readJson(path: string, context: ReadingContext, what: string): Promise<unknown> {
  const text = new TextDecoder().decode(await readBytes(path, context, what));
  try {
    return JSON.parse(text);
  } catch (error) {
    const position = / at position [0-9]+( \(line [0-9]+ column [0-9]+\))?$/.exec((error as Error).message)?.[0] ?? '';
    throw new PippinError('MALFORMED_FILE', `expected JSON in ${nameOf(path)}, got other text${position}`, {
      hint: `a JSON file is expected for ${what}`,
    });
  }
}

/**
 * A circuit's inputs. Numbers beyond 2^53 lose digits when JSON is parsed: with `strict` they are refused, otherwise a
 * note tells of it and the rounded numbers are used, as in snarkjs.
 */
export async function readInputs(path: string, strict: boolean, context: ReadingContext): Promise<CircuitInputs> {
  const inputs = await readJson(path, context, "the circuit's inputs");
  const rounded: string[] = [];
  const check = (value: unknown, name: string): void => {
    if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) rounded.push(name);
    if (typeof value === 'object' && value !== null) {
      for (const [key, member] of Object.entries(value)) check(member, name === '' ? key : `${name}.${key}`);
    }
  };
  check(inputs, '');
  if (rounded.length > 0) {
    const others = rounded.length === 1 ? '' : ` and ${rounded.length - 1} more`;
    const where = nameOf(path);
    const message = `expected ${rounded[0]}${others} in ${where} below 2^53 or as a string, got a number that JSON rounds`;
    if (strict) throw new PippinError('INVALID_INPUT', message, { hint: 'write it in quotes' });
    context.note(message);
  }
  return inputs as CircuitInputs;
}

function nameOf(path: string): string {
  return path === STANDARD ? 'standard input' : path;
}

/** What comes from a stream, and from where, in messages. */
interface StreamNames {
  readonly what: string;
  readonly from: string;
}

/** All that comes from a stream, which is destroyed when the signal fires. `IO_FAILED` if it cannot be read. */
async function readStream(stream: Readable, signal: AbortSignal, { what, from }: StreamNames): Promise<Uint8Array> {
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
async function readStdin({ signal, note }: ReadingContext, what: string): Promise<Uint8Array> {
  const { stdin } = process;
  if (stdin.isTTY) note(`reading ${what} from the terminal; end it with Ctrl-D`);
  const bytes = await readStream(stdin, signal, { what, from: 'standard input' });
  if (bytes.length > 0) return bytes;
  throw new PippinError('IO_FAILED', `expected ${what} on standard input, got nothing`, {
    hint: 'send it through a pipe, such as: cat file | pippin ...',
  });
}
