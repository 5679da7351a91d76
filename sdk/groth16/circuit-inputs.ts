import type { CircuitInput, CircuitInputs } from '../api.js';
import { PippinError } from '../errors.js';

/** A signal's values in order, every array flattened, checked to be integers from 0 to modulus - 1. */
export interface SignalValues {
  readonly name: string;
  readonly values: readonly bigint[];
}

/** Flattens the inputs of a circuit. `INVALID_INPUT` names the signal and the value that is not an integer below the modulus. */
export function flattenInputs(inputs: CircuitInputs, modulus: bigint): SignalValues[] {
  if (typeof inputs !== 'object' || inputs === null || Array.isArray(inputs)) {
    throw new PippinError('INVALID_INPUT', 'expected inputs as an object with a value for each signal name');
  }
  return Object.entries(inputs).map(([name, input]) => {
    const values: bigint[] = [];
    collect(input, name, modulus, values);
    return { name, values };
  });
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
      `expected ${name} as an integer (bigint, safe number, decimal or 0x string), got ${String(input)}`,
    );
  }
  if (value < 0n || value >= modulus) {
    throw new PippinError('INVALID_INPUT', `expected ${name} from 0 to r - 1, got ${value}`);
  }
  values.push(value);
}

function toInteger(input: unknown): bigint | undefined {
  if (typeof input === 'bigint') return input;
  if (typeof input === 'number') return Number.isSafeInteger(input) ? BigInt(input) : undefined;
  if (typeof input === 'string' && /^(-?[0-9]+|0x[0-9a-fA-F]+)$/.test(input)) return BigInt(input);
  return undefined;
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
