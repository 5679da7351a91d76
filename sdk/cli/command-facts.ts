import type { Option, OptionTable } from './option.js';

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
  /** What the exit codes 0 and 1 mean; the others mean the same for all commands. */
  readonly exits: { readonly 0: string; readonly 1: string };
}
