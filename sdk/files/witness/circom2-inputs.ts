import { PippinError } from '../../base/errors.js';
import { signalHash, unknownSignal } from './circuit-code.js';
import type { SignalValues } from './circuit-inputs.js';

/** What circom 2's witness WASM exports about its inputs: not their names, but the 64-bit hash of each name. */
export interface Circom2Inputs {
  readonly memory?: unknown;
  /** The number of values of all inputs together. Since circom 2.0.2. */
  getInputSize?(): number;
  /** The number of values of one input; 0 or less if there is no input of this name. Since circom 2.0.4. */
  getInputSignalSize?(high: number, low: number): number;
}

/**
 * Bytes of a module's memory in which the hashes are looked for: more than the constants of any circuit's code take.
 */
const MOST_BYTES = 2 ** 24;
/** The most inputs that an error lists. */
const MOST_LISTED = 10;

/**
 * Checks the inputs' names and their numbers of values as far as the module knows them; `INVALID_INPUT` names what is
 * wrong. Modules before circom 2.0.4 check names only when the inputs are set. Modules before 2.0.2 do not notice that
 * inputs are missing: the circuit does not run, and the proof does not verify. Nothing may have been set yet.
 *
 * @param known names of inputs that the caller knows, so that the error can name one that is missing.
 */
export function expectInputs(circom: Circom2Inputs, signals: readonly SignalValues[], known: readonly string[]): void {
  const given = signals.reduce((sum, { values }) => sum + values.length, 0);
  const names = signals.map(({ name }) => name);
  if (circom.getInputSignalSize !== undefined) {
    for (const { name, values } of signals) {
      const { high, low } = signalHash(name);
      const size = Math.max(0, circom.getInputSignalSize(high, low));
      if (size === values.length) continue;
      if (size === 0) throw unknownSignal(name, missingOf(circom, [name, ...names], known));
      throw new PippinError('INVALID_INPUT', `expected ${size} values for ${name}, got ${values.length}`);
    }
  }
  const expected = circom.getInputSize?.();
  if (expected === undefined || given === expected) return;
  const sizes = signals.map(({ name, values }) => `${name}: ${values.length}`).join(', ');
  // If not even the sizes are known: every input that was given has as many values as it needs.
  const rest =
    given > expected
      ? ''
      : missingOf(circom, names, known) || `an input, or several, of ${valuesOf(expected - given)} in all`;
  throw new PippinError(
    'INVALID_INPUT',
    `expected ${expected} input values in all, got ${given} (${sizes || 'none'})${rest && `: missing is ${rest}`}`,
  );
}

/**
 * The inputs that were not given, with their sizes and, where they are known, their names: `the input b (1 value), an
 * input of 20 values`. Empty if nothing is known.
 *
 * @param given names that were given; names near the first ones are tried.
 */
function missingOf(circom: Circom2Inputs, given: readonly string[], known: readonly string[]): string {
  const missing = inputSizes(circom);
  for (const name of given) missing.delete(hashOf(name));
  if (missing.size === 0) return '';
  const names = new Map<bigint, string>();
  for (const candidates of [known, namesNear(given)]) {
    for (const name of candidates) {
      if (names.size === missing.size) break;
      const hash = hashOf(name);
      if (missing.has(hash)) names.set(hash, name);
    }
  }
  const listed = [...missing].slice(0, MOST_LISTED).map(([hash, size]) => {
    const name = names.get(hash);
    return name === undefined ? `an input of ${valuesOf(size)}` : `the input ${name} (${valuesOf(size)})`;
  });
  const more = missing.size - listed.length;
  return [...listed, ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

/**
 * The number of values of each input, by the hash of its name. The hashes are among the constants at the beginning of
 * the module's memory, as little-endian words of 64 bits; the module itself says which words are hashes. Empty unless
 * the sizes add up to the size of all inputs, as they do not in circuits with buses, whose parts and wholes have names.
 */
function inputSizes(circom: Circom2Inputs): Map<bigint, number> {
  const sizes = new Map<bigint, number>();
  const { memory } = circom;
  if (!(memory instanceof WebAssembly.Memory) || circom.getInputSignalSize === undefined) return sizes;
  const words = new DataView(memory.buffer, 0, Math.min(memory.buffer.byteLength, MOST_BYTES));
  let sum = 0;
  for (let at = 0; at + 8 <= words.byteLength; at += 8) {
    const [low, high] = [words.getUint32(at, true), words.getUint32(at + 4, true)];
    // Hashes with such a half are as rare as one name in two thousand million, and most words are such.
    if (low === 0 || high === 0) continue;
    const size = circom.getInputSignalSize(high, low);
    const hash = (BigInt(high) << 32n) | BigInt(low);
    if (size <= 0 || sizes.has(hash)) continue;
    sizes.set(hash, size);
    sum += size;
  }
  return sum === circom.getInputSize?.() ? sizes : new Map();
}

function hashOf(name: string): bigint {
  const { high, low } = signalHash(name);
  return (BigInt(high) << 32n) | BigInt(low);
}

const valuesOf = (count: number): string => `${count} ${count === 1 ? 'value' : 'values'}`;

/** What the names of signals are made of, in the order of how likely it is. */
const LETTERS = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$'];

/** Longer names are not changed: there would be too many changes of them. */
const MOST_CHARACTERS = 40;
/** So many names are changed, the first ones. */
const MOST_NAMES = 16;

/**
 * Names that the writer of these may have meant: with one character changed, left out, added or exchanged with its
 * neighbour, in another case, in words joined by underscores or by capitals. So `leaf2` is near `leaf1`, and
 * `path_indices` near `pathIndices`. Names of one character are always among them. Some come more than once.
 */
export function* namesNear(names: readonly string[]): Generator<string> {
  for (const name of ['', ...names.slice(0, MOST_NAMES)]) {
    if (name.length > MOST_CHARACTERS) continue;
    yield name.toLowerCase();
    yield name.replace(/_+(\w)/g, (_, letter: string) => letter.toUpperCase());
    yield name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    for (let i = 0; i <= name.length; i++) {
      const [before, at, after] = [name.slice(0, i), name.slice(i, i + 1), name.slice(i + 1)];
      yield before + after;
      yield before + after.slice(0, 1) + at + after.slice(1);
      for (const letter of LETTERS) {
        yield before + letter + after;
        yield before + letter + at + after;
      }
    }
  }
}
