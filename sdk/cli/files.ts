import { readFile } from 'node:fs/promises';
import type { CircuitInputs } from '../api.js';
import { messageOf, PippinError } from '../errors.js';
import type { Context } from './context.js';
import { readStdin } from './stdin.js';

/** The name that stands for standard input, and for standard output. */
export const STANDARD = '-';

/** Whether a location is a path on this machine, not a URL. */
export function isPath(location: string): boolean {
  return !/^(https?|file|data):/.test(location);
}

/** A file's bytes, or those of standard input. `what` names them in messages. */
export async function readBytes(path: string, context: Context, what: string): Promise<Uint8Array> {
  if (path === STANDARD) return readStdin(context, what);
  try {
    return new Uint8Array(await readFile(path));
  } catch (error) {
    throw new PippinError('IO_FAILED', `expected to read ${path}, got: ${messageOf(error)}`, { cause: error });
  }
}

/** Parses JSON. The parser's own message shows a piece of the text, which may be secret, so the error tells only the position. */
export async function readJson(path: string, context: Context, what: string): Promise<unknown> {
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
 * A circuit's inputs. Numbers beyond 2^53 lose digits when JSON is parsed: with `strict` they are refused, otherwise a note tells of it and
 * the rounded numbers are used, as in snarkjs.
 */
export async function readInputs(path: string, strict: boolean, context: Context): Promise<CircuitInputs> {
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
