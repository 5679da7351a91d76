import type { PippinError } from '../base/errors.js';
import { plainError } from '../base/plain-error.js';

/** Prints a text and a line end on stdout; fulfilled once it is written. */
export function print(text: string): Promise<void> {
  return printBytes(`${text}\n`);
}

/**
 * Writes to stdout. A reader that has seen enough, such as `head`, closes the pipe, which is not a failure. If output
 * is lost for another reason, stderr says so and the process ends with 1.
 */
export async function printBytes(bytes: string | Uint8Array): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      process.stdout.write(bytes, (error) => (error ? reject(error) : resolve()));
    });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EPIPE') return;
    process.exitCode = 1;
    process.stderr.write(`pippin: IO_FAILED: expected to write the output, got: ${message}\n`);
  }
}

/**
 * Tells an error: in one line on stderr, for people, and with --json as an object on stdout as well, in place of the
 * result.
 */
export async function printError(error: PippinError, json: boolean): Promise<void> {
  process.stderr.write(`pippin: ${errorText(error)}\n`);
  if (json) await print(JSON.stringify({ error: plainError(error) }));
}

/** Code, message and hint of an error in one line. */
export function errorText({ code, message, hint }: PippinError): string {
  const told = hint === undefined ? message : `${message} (${hint})`;
  return `${code}: ${told.replaceAll(/\s*\n\s*/g, ' ')}`;
}
