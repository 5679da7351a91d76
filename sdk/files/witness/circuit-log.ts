import { PippinError } from '../../base/errors.js';

/** Takes a line that a circuit logs. */
export type CircuitLog = (line: string) => void;

/** The most characters of one message of a circuit: far more than any line of a log that a person reads. */
const MAX_MESSAGE = 2 ** 16;
/** The most lines and characters of all that a calculation logs. They wait in the queue of another thread, which may be slower. */
const MAX_LINES = 10_000;
const MAX_CHARACTERS = 2 ** 20;

/** Passes lines on up to 10 000 lines or 2^20 characters, then one that says that the others are left out. */
export function boundedLog(log: CircuitLog): CircuitLog {
  let lines = 0;
  let characters = 0;
  let isFull = false;
  return (line) => {
    if (isFull) return;
    lines++;
    characters += line.length;
    isFull = lines > MAX_LINES || characters > MAX_CHARACTERS;
    log(
      isFull
        ? `(the circuit logs more than ${MAX_LINES} lines or ${MAX_CHARACTERS} characters; the rest is left out)`
        : line,
    );
  };
}

/** Throws `WITNESS_FAILED` for a message longer than any that a circuit has. */
export function expectMessageLength(length: number): void {
  if (length <= MAX_MESSAGE) return;
  throw new PippinError(
    'WITNESS_FAILED',
    `expected messages of at most ${MAX_MESSAGE} characters from the circuit's WASM, got a longer one`,
  );
}
