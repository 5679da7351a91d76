import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, vi } from 'vitest';
import { main } from '../../sdk/cli/main.js';
import { built } from './in-process-engine.js';

export interface CliResult {
  readonly code: number | null;
  /** The signal that ended the process, if one did. */
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  /** The lines that Pippin itself wrote to stderr; a GPU driver may write others. */
  readonly errors: readonly string[];
}

export interface CliOptions {
  /** Added to this process's environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Whether to close the pipe of stdout before anything is read from it. */
  readonly closeStdout?: boolean;
  /** What comes on standard input; without it, nothing does. */
  readonly stdin?: string | Uint8Array;
  /** Whether standard input stays open after that. */
  readonly keepStdin?: boolean;
  readonly cwd?: string;
  /** A file descriptor for stdout in place of the pipe. */
  readonly stdout?: number;
  readonly onStart?: (child: ChildProcess) => void;
  /** Called with each line of `errors` as it comes. */
  readonly onError?: (line: string, child: ChildProcess) => void;
}

/** Runs the built command line to its end. */
export async function runPippin(args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  const { env, closeStdout = false, stdin, keepStdin = false, cwd, stdout = 'pipe', onStart, onError } = options;
  const child = spawn(process.execPath, [fileURLToPath(built('cli.js')), ...args], {
    env: { ...process.env, ...env },
    stdio: [stdin === undefined ? 'ignore' : 'pipe', stdout, 'pipe'],
    ...(cwd === undefined ? {} : { cwd }),
  });
  // A command that fails does not read it.
  child.stdin?.on('error', () => undefined);
  if (keepStdin) child.stdin?.write(stdin!);
  else child.stdin?.end(stdin);
  onStart?.(child);
  if (closeStdout) child.stdout?.destroy();
  const errors: string[] = [];
  createInterface({ input: child.stderr! }).on('line', (line) => {
    if (!line.startsWith('pippin: ')) return;
    errors.push(line);
    onError?.(line, child);
  });
  const ended = new Promise<Pick<CliResult, 'code' | 'signal'>>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal }));
  });
  const printed = child.stdout === null || closeStdout ? '' : await text(child.stdout);
  return { ...(await ended), stdout: printed, errors };
}

/** `runPippin` without options. */
export function pippin(...args: string[]): Promise<CliResult> {
  return runPippin(args);
}

/** Runs a command line from the sources in this process, which starts none: for what ends before it computes. */
export async function runHere(args: readonly string[]): Promise<CliResult> {
  const written = [process.stdout, process.stderr].map((stream) => {
    const chunks: string[] = [];
    // The command line listens for errors of its streams until the process ends.
    vi.spyOn(stream, 'on').mockReturnThis();
    vi.spyOn(stream, 'write').mockImplementation((...[chunk, ...rest]: unknown[]) => {
      chunks.push(String(chunk));
      for (const done of rest) if (typeof done === 'function') done();
      return true;
    });
    return chunks;
  });
  try {
    const code = await main(args);
    const [stdout, stderr] = written.map((chunks) => chunks.join(''));
    return {
      code,
      signal: null,
      stdout: stdout!,
      errors: stderr!.split('\n').filter((line) => line.startsWith('pippin: ')),
    };
  } finally {
    vi.restoreAllMocks();
  }
}

/** Runs the built command line, and expects an error as `expectError` does. */
export async function expectFailure(code: number, error: string, ...args: string[]): Promise<void> {
  expectError(await pippin(...args), code, error);
}

/** Expects this exit code, exactly one line of Pippin's on stderr, with this error, and nothing on stdout. */
export function expectError(result: CliResult, code: number, error: string): void {
  expect(result).toMatchObject({ code, stdout: '' });
  expect(result.errors).toHaveLength(1);
  expect(result.errors[0]).toMatch(new RegExp(`^pippin: ${error}: expected .*got[: ]`));
}

/** The lines without the note about a software adapter: what a machine with a GPU would print. */
export function withoutSoftwareNote(errors: readonly string[]): string[] {
  return errors.filter((line) => !line.startsWith('pippin: note: WEBGPU_SOFTWARE: '));
}
