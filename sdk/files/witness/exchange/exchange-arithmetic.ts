import { bytesToBigint } from '../../../base/bytes.js';
import { PippinError } from '../../../base/errors.js';
import { toLimbs } from '../../../curves/limbs.js';
import { inverse, mod } from '../../../curves/modular.js';
import { isModule, ModuleReader, SECTION } from '../module-reader.js';
import { fingerprintOf } from './fingerprint.js';
import { ARITHMETIC } from './generated/arithmetic.js';
import { signed, withOperands } from './instructions.js';
import { EXCHANGED_NAMES, type ExchangedName, KNOWN_FUNCTIONS, type KnownFunction } from './known-functions.js';
import {
  exportedFunctions,
  type ModuleFunction,
  type ModuleFunctions,
  readFunctions,
  withFunctions,
} from './module-functions.js';

// Loaded with it.
export { hasOnlyMemory } from './only-memory.js';

/** Where circom's code has the modulus of its field, and R^2 modulo that. */
const MODULUS_AT = 608;
const R_SQUARED_AT = 672;
const ELEMENT_BYTES = 32;
/** The R of its Montgomery form. */
const R = 1n << 256n;

/** The first of the marks in the place of constants that depend on the prime (wasm/circuit/modulus.ts). */
const FIRST_MARK = 0x5eedc0de00000000n;
const LIMB_BITS = 29;
const LIMBS = 9;
const WORDS = 4;

/** A circuit's WASM with our functions, and circom's names of the functions in whose place they are. */
export interface ExchangedCircuit {
  readonly wasm: Uint8Array;
  readonly functions: readonly ExchangedName[];
}

/**
 * A circuit's WASM with our functions in the place of circom's own for products, squares, conversions from Montgomery
 * form and inverses modulo the prime. They leave the same bytes, except where circom's functions keep intermediate
 * results. A function is exchanged only if it and all functions that it calls are known, byte by byte.
 *
 * undefined if nothing is exchanged: for a circuit whose functions are others, over another prime, or of circom 1.
 */
export function exchangeArithmetic(wasm: Uint8Array): ExchangedCircuit | undefined {
  try {
    return isModule(wasm) ? exchanged(wasm, readFunctions(wasm)) : undefined;
  } catch (error) {
    // Whoever compiles a module that cannot be read says what is wrong with it.
    if (error instanceof PippinError) return undefined;
    throw error;
  }
}

function exchanged(wasm: Uint8Array, circuit: ModuleFunctions): ExchangedCircuit | undefined {
  const [prime, square] = elementsAt(circuit, [MODULUS_AT, R_SQUARED_AT]) ?? [];
  const known = KNOWN_FUNCTIONS.find(({ modulus }) => modulus === prime);
  if (prime === undefined || known === undefined || square !== (R * R) % prime) return undefined;
  const places = placesOf(circuit, known.functions);
  if (places.size === 0) return undefined;
  return { wasm: linked(wasm, circuit, places, constantsOf(prime)), functions: [...places.keys()] };
}

/** The elements that lie at these addresses in the module's data; undefined unless all are there. */
function elementsAt({ sections }: ModuleFunctions, addresses: readonly number[]): bigint[] | undefined {
  const data = sections.find(({ id }) => id === SECTION.data);
  if (data === undefined) return undefined;
  const found = new Map<number, bigint>();
  const reader = new ModuleReader(data.body);
  for (let segments = reader.u32(); segments > 0 && found.size < addresses.length; segments--) {
    // An active segment of the only memory at a constant address: flags 0, i32.const, end.
    if (reader.u32() !== 0 || reader.byte() !== 0x41) return undefined;
    const at = Number(BigInt.asUintN(32, signed(reader)));
    if (reader.byte() !== 0x0b) return undefined;
    const bytes = reader.take(reader.u32());
    if (addresses.includes(at) && bytes.length === ELEMENT_BYTES) found.set(at, bytesToBigint(bytes));
  }
  return found.size === addresses.length ? addresses.map((at) => found.get(at)!) : undefined;
}

/** The indices of circom's functions in a circuit. One that is not known is not among them. */
function placesOf(
  circuit: ModuleFunctions,
  known: Readonly<Record<ExchangedName, KnownFunction>>,
): ReadonlyMap<ExchangedName, number> {
  const places = new Map<ExchangedName, number>();
  for (const [i, { code }] of circuit.defined.entries()) {
    for (const name of EXCHANGED_NAMES) {
      if (code.length !== known[name].bytes || places.has(name)) continue;
      const index = circuit.imported + i;
      if (fingerprintOf(circuit, index) === known[name].fingerprint) places.set(name, index);
    }
  }
  return places;
}

/** What takes the place of marks: the limbs of the prime p, -1/p modulo 2^29, and the words of p and of R mod p. */
function constantsOf(prime: bigint): readonly bigint[] {
  const limb = 1n << BigInt(LIMB_BITS);
  return [
    ...toLimbs(prime, LIMBS, LIMB_BITS).map(BigInt),
    mod(-inverse(prime % limb, limb), limb),
    ...wordsOf(prime),
    ...wordsOf(R % prime),
  ];
}

function wordsOf(value: bigint): bigint[] {
  return Array.from({ length: WORDS }, (_, i) => BigInt.asIntN(64, value >> BigInt(64 * i)));
}

/** The circuit with our functions, and those that they call at its end. */
function linked(
  wasm: Uint8Array,
  circuit: ModuleFunctions,
  places: ReadonlyMap<ExchangedName, number>,
  constants: readonly bigint[],
): Uint8Array {
  const ours = readFunctions(Uint8Array.from(atob(ARITHMETIC), (char) => char.charCodeAt(0)));
  const names = new Map([...exportedFunctions(ours)].map(([name, index]) => [index, name as ExchangedName]));
  const defined: ModuleFunction[] = [...circuit.defined];
  const end = circuit.imported + circuit.defined.length;
  // Our functions call circom's inversion for numbers that are not reduced.
  const inversion = places.get('Fr_int_inverseMod');
  if (inversion !== undefined) defined.push(circuit.defined[inversion - circuit.imported]!);
  /** Where our functions go: those that are exported to the places of circom's, the others to the end. */
  const indices = new Map<number, number>([[0, end]]);
  const added: number[] = [];
  for (const i of ours.defined.keys()) {
    const index = ours.imported + i;
    const place = places.get(names.get(index)!);
    if (place === undefined) added.push(index);
    indices.set(index, place ?? circuit.imported + defined.length + added.length - 1);
  }
  const operands = {
    call: (index: number): number => indices.get(index)!,
    constant: (value: bigint): bigint => constants[Number(value - FIRST_MARK)] ?? value,
  };
  for (const [index, target] of indices) {
    const own = ours.defined[index - ours.imported];
    if (own === undefined) continue;
    const replaced = circuit.defined[target - circuit.imported];
    const type = replaced?.type ?? circuit.types.length + own.type;
    defined[target - circuit.imported] = { type, code: withOperands(own.code, operands) };
  }
  return withFunctions(wasm, circuit, [...circuit.types, ...ours.types], defined);
}
