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

export async function readJson(path: string): Promise<unknown> {
  const text = new TextDecoder().decode(await readBytes(path));
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new PippinError('MALFORMED_FILE', `expected JSON in ${path}, got: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/** A circuit's inputs. JSON numbers beyond 2^53 have lost digits by then and are refused: they must be strings. */
export async function readInputs(path: string): Promise<CircuitInputs> {
  const inputs = await readJson(path);
  const check = (value: unknown, name: string): void => {
    if (typeof value === 'number' && !Number.isSafeInteger(value)) {
      throw new PippinError(
        'INVALID_INPUT',
        `expected ${name} in ${path} as an integer below 2^53 or a decimal string, got ${value}`,
      );
    }
    if (typeof value === 'object' && value !== null) {
      for (const [key, member] of Object.entries(value)) check(member, name === '' ? key : `${name}.${key}`);
    }
  };
  check(inputs, '');
  return inputs as CircuitInputs;
}

function ioError(verb: 'read' | 'write', path: string, error: unknown): PippinError {
  const reason = error instanceof Error ? error.message : String(error);
  return new PippinError('IO_FAILED', `expected to ${verb} ${path}, got: ${reason}`, { cause: error });
}
