import { readFile } from 'node:fs/promises';
import { asPippinError, type PippinError, type PippinErrorCode } from '../errors.js';
import { doctor } from './doctor.js';
import { msm } from './msm.js';
import { print } from './output.js';
import { prove } from './prove.js';
import { tune } from './tune.js';
import { COMMANDS, type Command, type Options, OVERVIEW, parseOptions, USAGE, usageError } from './usage.js';
import { verify } from './verify.js';

const RUN: Readonly<Record<Command, (options: Options) => Promise<number>>> = { prove, verify, msm, tune, doctor };

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
]);

const INTERRUPTED = 130;

/** Runs the command line and gives its exit code; errors go to stderr in one line. */
export async function main(args: readonly string[]): Promise<number> {
  // Without a listener an error would end the process. `print` reports those of stdout; those of stderr cannot be reported anywhere.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  try {
    const [command, ...rest] = args;
    if (command === undefined)
      throw usageError(`expected a command of ${COMMANDS.join(', ')}, got none; pippin --help tells more`);
    if (command === '--help' || command === '-h' || command === 'help') {
      await print(OVERVIEW);
      return 0;
    }
    if (command === '--version') {
      await print(await version());
      return 0;
    }
    if (!isCommand(command)) throw usageError(`expected a command of ${COMMANDS.join(', ')}, got ${command}`);
    const options = parseOptions(command, rest);
    if (options.help) {
      await print(USAGE[command]);
      return 0;
    }
    return await RUN[command](options);
  } catch (error) {
    return report(asPippinError(error));
  }
}

function report(error: PippinError): number {
  const hint = error.hint === undefined ? '' : ` (${error.hint})`;
  process.stderr.write(`pippin: ${error.code}: ${`${error.message}${hint}`.replaceAll(/\s*\n\s*/g, ' ')}\n`);
  if (error.code === 'ABORTED') return INTERRUPTED;
  return INPUT_ERRORS.has(error.code) ? 2 : 1;
}

function isCommand(name: string): name is Command {
  return (COMMANDS as readonly string[]).includes(name);
}

async function version(): Promise<string> {
  const file = await readFile(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(file) as { version: string }).version;
}
