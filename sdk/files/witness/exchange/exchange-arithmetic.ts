import { bytesToBigint, equalBytes } from '../../../base/bytes.js';
import { toLimbs } from '../../../curves/limbs.js';
import { inverse, mod } from '../../../curves/modular.js';
import { ifReadable, isModule, ModuleReader, SECTION, unreadable } from '../module-reader.js';
import { ARITHMETIC } from './generated/arithmetic.js';
import {
  COPY,
  COPY_WITNESS,
  EXCHANGED_NAMES,
  type ExchangedName,
  GET_WITNESS,
  KNOWN_FUNCTIONS,
  type KnownFunction,
} from './known-functions.js';
import { Linker, moduleBytes } from './linker.js';
import {
  exportedFunctions,
  type ModuleFunction,
  type ModuleFunctions,
  readFunctions,
  withFunctions,
} from './module-functions.js';
import { keepsOnlyMemory } from './only-memory.js';

/** Where circom's code has the modulus of its field, and R^2 modulo that. */
const MODULUS_AT = 608;
const R_SQUARED_AT = 672;
const ELEMENT_BYTES = 32;
/** The R of its Montgomery form. */
const R = 1n << 256n;

const LIMB_BITS = 29;
const LIMBS = 9;
const WORDS = 4;

/** A circuit's WASM with our functions, and circom's names of the functions in whose place they are. */
export interface ExchangedCircuit {
  readonly wasm: Uint8Array;
  readonly functions: readonly string[];
}

/** What is known of a circuit's WASM before it is compiled. */
export interface LinkedCircuit {
  /** undefined if nothing is exchanged. */
  readonly exchanged: ExchangedCircuit | undefined;
  /**
   * Whether all that an instance keeps from one call to the next is in the memory that it shows as `memory`
   * (`keepsOnlyMemory`), with instructions of the first version of WebAssembly, which cannot change a table. So an
   * instance whose memory is made what it was is a fresh one, also if the circuit's author would have it remember
   * secrets.
   */
  readonly hasOnlyMemory: boolean;
}

const UNREAD: LinkedCircuit = { exchanged: undefined, hasOnlyMemory: false };

/**
 * A circuit's WASM with our functions in the place of circom's own for products, squares, conversions from Montgomery
 * form and inverses modulo the prime. They leave the same bytes, except where circom's functions keep intermediate
 * results. A function is exchanged only if it and all functions that it calls are known, byte by byte.
 *
 * Nothing is exchanged in a circuit whose functions are others, over another prime, or of circom 1.
 *
 * @param form without `exchangeArithmetic` nothing is exchanged; for a circuit that is used once `hasOnlyMemory` is not
 * found out.
 */
export function linkCircuit(
  wasm: Uint8Array,
  { exchangeArithmetic, isReused }: { readonly exchangeArithmetic: boolean; readonly isReused: boolean },
): LinkedCircuit {
  // Whoever compiles a module that cannot be read says what is wrong with it.
  const circuit = isModule(wasm) ? ifReadable(() => readFunctions(wasm)) : undefined;
  if (circuit === undefined) return UNREAD;
  const linker = new Linker(circuit);
  const prime = exchangeArithmetic ? ifReadable(() => primeOf(circuit)) : undefined;
  const getWitness = prime === undefined ? undefined : ifReadable(() => placeOfGetWitness(circuit));
  const known = getWitness === undefined ? undefined : KNOWN_FUNCTIONS.find(({ modulus }) => modulus === prime);
  const places = known === undefined ? new Map() : placesOf(circuit, linker, known.functions);
  const mayKeep = isReused && ifReadable(() => keepsOnlyMemory(circuit)) === true;
  if (places.size === 0) {
    const hasOnlyMemory = mayKeep && circuit.defined.every((_, place) => linker.mergeCopies(place) !== undefined);
    return { exchanged: undefined, hasOnlyMemory };
  }
  const copy = placeOf(circuit, linker, COPY);
  const exchange = { places, copy, getWitness: getWitness!, constants: constantsOf(prime!) };
  const { isPlain, ...changed } = linked(wasm, circuit, linker, exchange);
  const functions = [...places.keys(), ...(copy === undefined ? [] : ['Fr_copy'])];
  return { exchanged: { ...changed, functions }, hasOnlyMemory: mayKeep && isPlain };
}

/** The modulus of circom's field, if its code has R^2 beside it. */
function primeOf(circuit: ModuleFunctions): bigint | undefined {
  const [prime, square] = elementsAt(circuit, [MODULUS_AT, R_SQUARED_AT]) ?? [];
  return prime === undefined || prime === 0n || square !== (R * R) % prime ? undefined : prime;
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
    const at = readAddress(reader);
    if (reader.byte() !== 0x0b) return undefined;
    const bytes = reader.take(reader.u32());
    if (addresses.includes(at) && bytes.length === ELEMENT_BYTES) found.set(at, bytesToBigint(bytes));
  }
  return found.size === addresses.length ? addresses.map((at) => found.get(at)!) : undefined;
}

/** An address as the operand of an i32.const: a signed number in LEB128. */
function readAddress(reader: ModuleReader): number {
  let value = 0;
  for (let shift = 0; shift < 35; shift += 7) {
    const byte = reader.byte();
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) return (shift < 28 ? (value << (25 - shift)) >> (25 - shift) : value) >>> 0;
  }
  throw unreadable('a number of more than 32 bits');
}

/** The indices of circom's functions in a circuit. One that is not known is not among them. */
function placesOf(
  circuit: ModuleFunctions,
  linker: Linker,
  known: Readonly<Record<ExchangedName, KnownFunction>>,
): ReadonlyMap<ExchangedName, number> {
  const places = new Map<ExchangedName, number>();
  for (const name of EXCHANGED_NAMES) {
    const place = placeOf(circuit, linker, known[name]);
    if (place !== undefined) places.set(name, place);
  }
  return places;
}

function placeOf(
  { imported, defined }: ModuleFunctions,
  linker: Linker,
  { bytes, fingerprint }: KnownFunction,
): number | undefined {
  const i = defined.findIndex(
    ({ code }, at) => code.length === bytes && linker.fingerprint(imported + at) === fingerprint,
  );
  return i < 0 ? undefined : imported + i;
}

/** The type of `getWitness`, as bytes: one i32, and no result. */
const GET_WITNESS_TYPE = Uint8Array.of(1, 0x7f, 0);

/** The index of circom's function of the name; undefined in a module of another kind, and in one that has ours. */
function placeOfGetWitness(circuit: ModuleFunctions): number | undefined {
  const exports = exportedFunctions(circuit);
  const place = exports.get(GET_WITNESS) ?? -1;
  const { type = -1 } = circuit.defined[place - circuit.imported] ?? {};
  const isIt = equalBytes(circuit.types[type] ?? new Uint8Array(0), GET_WITNESS_TYPE) && !exports.has(COPY_WITNESS);
  return isIt ? place : undefined;
}

/** What takes the place of marks: the limbs of the prime p, -1/p modulo 2^58, and the words of p and of R mod p. */
function constantsOf(prime: bigint): readonly bigint[] {
  const limbs = 1n << BigInt(2 * LIMB_BITS);
  return [
    ...toLimbs(prime, LIMBS, LIMB_BITS).map(BigInt),
    mod(-inverse(prime % limbs, limbs), limbs),
    ...wordsOf(prime),
    ...wordsOf(R % prime),
  ];
}

function wordsOf(value: bigint): bigint[] {
  return Array.from({ length: WORDS }, (_, i) => BigInt.asIntN(64, value >> BigInt(64 * i)));
}

/** What is exchanged in a circuit. */
interface Exchange {
  /** The indices of circom's functions that are exchanged, by their names. */
  readonly places: ReadonlyMap<string, number>;
  /** The index of circom's `Fr_copy`, whose calls are merged. */
  readonly copy: number | undefined;
  /** The index of circom's `getWitness`, which `copyWitness` calls. */
  readonly getWitness: number;
  /** What takes the place of marks in our functions. */
  readonly constants: readonly bigint[];
}

/**
 * The circuit with our functions, and the ones that they call at its end.
 *
 * @returns the module, and whether the instructions of all its functions are of the first version of WebAssembly.
 */
function linked(
  wasm: Uint8Array,
  circuit: ModuleFunctions,
  linker: Linker,
  { places, copy, getWitness, constants }: Exchange,
): { wasm: Uint8Array; isPlain: boolean } {
  const ours = readFunctions(moduleBytes(ARITHMETIC));
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
    if (name === GET_WITNESS) indices.set(index, getWitness);
    else if (place === undefined) indices.set(index, indices.get(exports.get(name)!)!);
    else indices.set(index, append(circuit.defined[place - circuit.imported]!));
  }
  const copies = indices.get(exports.get('copyNumbers')!)!;
  let isPlain = true;
  for (const [i, { type }] of circuit.defined.entries()) {
    const code = linker.mergeCopies(i, copy, copies);
    if (code !== undefined) defined[i] = { type, code };
    else isPlain = false;
  }
  const linkerOfOurs = new Linker(ours, constants);
  for (const i of ours.defined.keys()) {
    const at = indices.get(ours.imported + i)! - circuit.imported;
    defined[at] = { type: defined[at]!.type, code: linkerOfOurs.relink(i, indices) };
  }
  const exported = { name: COPY_WITNESS, index: indices.get(exports.get(COPY_WITNESS)!)! };
  return { wasm: withFunctions(wasm, circuit, [...circuit.types, ...ours.types], defined, exported), isPlain };
}
