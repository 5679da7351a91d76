import { type ChildProcess, execFileSync } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { locationOrBytes, readBytes } from '../../sdk/cli/files.js';
import { writeOutput } from '../../sdk/cli/output-file.js';
import { isPipe } from '../../sdk/cli/pipe.js';
import { openNodeFile } from '../../sdk/files/node-file.js';
import { runPippin } from '../support/cli.js';
import { example } from '../support/example.js';

const contextOf = (signal = new AbortController().signal) => ({ signal, note: () => undefined });

let folder: string;
const at = (name: string): string => join(folder, name);
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pippin-pipe-'));
  if (process.platform !== 'win32') execFileSync('mkfifo', [at('pipe')]);
  await writeFile(at('file'), 'abc');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/**
 * Waits until somebody has opened a pipe to read it, and opens it to write. Without waiting, such an opening is refused
 * until then.
 */
function untilRead(path: string): Promise<number> {
  return vi.waitFor(() => openSync(path, constants.O_WRONLY | constants.O_NONBLOCK), { timeout: 60_000, interval: 20 });
}

describe.runIf(process.platform !== 'win32')('a pipe that has a name', () => {
  it('is known as one', async () => {
    expect(await Promise.all(['pipe', 'file', 'none', '.'].map((name) => isPipe(at(name))))).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  it('is read when somebody writes to it, and written when somebody reads it', async () => {
    const context = contextOf();
    // More than a pipe holds at a time.
    const bytes = new Uint8Array(300_001).map((_, i) => i % 251);
    const read = locationOrBytes(at('pipe'), context, 'the bytes');
    await writeOutput(at('pipe'), bytes, context);
    expect(await read).toEqual(bytes);
    const written = writeOutput(at('pipe'), 'words', context);
    expect(await readFile(at('pipe'), 'utf8')).toBe('words');
    await written;
  });

  it('that nobody writes to or reads is waited for until the signal fires', async () => {
    const abort = new AbortController();
    const context = contextOf(abort.signal);
    const read = readBytes(at('pipe'), context, 'the bytes');
    const refusal = expect(read).rejects.toMatchObject({ code: 'ABORTED' });
    abort.abort();
    await refusal;
    await expect(readBytes(at('pipe'), context, 'the bytes')).rejects.toMatchObject({ code: 'ABORTED' });
    await expect(writeOutput(at('pipe'), 'x', context)).rejects.toMatchObject({ code: 'ABORTED' });
    const later = new AbortController();
    const written = writeOutput(at('pipe'), 'x', contextOf(later.signal));
    setTimeout(() => later.abort(), 20);
    await expect(written).rejects.toMatchObject({ code: 'ABORTED' });
  });

  it('is refused where a file is read in any order', async () => {
    const expected = { code: 'IO_FAILED', hint: expect.stringContaining('write it to a file first') };
    await expect(openNodeFile(at('pipe'))).rejects.toMatchObject(expected);
    await expect(openNodeFile('/dev/null')).rejects.toMatchObject(expected);
  });

  it.each([
    ['SIGINT', 130, ['verify', '--vkey', 'pipe', '--proof', 'pipe', '--public', 'pipe']],
    ['SIGTERM', 143, ['prove', '--zkey', example.zkeyPath, '--witness', 'pipe']],
  ] as const)('does not keep a command from ending at %s', async (signal, expected, args) => {
    const killed = async (child: ChildProcess): Promise<void> => {
      const writer = await untilRead(at('pipe'));
      child.once('close', () => closeSync(writer));
      child.kill(signal);
    };
    const { code, errors } = await runPippin(args, { cwd: folder, onStart: (child) => void killed(child) });
    expect({ code, errors }).toEqual({ code: expected, errors: ['pippin: ABORTED: interrupted'] });
  });

  it('does not keep a command alive that has failed', async () => {
    const { code, errors } = await runPippin(['verify', '--vkey', 'file', '--proof', 'pipe', '--public', 'pipe'], {
      cwd: folder,
    });
    expect({ code, errors }).toEqual({ code: 2, errors: [expect.stringContaining('MALFORMED_FILE')] });
  });
});
