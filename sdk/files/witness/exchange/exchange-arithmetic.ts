import { bytesToBigint } from '../../../base/bytes.js';
import { toLimbs } from '../../../curves/limbs.js';
import { inverse, mod } from '../../../curves/modular.js';
import { ifReadable, isModule, ModuleReader, SECTION } from '../module-reader.js';
import { ARITHMETIC } from './generated/arithmetic.js';
import { signed, withOperands } from './instructions.js';
import {
  COPY,
  EXCHANGED_NAMES,
  type ExchangedName,
  fingerprintOf,
  KNOWN_FUNCTIONS,
  type KnownFunction,
} from './known-functions.js';
import { withMergedCopies } from './merged-copies.js';
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
  readonly functions: readonly string[];
}

/**
 * A circuit's WASM with our functions in the place of circom's own for products, squares, conversions from Montgomery
 * form and inverses modulo the prime. They leave the same bytes, except where circom's functions keep intermediate
 * results. A function is exchanged only if it and all functions that it calls are known, byte by byte.
 *
 * undefined if nothing is exchanged: for a circuit whose functions are others, over another prime, or of circom 1.
 */
export function exchangeArithmetic(wasm: Uint8Array): ExchangedCircuit | undefined {
  // Whoever compiles a module that cannot be read says what is wrong with it.
  return isModule(wasm) ? ifReadable(() => exchanged(wasm, readFunctions(wasm))) : undefined;
}

function exchanged(wasm: Uint8Array, circuit: ModuleFunctions): ExchangedCircuit | undefined {
  const [prime, square] = elementsAt(circuit, [MODULUS_AT, R_SQUARED_AT]) ?? [];
  const known = KNOWN_FUNCTIONS.find(({ modulus }) => modulus === prime);
  if (prime === undefined || known === undefined || square !== (R * R) % prime) return undefined;
  const places = placesOf(circuit, known.functions);
  if (places.size === 0) return undefined;
  const copy = placeOf(circuit, COPY);
  return {
    wasm: linked(wasm, circuit, places, copy, constantsOf(prime)),
    functions: [...places.keys(), ...(copy === undefined ? [] : ['Fr_copy'])],
  };
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
  for (const name of EXCHANGED_NAMES) {
    const place = placeOf(circuit, known[name]);
    if (place !== undefined) places.set(name, place);
  }
  return places;
}

function placeOf(circuit: ModuleFunctions, { bytes, fingerprint }: KnownFunction): number | undefined {
  const { imported, defined } = circuit;
  const i = defined.findIndex(
    ({ code }, at) => code.length === bytes && fingerprintOf(circuit, imported + at) === fingerprint,
  );
  return i < 0 ? undefined : imported + i;
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

/**
 * The circuit with our functions, and the ones that they call at its end. `copy` is the index of circom's `Fr_copy`,
 * whose calls are merged.
 */
function linked(
  wasm: Uint8Array,
  circuit: ModuleFunctions,
  places: ReadonlyMap<string, number>,
  copy: number | undefined,
  constants: readonly bigint[],
): Uint8Array {
  const ours = readFunctions(Uint8Array.from(atob(ARITHMETIC), (char) => char.charCodeAt(0)));
  const exports = exportedFunctions(ours);
  const names = new Map([...exports].map(([name, index]) => [index, name]));
  const defined: ModuleFunction[] = [...circuit.defined];
  const append = (added: ModuleFunction): number => circuit.imported + defined.push(added) - 1;
  /** The indices that our functions get: the exported ones take the places of circom's. */
  const indices = new Map<number, number>();
  for (const [i, own] of ours.defined.entries()) {
    const index = ours.imported + i;
    indices.set(index, places.get(names.get(index) ?? '') ?? append({ ...own, type: circuit.types.length + own.type }));
  }
  // What our functions leave to circom's of the same name.
  for (const [index, name] of ours.importedNames.entries()) {
    const place = places.get(name);
    indices.set(
      index,
      place === undefined ? indices.get(exports.get(name)!)! : append(circuit.defined[place - circuit.imported]!),
    );
  }
  const copies = indices.get(exports.get('copyNumbers')!)!;
  if (copy !== undefined) {
    for (const [i, { type, code }] of circuit.defined.entries()) {
      const merged = ifReadable(() => withMergedCopies(code, copy, copies));
      if (merged !== undefined) defined[i] = { type, code: merged };
    }
  }
  const operands = {
    call: (index: number): number => indices.get(index)!,
    constant: (value: bigint): bigint => constants[Number(value - FIRST_MARK)] ?? value,
  };
  for (const [i, { code }] of ours.defined.entries()) {
    const at = indices.get(ours.imported + i)! - circuit.imported;
    defined[at] = { type: defined[at]!.type, code: withOperands(code, operands) };
  }
  return withFunctions(wasm, circuit, [...circuit.types, ...ours.types], defined);
}
