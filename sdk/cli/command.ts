import type { Context } from './context.js';
import type { Option, OptionTable, Values } from './option.js';
import { parseArguments } from './parse.js';

/** A word that a command takes without an option's name. */
export type Operand = Pick<Option, 'value' | 'help' | 'words' | 'files'> & { readonly value: string };

/** Under which heading the overview shows a command. */
export type Topic = 'proofs' | 'files' | 'machine' | 'shell';

/** What help, completion and the parser know of a command. */
export interface CommandFacts {
  readonly name: string;
  readonly topic: Topic;
  /** What it does, in one line that begins with a verb. */
  readonly summary: string;
  /** What follows the name in its usage. */
  readonly usage: string;
  readonly operand?: Operand;
  readonly options: OptionTable;
  /** Paragraphs for what the options do not say. */
  readonly notes?: readonly string[];
  /** Commands that work, once the files are there. */
  readonly examples: readonly string[];
  /** What the exit codes 0 and 1 mean; 2 and 130 mean the same for all commands. */
  readonly exits: { readonly 0: string; readonly 1: string };
}

/** One command of the command line. */
export interface Command extends CommandFacts {
  /** Reads the arguments after the command's name (`INVALID_ARGUMENT`) and runs it; gives the exit code. */
  run(args: readonly string[], context: Context): Promise<number>;
}

export interface Definition<Table extends OptionTable> extends CommandFacts {
  readonly options: Table;
  readonly work: (values: Values<Table>, context: Context, operand: string) => Promise<number>;
}

/** A command from its facts and its work. `work` gets the values of its options, and its operand, which is empty if it takes none. */
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
