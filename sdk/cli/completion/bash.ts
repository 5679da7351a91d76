import type { CommandFacts } from '../option.js';
import { commandWords, optionsOf } from './words.js';

/**
 * A completion script for bash 3.2 or newer: `compgen` makes the candidates. Commands are completed first, then the values of options that
 * have words or files, then options and operands.
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
${commands.map(caseOf).join('\n')}
    help) _pippin_words "${commands.map(({ name }) => name).join(' ')}" "$word" ;;
  esac
}
complete -F _pippin pippin`;
}

function caseOf(command: CommandFacts): string {
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
