import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's root. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

/** A failure whose message is all that the user needs; the scripts print it without a stack. */
export class SetupError extends Error {}

/** Milliseconds that a program gets to end by itself before it is killed. */
const GRACE_MS = 10_000;

/**
 * Runs a program in the repository's root with its output on ours, or on the open file `output`, and gives its exit
 * code. When `signal` aborts, the program is ended with all that it has started, and counts as failed.
 *
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ env?: Record<string, string>, signal?: AbortSignal, output?: number }} [options]
 * @returns {Promise<number>}
 */
export function run(program, args, { env = {}, signal, output } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', output ?? 'inherit', output ?? 'inherit'],
      // A process group of its own can be ended as a whole.
      detached: signal !== undefined && process.platform !== 'win32',
    });
    /** @type {NodeJS.Timeout | undefined} */
    let kill;
    const stop = () => {
      endGroup(child, 'SIGTERM');
      kill = setTimeout(() => endGroup(child, 'SIGKILL'), GRACE_MS);
    };
    child.on('error', reject);
    child.on('close', (code, endedBy) => {
      signal?.removeEventListener('abort', stop);
      if (kill !== undefined) {
        clearTimeout(kill);
        // Programs that it has started may still be running.
        endGroup(child, 'SIGKILL');
      }
      if (endedBy !== null) console.error(`${program} was ended by ${endedBy}`);
      resolve(code ?? 1);
    });
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}

/**
 * Sends a signal to a program and to those that it has started.
 *
 * @param {import('node:child_process').ChildProcess} child
 * @param {NodeJS.Signals} name
 */
function endGroup(child, name) {
  if (child.pid === undefined) return;
  if (process.platform === 'win32') {
    child.kill(name);
    return;
  }
  try {
    process.kill(-child.pid, name);
  } catch (error) {
    // It has ended meanwhile.
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ESRCH') throw error;
  }
}

/**
 * Runs a program that must succeed.
 *
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ env?: Record<string, string>, signal?: AbortSignal }} [options]
 */
export async function mustRun(program, args, options) {
  const code = await run(program, args, options);
  if (code !== 0) throw new SetupError(`\`${[program, ...args].join(' ')}\` failed with exit code ${code}`);
}

/** Whether a program of that name can be started and answers with success. @param {string} program */
export function answers(program, args = ['--version']) {
  return spawnSync(program, args, { stdio: 'ignore', timeout: 5 * 60_000 }).status === 0;
}

/**
 * The script behind a command of an installed package, to be run by this Node: no shell and no npx between.
 *
 * @param {string} packageName
 * @param {string} [command] where the package has several
 */
export function commandOf(packageName, command = packageName) {
  const folder = join(root, 'node_modules', packageName);
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return join(folder, typeof bin === 'string' ? bin : bin[command]);
}

/**
 * Runs `main`, ends the process with the code that it gives, and prints its failures. @param {() => Promise<number |
 * void>} main
 */
export async function runMain(main) {
  try {
    process.exitCode = (await main()) ?? 0;
  } catch (error) {
    console.error(error instanceof SetupError ? `\n${error.message}` : error);
    process.exitCode = 1;
  }
}
