import { abortError } from '../base/abort.js';

/** The exit codes of a process that a signal ends, by the shells' convention: 128 and the signal's number. */
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const;
type Signal = keyof typeof EXIT_CODES;

export interface Interruption {
  /** Fires at the first SIGINT (Ctrl-C) or SIGTERM, or when the command is abandoned. */
  readonly signal: AbortSignal;
  /** The exit code of the signal that came; undefined if none did. */
  readonly exitCode: number | undefined;
  /** Ends what is still under way after a failure, such as a read from a pipe, so that nothing keeps the process alive. */
  abandon(): void;
  /** Leaves signals to Node again. */
  stop(): void;
}

/** Waits for signals. The first one aborts the work, which then cleans up; a second one ends the process at once. */
export function awaitInterruption(): Interruption {
  const controller = new AbortController();
  let exitCode: number | undefined;
  const interrupt = (signal: NodeJS.Signals): void => {
    const code = EXIT_CODES[signal as Signal];
    if (exitCode !== undefined) process.exit(code);
    exitCode = code;
    controller.abort(abortError());
  };
  const signals = Object.keys(EXIT_CODES) as Signal[];
  for (const signal of signals) process.on(signal, interrupt);
  return {
    signal: controller.signal,
    get exitCode() {
      return exitCode;
    },
    abandon: () => controller.abort(abortError()),
    stop() {
      for (const signal of signals) process.off(signal, interrupt);
    },
  };
}
