import { PippinError } from '../base/errors.js';
import { nearestName } from '../base/nearest-name.js';

/** One option of a command: what it takes, what help and completion say of it, and how its text is read. */
export interface Option<T = unknown> {
  /** The word for its value in help, such as `FILE`; undefined for a flag. */
  readonly value: string | undefined;
  /** What it does, in a few words that continue the line of help. */
  readonly help: string;
  /** The words that it takes, if it takes no others. */
  readonly words?: readonly string[];
  /** What the names of its files end with, such as `.zkey`; empty for any file. Undefined if it takes no file. */
  readonly files?: string;
  /** Whether `-` stands for standard input. */
  readonly stdin?: boolean;
  /** Whether the command cannot do without it. */
  readonly required?: boolean;
  /** The value of a text. `INVALID_ARGUMENT` for one that the option does not take. `name` has its dashes. */
  read(text: string, name: string): T;
}

/** Options by their names without dashes. */
export type OptionTable = Readonly<Record<string, Option>>;

/** What a command gets: undefined for what was left out, unless it is required; flags are true or false. */
export type Values<Table extends OptionTable> = {
  readonly [Name in keyof Table]: Table[Name] extends Option<infer T>
    ? Table[Name] extends { readonly required: true } | { readonly value: undefined }
      ? T
      : T | undefined
    : never;
};

/** An error in how the command line was called. */
export function usageError(message: string, hint?: string): PippinError {
  return new PippinError('INVALID_ARGUMENT', message, { hint });
}

/** An option without a value. */
export function flag(help: string): Option<boolean> & { readonly value: undefined } {
  return { value: undefined, help, read: () => true };
}

/** Any text but an empty one. */
export function text(value: string, help: string): Option<string> {
  return { value, help, read: expectText };
}

/** The path or URL of a file whose name ends with `ending`. */
export function file(ending: string, help: string): Option<string> {
  return {
    value: 'FILE',
    help,
    files: ending,
    read: (given, name) => expectFile(given, name, 'standard input', 'write it to a file first'),
  };
}

/** A file to write to. @param hint what one can do in place of `-`, which is not taken for standard output. */
export function writtenFile(ending: string, help: string, hint: string): Option<string> {
  return {
    value: 'FILE',
    help: `${help}; an existing one is replaced`,
    files: ending,
    read: (given, name) => expectFile(given, name, 'standard output', hint),
  };
}

/** A file, or `-` for standard input. */
export function fileOrStdin(ending: string, help: string): Option<string> {
  return { value: 'FILE', help: `${help}; - reads standard input`, files: ending, stdin: true, read: expectText };
}

/** A file to write to, or `-` for standard output. */
export function outputFile(ending: string, help: string): Option<string> {
  return {
    value: 'FILE',
    help: `${help}; an existing file is replaced, - is standard output`,
    files: ending,
    read: expectText,
  };
}

/** One of some words. */
export function word<const Word extends string>(words: readonly Word[], help: string): Option<Word> {
  return {
    value: words.join('|'),
    help,
    words,
    read(given, name) {
      const found = words.find((each) => each === given);
      if (found !== undefined) return found;
      const nearest = nearestName(given, words);
      throw usageError(
        `expected ${name} ${words.join(' or ')}, got ${given}`,
        nearest === undefined ? undefined : `did you mean ${nearest}?`,
      );
    },
  };
}

/** A whole number in decimal digits; without `most` the range is left to what takes it. */
export function integer(value: string, help: string, least: number, most?: number): Option<number> {
  return {
    value,
    help,
    read(given, name) {
      const number = Number(given);
      if (/^[0-9]+$/.test(given) && number >= least && (most === undefined || number <= most)) return number;
      const range = most === undefined ? `as an integer of at least ${least}` : `from ${least} to ${most}`;
      throw usageError(`expected ${name} ${range}, got ${given}`);
    },
  };
}

/** The same option, without which the command cannot be run. */
export function required<T>(option: Option<T>): Option<T> & { readonly required: true } {
  return { ...option, required: true };
}

function expectFile(given: string, name: string, stream: string, hint: string): string {
  if (given !== '-') return expectText(given, name);
  throw usageError(`expected ${name} as a file, got - for ${stream}`, hint);
}

function expectText(given: string, name: string): string {
  if (given === '') throw usageError(`expected a value for ${name}, got none`);
  return given;
}

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
