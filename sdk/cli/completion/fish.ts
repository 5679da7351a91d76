import type { CommandFacts } from '../option.js';
import { briefly, optionsOf } from './words.js';

/** A completion script for fish: one `complete` for each command and option. */
export function fishCompletion(commands: readonly CommandFacts[]): string {
  return [
    '# Completion of pippin for fish: pippin completion fish > ~/.config/fish/completions/pippin.fish',
    'complete -c pippin -f',
    `complete -c pippin -n __fish_use_subcommand -l version -d 'show the version'`,
    ...commands.map(
      ({ name, summary }) => `complete -c pippin -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`,
    ),
    `complete -c pippin -n __fish_use_subcommand -a help -d 'show the help of a command'`,
    `complete -c pippin -n '__fish_seen_subcommand_from help' -a ${quoted(commands.map(({ name }) => name).join(' '))}`,
    ...commands.flatMap(linesOf),
  ].join('\n');
}

function linesOf(command: CommandFacts): string[] {
  const { operand } = command;
  const begin = `complete -c pippin -n '__fish_seen_subcommand_from ${command.name}'`;
  const options = optionsOf(command).map(({ name, option: { value, help, words, files } }) => {
    const takes = value === undefined ? '' : ` ${candidatesOf(words, files)}`;
    return `${begin} -l ${name}${takes} -d ${quoted(briefly(help))}`;
  });
  return operand === undefined ? options : [...options, `${begin} ${candidatesOf(operand.words, operand.files, '')}`];
}

/** How the values of an option or operand are completed. @param demand `-r` of an option, which needs a value. */
function candidatesOf(words: readonly string[] | undefined, files: string | undefined, demand = '-r '): string {
  if (words !== undefined) return `${demand}-f -a ${quoted(words.join(' '))}`;
  if (files === undefined) return `${demand}-f`;
  return files === '' ? `${demand}-F` : `${demand}-f -a '(__fish_complete_suffix ${files})'`;
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
