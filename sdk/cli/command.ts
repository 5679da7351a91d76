import type { CommandFacts } from './command-facts.js';
import type { Context } from './context.js';
import type { OptionTable, Values } from './option.js';
import { parseArguments } from './parse.js';

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
