import { COMMON_OPTIONS } from '../common-options.js';
import type { CommandFacts, Option, OptionTable } from '../option.js';

/** What may follow `pippin`. */
export function commandWords(commands: readonly CommandFacts[]): string[] {
  return [...commands.map(({ name }) => name), 'help', '--help', '--version'];
}

/** The options of a command and those of all. */
export function optionsOf({ options }: CommandFacts): { readonly name: string; readonly option: Option }[] {
  const all: OptionTable = { ...options, ...COMMON_OPTIONS };
  return Object.entries(all).map(([name, option]) => ({ name, option }));
}

/** A help text without its second part, which a narrow list of candidates has no room for. */
export function briefly(help: string): string {
  return help.split(/[;:(]/)[0]!.trim();
}
