import type { CommandFacts } from '../option.js';
import { briefly, optionsOf } from './words.js';

/** A completion script for zsh: `_arguments` completes the options of each command and shows what they do. */
export function zshCompletion(commands: readonly CommandFacts[]): string {
  const described = commands.map(({ name, summary }) => `    ${quoted(`${name}:${escaped(summary)}`)}`);
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
${commands.map(caseOf).join('\n')}
    help) _describe -t commands 'command' commands ;;
  esac
}
if [ "$funcstack[1]" = "_pippin" ]; then _pippin "$@"; else compdef _pippin pippin; fi`;
}

function caseOf(command: CommandFacts): string {
  const specs = optionsOf(command).map(({ name, option: { value, help, words, files } }) => {
    const described = `--${name}[${escaped(briefly(help))}]`;
    return quoted(value === undefined ? described : `${described}:${escaped(value)}:${actionOf(words, files)}`);
  });
  const { operand } = command;
  if (operand !== undefined) {
    specs.push(quoted(`1:${escaped(operand.value)}:${actionOf(operand.words, operand.files)}`));
  }
  return `    ${command.name}) _arguments \\\n${specs.map((spec) => `      ${spec}`).join(' \\\n')} ;;`;
}

/** What completes a value: words, or files with an ending. */
function actionOf(words: readonly string[] | undefined, files: string | undefined): string {
  if (words !== undefined) return `(${words.join(' ')})`;
  if (files === undefined) return ' ';
  return files === '' ? '_files' : `_files -g "*${files}"`;
}

/** Colons and brackets have a meaning in the specifications of `_arguments`. */
function escaped(text: string): string {
  return text.replaceAll(/[[\]:\\]/g, '\\$&');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
