import { type Command, defineCommand } from '../command.js';
import { bashCompletion, fishCompletion, zshCompletion } from '../completion.js';

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
