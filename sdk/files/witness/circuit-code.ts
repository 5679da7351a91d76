import { asPippinError, PippinError, type PippinErrorCode } from '../../base/errors.js';
import type { SignalValues } from './circuit-inputs.js';

/** What a calculation gives a circuit's code besides the inputs. */
export interface CircuitCall {
  readonly log: CircuitLog;
  /** The number of values that the witness is to have, if it is known. */
  readonly variables: number | undefined;
  /** Names of inputs that the caller knows, so that an error can name one that is missing. */
  readonly inputNames: readonly string[];
}

/**
 * A circuit's own code, instantiated for one calculation, or for several one after another. This interface hides the
 * differences between circom's versions.
 */
export interface CircuitCode {
  /** The modulus of the field that the circuit was compiled for. */
  readonly modulus: bigint;
  /**
   * Sets the inputs, which makes the circuit run. `INVALID_INPUT` for unknown inputs or too few or too many values,
   * `WITNESS_REJECTED` for a failed constraint or assertion.
   */
  run(signals: readonly SignalValues[]): void;
  /** The witness afterwards: 32 canonical little-endian bytes a value. */
  witness(): Uint8Array;
  /** Overwrites what the circuit has left in its memory. Nothing else may be called afterwards. */
  wipe(): void;
  /**
   * Makes the whole memory what it was before the first calculation, in place of `wipe`. false if it cannot; otherwise
   * `restart` may follow.
   */
  restore?(): boolean;
  /** Begins another calculation. */
  restart?(call: CircuitCall): void;
}

/** The faults that a circuit's code reports, by their numbers. */
export type CircuitFaults = Readonly<Record<number, readonly [code: PippinErrorCode, meaning: string]>>;

/** The error for such a number. `where` is the place in the circuit's source, empty where it is not known. */
export function circuitFault(faults: CircuitFaults, fault: number, where: string): PippinError {
  // The number itself is not shown: a module may give anything as such.
  const [code, meaning] = faults[fault] ?? ['WITNESS_REJECTED', 'an unknown fault'];
  const place = where === '' ? '' : ` (${where})`;
  return new PippinError(code, `expected inputs that the circuit accepts, got: ${meaning}${place}`);
}

/**
 * The error for an input that the circuit does not have. `missing` says which ones it has and was not given, empty
 * where that is not known.
 */
export function unknownSignal(name: string, missing = ''): PippinError {
  const rest = missing === '' ? '' : `; missing is ${missing}`;
  return new PippinError(
    'INVALID_INPUT',
    `expected inputs that the circuit has, got ${name}, which it does not have${rest}`,
  );
}

/** Sets a value of an input. If that fails because of the inputs, the error names this input. */
export function setNamed(name: string, set: () => void): void {
  try {
    set();
  } catch (error) {
    if (!(error instanceof PippinError) || error.code !== 'INVALID_INPUT') throw error;
    throw new PippinError('INVALID_INPUT', `${error.message}, when ${name} was set`);
  }
}

/**
 * The error for whatever a circuit's code made happen: a `PippinError` itself, `WITNESS_FAILED` for a trap or for a
 * function that does not behave as circom's. Only the engine's own words for a trap are shown, because other errors may
 * quote a number that the code gave.
 */
export function circuitFailure(error: unknown): PippinError {
  if (error instanceof PippinError) return error;
  const got = error instanceof WebAssembly.RuntimeError ? `a trap (${error.message})` : 'one that breaks its interface';
  return new PippinError('WITNESS_FAILED', `expected a circuit's WASM that computes its witness, got ${got}`, {
    cause: error,
    hint: 'inputs of a wrong size can cause this; otherwise compile the circuit again, or do not trust it',
  });
}

/**
 * Instantiates a circuit's WASM. `OUT_OF_MEMORY` when there is no room for its memory, `UNSUPPORTED_FORMAT` when it has
 * other imports, `WITNESS_FAILED` when its start traps.
 */
export async function instantiateCircuit(
  module: WebAssembly.Module,
  imports: WebAssembly.Imports,
): Promise<WebAssembly.Exports> {
  try {
    return (await WebAssembly.instantiate(module, imports)).exports;
  } catch (error) {
    if (error instanceof PippinError || error instanceof WebAssembly.RuntimeError) throw circuitFailure(error);
    if (error instanceof RangeError) throw asPippinError(error, 'OUT_OF_MEMORY', "expected to run a circuit's WASM");
    throw new PippinError('UNSUPPORTED_FORMAT', "expected circom's witness WASM, got a module of another kind", {
      cause: error,
    });
  }
}

/** `WITNESS_FAILED` unless a size that the circuit's code tells is from `least` to `most`. */
export function expectCircuitSize(size: number, least: number, most: number, what: string): void {
  if (size >= least && size <= most) return;
  throw new PippinError(
    'WITNESS_FAILED',
    `expected a circuit's WASM with ${what} of ${least} to ${most}, got another size`,
  );
}

/** `INVALID_LENGTH` unless the circuit's witness has as many values as the key's. */
export function expectWitnessSize(size: number, variables: number | undefined): void {
  if (variables === undefined || size === variables) return;
  throw new PippinError(
    'INVALID_LENGTH',
    `expected a witness of ${variables} values, as the key has, got a circuit with another number of them`,
    { hint: 'the key and the WASM must come from one compilation of the circuit' },
  );
}

const FNV_OFFSET = 0xcbf29ce484222325n;
const FNV_PRIME = 0x100000001b3n;

/**
 * The 64-bit FNV-1a hash of a signal's name, which circom's witness code finds the signal by, as high and low words.
 */
export function signalHash(name: string): { readonly high: number; readonly low: number } {
  let hash = FNV_OFFSET;
  for (const byte of new TextEncoder().encode(name)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * FNV_PRIME);
  }
  return { high: Number(hash >> 32n), low: Number(hash & 0xffffffffn) };
}

/** Takes a line that a circuit logs. */
export type CircuitLog = (line: string) => void;

/** The most characters of one message of a circuit: far more than any line of a log that a person reads. */
const MAX_MESSAGE = 2 ** 16;
/**
 * The most lines and characters of all that a calculation logs. They wait in the queue of another thread, which may be
 * slower.
 */
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
