import type { Command } from '../../sdk/cli/command.js';
import type { Context } from '../../sdk/cli/context.js';

export interface CommandResult {
  readonly code: number;
  /** What --json would print, and what is printed without it. */
  readonly object: unknown;
  readonly text: string;
  readonly notes: readonly string[];
}

/** Runs a command in this process, without the command line around it. It rejects with the command's errors. */
export async function runCommand(command: Command, ...args: string[]): Promise<CommandResult> {
  let printed: readonly [object: unknown, text: string] = [undefined, ''];
  const notes: string[] = [];
  const context: Context = {
    json: true,
    signal: new AbortController().signal,
    step: () => () => undefined,
    note: (text) => notes.push(text),
    result: async (object, text) => {
      printed = [JSON.parse(JSON.stringify(object)), text];
    },
    end: () => undefined,
  };
  const code = await command.run(args, context);
  const [object, text] = printed;
  return { code, object, text, notes };
}
