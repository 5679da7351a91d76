import { type Command, defineCommand } from '../command.js';
import { COMMON_OPTIONS } from '../common-options.js';
import type { CommandFacts, Option, OptionTable } from '../option.js';

const SHELLS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };
type Shell = keyof typeof SHELLS;

/** The command that prints completion scripts for these commands and itself. */
export function completionCommand(others: readonly Command[]): Command {
  const completion: Command = defineCommand({
    name: 'completion',
    topic: 'shell',
    summary: 'print a script that completes commands, options and files in your shell',
    usage: 'bash|zsh|fish',
    operand: { value: 'SHELL', help: 'bash, zsh or fish', words: Object.keys(SHELLS) },
    options: {},
    examples: [
      'eval "$(pippin completion bash)"                              # in ~/.bashrc',
      'pippin completion zsh > ~/.zfunc/_pippin                       # with fpath+=~/.zfunc before compinit',
      'pippin completion fish > ~/.config/fish/completions/pippin.fish',
    ],
    exits: { 0: 'done', 1: 'the output could not be written' },
    async work(_, context, shell) {
      const script = SHELLS[shell as Shell]([...others, completion]);
      await context.result({ shell, script }, script);
      return 0;
    },
  });
  return completion;
}

/**
 * A completion script for bash 3.2 or newer: `compgen` makes the candidates. Commands are completed first, then the
 * values of options that have words or files, then options and operands.
 */
export function bashCompletion(commands: readonly CommandFacts[]): string {
  return `# Completion of pippin for bash. In ~/.bashrc: eval "$(pippin completion bash)"
_pippin_files() {
  local ending="$1" word="$2"
  COMPREPLY=()
  while IFS= read -r file; do COMPREPLY+=("$file"); done < <(
    compgen -d -S / -- "$word"
    if [ -n "$ending" ]; then compgen -f -X "!*$ending" -- "$word"; else compgen -f -- "$word"; fi
  )
  compopt -o nospace -o filenames 2>/dev/null
}
_pippin_words() {
  COMPREPLY=($(compgen -W "$1" -- "$2"))
}
_pippin() {
  local word="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" command="\${COMP_WORDS[1]}"
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    _pippin_words "${commandWords(commands).join(' ')}" "$word"
    return
  fi
  case "$command" in
${commands.map(bashCase).join('\n')}
    help) _pippin_words "${commands.map(({ name }) => name).join(' ')}" "$word" ;;
  esac
}
complete -F _pippin pippin`;
}

function bashCase(command: CommandFacts): string {
  const options = optionsOf(command);
  const values = options.flatMap(({ name, option: { value, words, files } }) => {
    if (words !== undefined) return [`        --${name}) _pippin_words "${words.join(' ')}" "$word"; return ;;`];
    if (files !== undefined) return [`        --${name}) _pippin_files "${files}" "$word"; return ;;`];
    return value === undefined ? [] : [`        --${name}) return ;;`];
  });
  const names = options.map(({ name }) => `--${name}`).join(' ');
  const { operand } = command;
  const withoutDash =
    operand?.files === undefined
      ? `_pippin_words "${[...(operand?.words ?? []), names].join(' ')}" "$word"`
      : `_pippin_files "${operand.files}" "$word"`;
  return `    ${command.name})
      case "$previous" in
${values.join('\n')}
      esac
      case "$word" in
        -*) _pippin_words "${names}" "$word" ;;
        *) ${withoutDash} ;;
      esac ;;`;
}

/** A completion script for zsh: `_arguments` completes the options of each command and shows what they do. */
export function zshCompletion(commands: readonly CommandFacts[]): string {
  const described = commands.map(({ name, summary }) => `    ${zshQuoted(`${name}:${zshEscaped(summary)}`)}`);
  return `#compdef pippin
# Completion of pippin for zsh: pippin completion zsh > ~/.zfunc/_pippin
_pippin() {
  local -a commands
  commands=(
${described.join('\n')}
    'help:show the help of a command'
  )
  if (( CURRENT == 2 )); then
    _describe -t commands 'command' commands
    return
  fi
  local command="$words[2]"
  shift words
  (( CURRENT-- ))
  case "$command" in
${commands.map(zshCase).join('\n')}
    help) _describe -t commands 'command' commands ;;
  esac
}
if [ "$funcstack[1]" = "_pippin" ]; then _pippin "$@"; else compdef _pippin pippin; fi`;
}

function zshCase(command: CommandFacts): string {
  const specs = optionsOf(command).map(({ name, option: { value, help, words, files } }) => {
    const described = `--${name}[${zshEscaped(briefly(help))}]`;
    return zshQuoted(value === undefined ? described : `${described}:${zshEscaped(value)}:${zshAction(words, files)}`);
  });
  const { operand } = command;
  if (operand !== undefined) {
    specs.push(zshQuoted(`1:${zshEscaped(operand.value)}:${zshAction(operand.words, operand.files)}`));
  }
  return `    ${command.name}) _arguments \\\n${specs.map((spec) => `      ${spec}`).join(' \\\n')} ;;`;
}

/** What completes a value: words, or files with an ending. */
function zshAction(words: readonly string[] | undefined, files: string | undefined): string {
  if (words !== undefined) return `(${words.join(' ')})`;
  if (files === undefined) return ' ';
  return files === '' ? '_files' : `_files -g "*${files}"`;
}

/** Colons and brackets have a meaning in the specifications of `_arguments`. */
function zshEscaped(text: string): string {
  return text.replaceAll(/[[\]:\\]/g, '\\$&');
}

function zshQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** A completion script for fish: one `complete` for each command and option. */
export function fishCompletion(commands: readonly CommandFacts[]): string {
  return [
    '# Completion of pippin for fish: pippin completion fish > ~/.config/fish/completions/pippin.fish',
    'complete -c pippin -f',
    `complete -c pippin -n __fish_use_subcommand -l version -d 'show the version'`,
    ...commands.map(
      ({ name, summary }) => `complete -c pippin -n __fish_use_subcommand -a ${name} -d ${fishQuoted(summary)}`,
    ),
    `complete -c pippin -n __fish_use_subcommand -a help -d 'show the help of a command'`,
    `complete -c pippin -n '__fish_seen_subcommand_from help' -a ${fishQuoted(commands.map(({ name }) => name).join(' '))}`,
    ...commands.flatMap(fishLines),
  ].join('\n');
}

function fishLines(command: CommandFacts): string[] {
  const { operand } = command;
  const begin = `complete -c pippin -n '__fish_seen_subcommand_from ${command.name}'`;
  const options = optionsOf(command).map(({ name, option: { value, help, words, files } }) => {
    const takes = value === undefined ? '' : ` ${fishCandidates(words, files)}`;
    return `${begin} -l ${name}${takes} -d ${fishQuoted(briefly(help))}`;
  });
  return operand === undefined ? options : [...options, `${begin} ${fishCandidates(operand.words, operand.files, '')}`];
}

/** How the values of an option or operand are completed. @param demand `-r` of an option, which needs a value. */
function fishCandidates(words: readonly string[] | undefined, files: string | undefined, demand = '-r '): string {
  if (words !== undefined) return `${demand}-f -a ${fishQuoted(words.join(' '))}`;
  if (files === undefined) return `${demand}-f`;
  return files === '' ? `${demand}-F` : `${demand}-f -a '(__fish_complete_suffix ${files})'`;
}

function fishQuoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

/** What may follow `pippin`. */
function commandWords(commands: readonly CommandFacts[]): string[] {
  return [...commands.map(({ name }) => name), 'help', '--help', '--version'];
}

/** The options of a command and of every command. */
export function optionsOf({ options }: CommandFacts): { readonly name: string; readonly option: Option }[] {
  const all: OptionTable = { ...options, ...COMMON_OPTIONS };
  return Object.entries(all).map(([name, option]) => ({ name, option }));
}

/** A help text without its second part, which a narrow list of candidates has no room for. */
export function briefly(help: string): string {
  return help.split(/[;:(]/)[0]!.trim();
}
