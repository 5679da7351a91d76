import { readFile, writeFile } from 'node:fs/promises';
import type { CircuitInputs } from '../api.js';
import { PippinError } from '../errors.js';

/** Whether a location is a path on this machine, not a URL. */
export function isPath(location: string): boolean {
  return !/^(https?|file|data):/.test(location);
}

export async function readBytes(path: string): Promise<Uint8Array> {
  try {
    return new Uint8Array(await readFile(path));
  } catch (error) {
    throw ioError('read', path, error);
  }
}

export async function writeText(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text);
  } catch (error) {
    throw ioError('write', path, error);
  }
}

/** Parses a JSON file. The parser's own message shows a piece of the text, which may be secret, so the error tells only the position. */
export async function readJson(path: string): Promise<unknown> {
  const text = new TextDecoder().decode(await readBytes(path));
  try {
    return JSON.parse(text);
  } catch (error) {
    const position = / at position [0-9]+( \(line [0-9]+ column [0-9]+\))?$/.exec((error as Error).message)?.[0] ?? '';
    throw new PippinError('MALFORMED_FILE', `expected JSON in ${path}, got other text${position}`);
  }
}

/**
 * A circuit's inputs. Numbers beyond 2^53 lose digits when JSON is parsed: with `strict` they are refused, otherwise `warn` is called and
 * the rounded numbers are used, as in snarkjs.
 */
export async function readInputs(
  path: string,
  strict: boolean,
  warn: (message: string) => void,
): Promise<CircuitInputs> {
  const inputs = await readJson(path);
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
    const message = `expected ${rounded[0]}${others} in ${path} below 2^53 or as a string, got a number that JSON rounds`;
    if (strict) throw new PippinError('INVALID_INPUT', message);
    warn(message);
  }
  return inputs as CircuitInputs;
}

function ioError(verb: 'read' | 'write', path: string, error: unknown): PippinError {
  const reason = error instanceof Error ? error.message : String(error);
  return new PippinError('IO_FAILED', `expected to ${verb} ${path}, got: ${reason}`, { cause: error });
}
