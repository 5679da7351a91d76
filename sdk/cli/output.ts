/**
 * Prints a text and a line end; fulfilled once it is written. A reader that has seen enough, such as `head`, closes the pipe, which is not
 * a failure. If output is lost for another reason, stderr says so and the process ends with 1.
 */
export async function print(text: string): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      process.stdout.write(`${text}\n`, (error) => (error ? reject(error) : resolve()));
    });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EPIPE') return;
    process.exitCode = 1;
    process.stderr.write(`pippin: IO_FAILED: expected to write the output, got: ${message}\n`);
  }
}

/** Writes a notice to stderr in one line. Control characters, which a circuit's log may hold, become spaces. */
export function note(text: string): void {
  process.stderr.write(`pippin: note: ${text.replaceAll(/\p{Cc}+/gu, ' ')}\n`);
}
