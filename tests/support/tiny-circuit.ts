import { bigintToBytes } from '../../sdk/base/bytes.js';
import { bn254 } from '../../sdk/curves/index.js';

/** A function of a module: numbers of i32 parameters and results, and its instructions. */
interface WasmFunction {
  readonly parameters: number;
  readonly results: 0 | 1;
  readonly body: readonly number[];
}

const u32 = (value: number): number[] => (value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...u32(value >>> 7)]);
const vector = (items: readonly (readonly number[])[]): number[] => [...u32(items.length), ...items.flat()];
const text = (value: string): number[] => vector([...new TextEncoder().encode(value)].map((byte) => [byte]));
const section = (id: number, body: readonly number[]): number[] => [id, ...u32(body.length), ...body];
const sizeAndBody = (body: readonly number[]): number[] => [...u32(body.length), ...body];

/** Instructions of WebAssembly, as bytes. */
export const op = {
  constant: (value: number) => [0x41, ...signed(value)],
  unreachable: [0x00],
  /** A loop without an end. */
  forever: [0x03, 0x40, 0x0c, 0x00, 0x0b],
  drop: [0x1a],
  parameter: (index: number) => [0x20, index],
  call: (index: number) => [0x10, index],
  /** Repeats instructions for ever. */
  loop: (body: readonly number[]) => [0x03, 0x40, ...body, 0x0c, 0x00, 0x0b],
  load: [0x28, 2, 0],
  multiply: [0x6c],
  divide: [0x6d],
  grow: [0x40, 0x00],
};

function signed(value: number): number[] {
  const low = value & 0x7f;
  const rest = value >> 7;
  const isLast = (rest === 0 && (low & 0x40) === 0) || (rest === -1 && (low & 0x40) !== 0);
  return isLast ? [low] : [low | 0x80, ...signed(rest)];
}

const fn = (parameters: number, results: 0 | 1, body: readonly number[]): WasmFunction => ({
  parameters,
  results,
  body,
});

/** The functions of a circuit of circom 2 over BN254 without inputs, whose witness is no valid one. */
const FUNCTIONS = {
  getVersion: fn(0, 1, op.constant(2)),
  getFieldNumLen32: fn(0, 1, op.constant(8)),
  getRawPrime: fn(0, 0, []),
  init: fn(1, 0, []),
  getInputSize: fn(0, 1, op.constant(0)),
  setInputSignal: fn(3, 0, []),
  readSharedRWMemory: fn(1, 1, [...op.parameter(0), ...op.constant(4), ...op.multiply, ...op.load]),
  writeSharedRWMemory: fn(2, 0, []),
  getWitnessSize: fn(0, 1, op.constant(3)),
  getWitness: fn(1, 0, []),
  getMessageChar: fn(0, 1, op.constant(0)),
};

/** The imports, which are called by these numbers. */
export const IMPORTS = ['exceptionHandler', 'printErrorMessage', 'writeBufferMessage', 'showSharedRWMemory'] as const;

export interface TinyCircuit {
  /** Instructions in place of those of a function. */
  readonly bodies?: Partial<Readonly<Record<keyof typeof FUNCTIONS, readonly number[]>>>;
  /** Instructions that run when the module is instantiated. */
  readonly start?: readonly number[];
  /** Pages of its memory; the most of them, if it says so. */
  readonly memory?: readonly [least: number, most?: number];
  /** Sections before all others. */
  readonly extra?: readonly number[];
}

/**
 * A module with the interface of circom 2's witness WASM, written by hand, so that it can do what circom's never do.
 */
export function tinyCircuit({ bodies = {}, start, memory = [1], extra = [] }: TinyCircuit): Uint8Array<ArrayBuffer> {
  const functions: [name: string, WasmFunction][] = Object.entries(FUNCTIONS).map(([name, given]) => [
    name,
    { ...given, body: bodies[name as keyof typeof FUNCTIONS] ?? given.body },
  ]);
  if (start !== undefined) functions.push(['start', fn(0, 0, start)]);
  const types = [fn(1, 0, []), fn(0, 0, []), ...functions.map(([, each]) => each)];
  const typeOf = ({ parameters, results }: WasmFunction): number[] => [
    0x60,
    ...vector(Array(parameters).fill([0x7f])),
    ...vector(Array(results).fill([0x7f])),
  ];
  const first = IMPORTS.length;
  const [least, most] = memory;
  const limits = most === undefined ? [0, ...u32(least)] : [1, ...u32(least), ...u32(most)];
  return new Uint8Array([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...extra,
    ...section(1, vector(types.map(typeOf))),
    ...section(2, vector(IMPORTS.map((name, i) => [...text('runtime'), ...text(name), 0, i === 0 ? 0 : 1]))),
    ...section(3, vector(functions.map((_, i) => u32(i + 2)))),
    ...section(5, vector([limits])),
    ...section(7, vector(functions.map(([name], i) => [...text(name), 0, ...u32(first + i)]))),
    ...(start === undefined ? [] : section(8, u32(first + functions.length - 1))),
    ...section(10, vector(functions.map(([, { body }]) => sizeAndBody([0, ...body, 0x0b])))),
    // The field's modulus, at address 0.
    ...section(11, vector([[0, ...op.constant(0), 0x0b, ...sizeAndBody([...bigintToBytes(bn254.fr.modulus, 32)])]])),
  ]);
}
