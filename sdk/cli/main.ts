import { readFile } from 'node:fs/promises';
import { abortError } from '../base/abort.js';
import { asPippinError, PippinError, type PippinErrorCode } from '../base/errors.js';
import { nearestName } from '../base/nearest-name.js';
import type { Command } from './command.js';
import { COMMANDS } from './commands/index.js';
import { type Context, makeContext } from './context.js';
import { overview, usage, usageObject } from './help.js';
import { withHint } from './hints.js';
import { usageError } from './option.js';
import { printError } from './output.js';
import { snarkjsPointer } from './snarkjs-words.js';

/** The exit codes of a process that a signal ends, by the shells' convention: 128 and the signal's number. */
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const;
type Signal = keyof typeof EXIT_CODES;

interface Interruption {
  /** Fires at the first SIGINT (Ctrl-C) or SIGTERM, or when the command is abandoned. */
  readonly signal: AbortSignal;
  /** The exit code of the signal that came; undefined if none did. */
  readonly exitCode: number | undefined;
  /**
   * Ends what is still pending after a failure, such as a read from a pipe, so that nothing keeps the process alive.
   */
  abandon(): void;
  /** Leaves signals to Node again. */
  stop(): void;
}

/** Waits for signals. The first one aborts the work, which then cleans up; a second one ends the process at once. */
function awaitInterruption(): Interruption {
  const controller = new AbortController();
  let exitCode: number | undefined;
  const interrupt = (signal: NodeJS.Signals): void => {
    const code = EXIT_CODES[signal as Signal];
    if (exitCode !== undefined) process.exit(code);
    exitCode = code;
    controller.abort(abortError());
  };
  const signals = Object.keys(EXIT_CODES) as Signal[];
  for (const signal of signals) process.on(signal, interrupt);
  return {
    signal: controller.signal,
    get exitCode() {
      return exitCode;
    },
    abandon: () => controller.abort(abortError()),
    stop() {
      for (const signal of signals) process.off(signal, interrupt);
    },
  };
}

/** Errors that the user can correct: wrong usage, or input that cannot be used. */
const INPUT_ERRORS: ReadonlySet<PippinErrorCode> = new Set<PippinErrorCode>([
  'INVALID_ARGUMENT',
  'INVALID_LENGTH',
  'MALFORMED_FILE',
  'UNSUPPORTED_FORMAT',
  'CURVE_MISMATCH',
  'KEY_MISMATCH',
  'KEY_UNFINISHED',
  'INVALID_POINT',
  'INVALID_SCALAR',
  'INVALID_INPUT',
  'IO_FAILED',
  'DOWNLOAD_TOO_LARGE',
]);

/** The exit code for wrong usage, and for input that cannot be used. */
const USAGE = 2;
const INTERRUPTED = 130;

const HELP_FLAGS: ReadonlySet<string> = new Set(['--help', '-h']);
/** What may stand before the command, and anywhere among the words of a question for help or the version. */
const COMMON_FLAGS: ReadonlySet<string> = new Set([...HELP_FLAGS, '--json', '--quiet']);

/**
 * Runs the command line and gives its exit code; errors go to stderr in one line, and with --json to stdout as well.
 */
export async function main(args: readonly string[]): Promise<number> {
  // Without a listener an error would end the process. `print` reports errors of stdout; errors of stderr cannot be
  // reported anywhere.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  const json = args.includes('--json');
  const interruption = awaitInterruption();
  const context = makeContext({ json, quiet: args.includes('--quiet') }, interruption.signal);
  try {
    const words = args.filter((arg) => !COMMON_FLAGS.has(arg));
    if (words[0] === '--version') {
      const version = await readVersion();
      await context.result({ version, node: process.version }, version);
      return 0;
    }
    if (words[0] === 'help' || args.some((arg) => HELP_FLAGS.has(arg))) {
      await tellHelp(words[0] === 'help' ? words.slice(1) : words, context);
      return 0;
    }
    if (args.length === 0) {
      await tellHelp([], context);
      return USAGE;
    }
    const line = words[0] === undefined ? [] : args.slice(args.indexOf(words[0]));
    return await commandOf(line).run(line.slice(1), context);
  } catch (error) {
    context.end();
    const told = toldError(error);
    await printError(told, json);
    // What another input's failure has left unread would keep the process alive until its writer ends.
    interruption.abandon();
    return exitCodeOf(told, interruption);
  } finally {
    interruption.stop();
  }
}

/** Tells of the command that the words begin with, or of all commands. */
async function tellHelp(words: readonly string[], context: Context): Promise<void> {
  if (words.length === 0) {
    await context.result({ commands: COMMANDS.map(usageObject) }, overview(COMMANDS, process.stdout));
  } else {
    const command = commandOf(words);
    await context.result(usageObject(command), usage(command, process.stdout));
  }
}

/**
 * The command that the arguments begin with; `INVALID_ARGUMENT` with the nearest one, or with ours for one of snarkjs.
 */
function commandOf(args: readonly string[]): Command {
  const [name] = args;
  const names = COMMANDS.map((command) => command.name);
  if (name === undefined) {
    throw usageError(`expected a command of ${names.join(', ')}, got none`, 'pippin --help tells more');
  }
  const pointer = snarkjsPointer(args);
  if (pointer !== undefined) throw pointer;
  const command = COMMANDS.find((each) => each.name === name);
  if (command !== undefined) return command;
  throw usageError(`expected a command of ${names.join(', ')}, got ${name}`, hintFor(name, names));
}

function hintFor(name: string, names: readonly string[]): string {
  if (/^-{0,2}v(ersion)?$/i.test(name)) return 'pippin --version tells the version';
  if (name.startsWith('-')) return 'options come after the command: pippin COMMAND --option';
  const nearest = nearestName(name, names);
  return nearest === undefined ? 'pippin --help tells more' : `did you mean pippin ${nearest}?`;
}

/** The error as a user of the command line understands it. */
function toldError(error: unknown): PippinError {
  const told = asPippinError(error);
  return told.code === 'ABORTED' ? new PippinError('ABORTED', 'interrupted') : withHint(told);
}

function exitCodeOf(error: PippinError, interruption: Interruption): number {
  if (error.code === 'ABORTED') return interruption.exitCode ?? INTERRUPTED;
  return INPUT_ERRORS.has(error.code) ? USAGE : 1;
}

async function readVersion(): Promise<string> {
  const file = await readFile(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(file) as { version: string }).version;
}
