import type { CircuitInput, CircuitInputs } from '../../api/index.js';
import { PippinError } from '../../base/errors.js';
import { mod } from '../../curves/modular.js';
import { plainCopy } from '../plain-copy.js';

/** A signal's values in order, every array flattened, each from 0 to modulus - 1. */
export interface SignalValues {
  readonly name: string;
  readonly values: readonly bigint[];
}

/**
 * Flattens the inputs of a circuit to one list of values for each of its signals. A bus is an object. Its fields are
 * signals with the names that circom 2.2 gives them: `point.x`, or `points[0].x` in an array of buses.
 *
 * As in snarkjs (circom_runtime, js/utils.js), a value is anything that `BigInt(value)` converts to an integer: a
 * bigint, a number, a boolean or a string. It is reduced modulo the field's modulus. With `strict` only integers from 0
 * to modulus - 1 are accepted, as a bigint, a safe number, a decimal string, or a hexadecimal string that begins with
 * 0x.
 *
 * `INVALID_INPUT` names the signal whose value is refused, and the value's type and length. Inputs are secret: no
 * message shows a value.
 */
export function flattenInputs(inputs: CircuitInputs, modulus: bigint, strict = false): SignalValues[] {
  const signals = Object.entries(expectRecord(inputs)).flatMap(([name, input]) => signalsOf(name, input));
  expectNoneTwice(signals.map(({ name }) => name));
  const toValue = strict ? strictValue : reducedValue;
  return signals.map(({ name, input }) => {
    const values: bigint[] = [];
    collect(input, name, (value, path) => values.push(toValue(value, path, modulus)));
    return { name, values };
  });
}

/**
 * A copy of a caller's inputs that can be sent to a worker: they must be an object without cycles, of values that can
 * be copied. A Proxy, as some frameworks make of their state, becomes what it shows. `INVALID_INPUT` names the input
 * that fails. Without this copy the error would come from the platform, and would show the value itself.
 */
export function plainInputs(inputs: object, hint?: string): CircuitInputs {
  const form = { code: 'INVALID_INPUT', whole: 'inputs', single: INTEGER, isSecret: true } as const;
  const isSource = ArrayBuffer.isView(inputs) || typeof inputs !== 'object';
  return expectRecord(isSource ? inputs : plainCopy(inputs, form), hint);
}

/** What a single value must be, for messages. */
const INTEGER = 'an integer (bigint, number, boolean or string)';

/** A signal before its values are read. */
interface Signal {
  readonly name: string;
  readonly input: CircuitInput;
}

function expectRecord(inputs: unknown, hint = hintFor(inputs)): Readonly<Record<string, CircuitInput>> {
  if (isObject(inputs) && !ArrayBuffer.isView(inputs)) return inputs;
  const message = `expected inputs as an object of values by name, got ${describe(inputs)}`;
  throw new PippinError('INVALID_INPUT', message, { hint });
}

/** What to do about inputs that are no object: they are JSON, or another argument stands in their place. */
function hintFor(inputs: unknown): string {
  const isJson = typeof inputs === 'string' && /^\s*[[{]/.test(inputs);
  return isJson ? 'give JSON.parse(text) instead of the text' : 'the order is fullProve(key, inputs, wasm)';
}

/**
 * Checks that no signal is given twice. A bus can be given as a list of its values or by its fields, but not in both
 * ways.
 */
function expectNoneTwice(names: readonly string[]): void {
  const known = new Set(names);
  const wholes = names.flatMap((name) => [...name.matchAll(/[.[]/g)].map(({ index }) => name.slice(0, index)));
  const twice = names.length === known.size ? wholes.find((whole) => known.has(whole)) : 'a signal';
  if (twice !== undefined) throw new PippinError('INVALID_INPUT', `expected each input once, got ${twice} in two ways`);
}

function signalsOf(name: string, input: CircuitInput): Signal[] {
  if (isObject(input)) {
    return Object.entries(input).flatMap(([field, value]) => signalsOf(`${name}.${field}`, value));
  }
  if (Array.isArray(input) && holdsBuses(input)) {
    return input.flatMap((element, i) => signalsOf(`${name}[${i}]`, element));
  }
  return [{ name, input }];
}

function holdsBuses(input: readonly CircuitInput[]): boolean {
  return input.some((element) => isObject(element) || (Array.isArray(element) && holdsBuses(element)));
}

/** Calls `take` with each value of an array of any nesting, in order, and with its path. */
function collect(input: CircuitInput, path: string, take: (value: unknown, path: string) => void): void {
  if (Array.isArray(input)) {
    for (const [i, element] of input.entries()) collect(element, `${path}[${i}]`, take);
  } else take(input, path);
}

function reducedValue(value: unknown, path: string, modulus: bigint): bigint {
  if (typeof value === 'bigint') return mod(value, modulus);
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string') {
    try {
      return mod(BigInt(value), modulus);
    } catch {
      // This error must not be passed on, because its text shows the value.
    }
  }
  throw notAnInteger(path, value);
}

function strictValue(value: unknown, path: string, modulus: bigint): bigint {
  const integer = strictInteger(value);
  if (integer === undefined) {
    throw new PippinError(
      'INVALID_INPUT',
      `expected ${path} as an integer (bigint, safe number, decimal or 0x string), got ${describe(value)}`,
    );
  }
  if (integer < 0n || integer >= modulus) {
    throw new PippinError(
      'INVALID_INPUT',
      `expected ${path} from 0 to r - 1, got ${describe(value)} out of this range`,
    );
  }
  return integer;
}

function strictInteger(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : undefined;
  if (typeof value === 'string' && /^(-?[0-9]+|0x[0-9a-fA-F]+)$/.test(value)) return BigInt(value);
  return undefined;
}

function notAnInteger(path: string, value: unknown): PippinError {
  return new PippinError('INVALID_INPUT', `expected ${path} as ${INTEGER}, got ${describe(value)}`);
}

function isObject(value: unknown): value is Readonly<Record<string, CircuitInput>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value's type and length, and nothing of the value. */
function describe(value: unknown): string {
  if (typeof value === 'string') return `a string of ${value.length} characters`;
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === 'number' && !Number.isInteger(value)) return 'a number that is no integer';
  if (value === null || value === undefined) return String(value);
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
