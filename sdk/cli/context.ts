import type { ProgressListener } from '../api/progress.js';
import { print } from './output.js';
import { StatusLine } from './terminal/status-line.js';

/** What a command is run with. */
export interface Context {
  readonly json: boolean;
  /** Fires when the user interrupts. */
  readonly signal: AbortSignal;
  /** Begins a step that takes a while, and gives the listener for its progress. */
  step(name: string): ProgressListener;
  /** Tells something that is not a failure, in one line on stderr. */
  note(text: string): void;
  /** Prints the result: `text` for a person, or with --json the object. Ends the progress. */
  result(object: object, text: string): Promise<void>;
  /** Removes the line with the progress. */
  end(): void;
}

export function makeContext({ json, quiet }: { json: boolean; quiet: boolean }, signal: AbortSignal): Context {
  const status = new StatusLine(process.stderr, quiet);
  return {
    json,
    signal,
    step: (name) => status.step(name),
    note(text) {
      if (quiet) return;
      status.clear();
      // Control characters, which a circuit's log may hold, become spaces.
      process.stderr.write(`pippin: note: ${text.replaceAll(/\p{Cc}+/gu, ' ')}\n`);
    },
    async result(object, text) {
      status.end();
      await print(json ? JSON.stringify(object) : text);
    },
    end: () => status.end(),
  };
}
