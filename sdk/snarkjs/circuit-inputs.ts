import type { CircuitInput, CircuitInputs } from '../api.js';
import { PippinError } from '../errors.js';

/** A signal's values in order, every array flattened, checked to be integers from 0 to modulus - 1. */
export interface SignalValues {
  readonly name: string;
  readonly values: readonly bigint[];
}

/**
 * Flattens the inputs of a circuit to one list of values for each of its signals. A bus is an object; its fields are signals
 * by the names that circom 2.2 gives them, `point.x`, in arrays of buses `points[0].x`.
 *
 * `INVALID_INPUT` names the value that is not an integer below the modulus. Negative numbers are not taken as residues: where a
 * circuit wants -1, it wants r - 1.
 */
export function flattenInputs(inputs: CircuitInputs, modulus: bigint): SignalValues[] {
  if (!isObject(inputs)) {
    throw new PippinError('INVALID_INPUT', `expected inputs as an object of values by name, got ${show(inputs)}`);
  }
  const signals = Object.entries(inputs).flatMap(([name, input]) => signalsOf(name, input, modulus));
  expectNoneTwice(signals.map(({ name }) => name));
  return signals;
}

/** A bus can be given as a list of its values or by its fields, and not as both. */
function expectNoneTwice(names: readonly string[]): void {
  const known = new Set(names);
  const wholes = names.flatMap((name) => [...name.matchAll(/[.[]/g)].map(({ index }) => name.slice(0, index)));
  const twice = names.length === known.size ? wholes.find((whole) => known.has(whole)) : 'a signal';
  if (twice !== undefined) throw new PippinError('INVALID_INPUT', `expected each input once, got ${twice} in two ways`);
}

function signalsOf(name: string, input: CircuitInput, modulus: bigint): SignalValues[] {
  if (isObject(input)) {
    return Object.entries(input).flatMap(([field, value]) => signalsOf(`${name}.${field}`, value, modulus));
  }
  if (Array.isArray(input) && holdsBuses(input)) {
    return input.flatMap((element, i) => signalsOf(`${name}[${i}]`, element, modulus));
  }
  const values: bigint[] = [];
  collect(input, name, modulus, values);
  return [{ name, values }];
}

function holdsBuses(input: readonly CircuitInput[]): boolean {
  return input.some((element) => isObject(element) || (Array.isArray(element) && holdsBuses(element)));
}

function collect(input: CircuitInput, name: string, modulus: bigint, values: bigint[]): void {
  if (Array.isArray(input)) {
    for (const [i, element] of input.entries()) collect(element, `${name}[${i}]`, modulus, values);
    return;
  }
  const value = toInteger(input);
  if (value === undefined) {
    throw new PippinError(
      'INVALID_INPUT',
      `expected ${name} as an integer (bigint, safe number, decimal or 0x string), got ${show(input)}`,
    );
  }
  if (value < 0n || value >= modulus) {
    throw new PippinError('INVALID_INPUT', `expected ${name} from 0 to r - 1, got ${show(value)}`);
  }
  values.push(value);
}

function toInteger(input: unknown): bigint | undefined {
  if (typeof input === 'bigint') return input;
  if (typeof input === 'number') return Number.isSafeInteger(input) ? BigInt(input) : undefined;
  if (typeof input === 'string' && /^(-?[0-9]+|0x[0-9a-fA-F]+)$/.test(input)) return BigInt(input);
  return undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, CircuitInput>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value in a few characters. */
function show(value: unknown): string {
  if (typeof value === 'string') return `"${value.slice(0, 80)}"`;
  if (value === null || typeof value === 'bigint' || typeof value === 'number') return String(value).slice(0, 80);
  return Array.isArray(value) ? 'an array' : typeof value;
}

const FNV_OFFSET = 0xcbf29ce484222325n;
const FNV_PRIME = 0x100000001b3n;

/** The 64-bit FNV-1a hash of a signal's name, by which circom's witness code finds it, as high and low words. */
export function signalHash(name: string): { readonly high: number; readonly low: number } {
  let hash = FNV_OFFSET;
  for (const byte of new TextEncoder().encode(name)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * FNV_PRIME);
  }
  return { high: Number(hash >> 32n), low: Number(hash & 0xffffffffn) };
}
