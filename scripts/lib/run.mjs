import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's root. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

/** A failure whose message is all that the user needs; the scripts print it without a stack. */
export class SetupError extends Error {}

/**
 * Runs a program in the repository's root with its output on ours, and gives its exit code.
 * A program that runs longer than `timeoutMs` is ended and counts as failed.
 *
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ env?: Record<string, string>, timeoutMs?: number }} [options]
 * @returns {Promise<number>}
 */
export function run(program, args, { env = {}, timeoutMs } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'inherit', 'inherit'],
      ...(timeoutMs === undefined ? {} : { timeout: timeoutMs, killSignal: 'SIGKILL' }),
    });
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (signal !== null) console.error(`${program} was ended by ${signal}`);
      resolve(code ?? 1);
    });
  });
}

/**
 * Runs a program that must succeed.
 *
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ env?: Record<string, string> }} [options]
 */
export async function mustRun(program, args, options) {
  const code = await run(program, args, options);
  if (code !== 0) throw new SetupError(`\`${[program, ...args].join(' ')}\` failed with exit code ${code}`);
}

/** Whether a program of that name can be started and answers with success. @param {string} program */
export function answers(program, args = ['--version']) {
  return spawnSync(program, args, { stdio: 'ignore', timeout: 30_000 }).status === 0;
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

/** Runs `main`, ends the process with the code that it gives, and prints its failures. @param {() => Promise<number | void>} main */
export async function runMain(main) {
  try {
    process.exitCode = (await main()) ?? 0;
  } catch (error) {
    console.error(error instanceof SetupError ? `\n${error.message}` : error);
    process.exitCode = 1;
  }
}
