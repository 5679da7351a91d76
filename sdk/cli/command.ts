import { parseArgs } from 'node:util';
import { nearestName } from '../base/nearest-name.js';
import { COMMON_OPTIONS } from './common-options.js';
import type { Context } from './context.js';
import { type CommandFacts, type OptionTable, usageError, type Values } from './option.js';
import { namedLine } from './snarkjs-words.js';

/** One command of the command line. */
export interface Command extends CommandFacts {
  /** Reads the arguments after the command's name (`INVALID_ARGUMENT`) and runs it; gives the exit code. */
  run(args: readonly string[], context: Context): Promise<number>;
}

export interface Definition<Table extends OptionTable> extends CommandFacts {
  readonly options: Table;
  readonly work: (values: Values<Table>, context: Context, operand: string) => Promise<number>;
}

/**
 * A command from its facts and its work. `work` gets the values of its options, and its operand, which is empty if it
 * takes none.
 */
export function defineCommand<const Table extends OptionTable>(definition: Definition<Table>): Command {
  const { work, ...facts } = definition;
  return {
    ...facts,
    async run(args, context) {
      const { values, operand } = parseArguments(facts, args);
      return work(values as Values<Table>, context, operand);
    },
  };
}

export interface Arguments {
  /** By the options' names. Flags that are not there are false, and other options undefined. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Empty if the command takes none. */
  readonly operand: string;
}

/** The tokens of Node's parser. It knows the options, and which of them take values; the errors are made here. */
function tokensOf(options: OptionTable, args: readonly string[]) {
  const types = Object.entries(options).map(([name, { value }]) => [
    name,
    { type: value === undefined ? 'boolean' : 'string', ...(name === 'help' ? { short: 'h' } : {}) },
  ]);
  const config = { options: Object.fromEntries(types), strict: false, allowPositionals: true, tokens: true } as const;
  return parseArgs({ args: [...args], ...config }).tokens;
}

/** The arguments of a command; `INVALID_ARGUMENT` for what it does not take, or what it lacks. */
export function parseArguments(command: CommandFacts, args: readonly string[]): Arguments {
  const options: OptionTable = { ...command.options, ...COMMON_OPTIONS };
  const given = new Map<string, unknown>();
  const operands: string[] = [];
  for (const token of tokensOf(options, args)) {
    if (token.kind === 'positional') operands.push(token.value);
    if (token.kind !== 'option') continue;
    const { name, rawName, value, inlineValue } = token;
    const option = Object.hasOwn(options, name) ? options[name] : undefined;
    if (option === undefined) throw unknownOption(command, options, rawName);
    if (option.value === undefined) {
      if (value !== undefined) throw usageError(`expected ${rawName} without a value, got ${rawName}=${value}`);
      given.set(name, true);
      continue;
    }
    if (value === undefined || (inlineValue === false && /^-./.test(value))) {
      throw usageError(
        `expected a value for ${rawName}, got ${value ?? 'none'}`,
        value === undefined ? `${rawName} ${option.value}` : `for a value that begins with a dash: ${rawName}=${value}`,
      );
    }
    given.set(name, option.read(value, rawName));
  }
  expectOneStdin(options, given);
  const operand = readOperand(command, operands, given);
  return { values: withAbsent(command, given), operand };
}

function unknownOption(command: CommandFacts, options: OptionTable, rawName: string): Error {
  const nearest = nearestName(rawName.replace(/^-+/, ''), Object.keys(options));
  return usageError(
    `expected the options of ${command.name}, got ${rawName}`,
    nearest === undefined ? `pippin ${command.name} --help lists them` : `did you mean --${nearest}?`,
  );
}

function readOperand(
  { name, operand }: CommandFacts,
  operands: readonly string[],
  given: ReadonlyMap<string, unknown>,
): string {
  const [first = '', second] = operands;
  if (operand === undefined) {
    if (first === '') return '';
    throw usageError(
      `expected the options of ${name}, got ${first} without an option's name`,
      namedLine(name, operands, given) ?? `pippin ${name} --help lists the options`,
    );
  }
  const { value, words } = operand;
  if (first === '')
    throw usageError(`expected pippin ${name} ${words?.join('|') ?? value}, got pippin ${name} alone`, operand.help);
  if (second !== undefined) throw usageError(`expected one ${value} for ${name}, got ${first} and ${second}`);
  if (words === undefined || words.includes(first)) return first;
  const nearest = nearestName(first, words);
  throw usageError(
    `expected pippin ${name} ${words.join(' or ')}, got ${first}`,
    nearest === undefined ? operand.help : `did you mean pippin ${name} ${nearest}?`,
  );
}

/** Standard input can be read once. */
function expectOneStdin(options: OptionTable, given: ReadonlyMap<string, unknown>): void {
  const [one, other] = [...given].flatMap(([name, value]) => (options[name]?.stdin && value === '-' ? [name] : []));
  if (other === undefined) return;
  throw usageError(`expected one option with - for standard input, got --${one} and --${other}`);
}

/** The values, also of options that were left out; `INVALID_ARGUMENT` if the command cannot do without one. */
function withAbsent({ name: command, options }: CommandFacts, given: ReadonlyMap<string, unknown>) {
  const values = Object.entries(options).map(([name, { value, required, help }]) => {
    if (required === true && !given.has(name)) {
      throw usageError(`expected --${name} for ${command}, got none`, `--${name} ${value}: ${help}`);
    }
    return [name, given.get(name) ?? (value === undefined ? false : undefined)] as const;
  });
  return Object.fromEntries(values);
}
