import { PAGE_BYTES } from '../bounded-module.js';
import { unreadable } from '../module-reader.js';
import { LINKER } from './generated/linker.js';
import type { ModuleFunctions } from './module-functions.js';

/** The exports of wasm/linker, which says what they do. */
interface LinkerExports {
  mergeCopies(from: number, end: number, to: number, copy: number, copies: number): number;
  relink(
    from: number,
    end: number,
    to: number,
    table: number,
    functions: number,
    constants: number,
    count: number,
  ): number;
  hash(from: number, length: number, before: bigint): bigint;
}

/** Zeros behind the code: a number that is cut off ends there, and words are read a few bytes past the end. */
const GAP = 64;
/** The most bytes of a function that has a fingerprint: more than any of circom's arithmetic has. */
const MAX_KNOWN_BYTES = 2 ** 13;
/** Room for what may become longer: one such function, and the operands of ours. */
const ROOM = 2 ** 16;
/** In the table: no call of the function is allowed. */
const FORBIDDEN = 0xffffffff;
/** The index of no function. */
const NONE = 0xffffffff;
/** The hash of nothing. */
const EMPTY_HASH = 0x85ebca6b9e3779b9n;

let compiled: WebAssembly.Module | undefined;

/**
 * The functions that a module defines, in the memory of WebAssembly that reads and changes them. A circuit has some
 * 500 000 instructions, and a page reads them once: in JavaScript, not yet optimised, it takes longer than a witness.
 */
export class Linker {
  private readonly exports: LinkerExports;
  /** The memory: constants, the table that `relink` describes, the code, and what is written. */
  private readonly bytes: Uint8Array<ArrayBuffer>;
  private readonly table: Uint32Array<ArrayBuffer>;
  private readonly functions: number;
  /** The address of a function's code, less its place in its buffer. */
  private readonly base: number;
  /** Where the next function is written. */
  private to: number;

  /** @param constants what takes the place of marks (wasm/circuit/modulus.ts), as numbers of 64 bits. */
  constructor(
    private readonly module: ModuleFunctions,
    private readonly constants: readonly bigint[] = [],
  ) {
    this.functions = module.imported + module.defined.length;
    const code = wholeCode(module);
    const words = 1 + 2 * this.functions;
    const codeAt = 8 * constants.length + 4 * words;
    this.base = codeAt - code.byteOffset;
    this.to = codeAt + code.length + GAP;
    const memory = new WebAssembly.Memory({ initial: Math.ceil((this.to + code.length + ROOM) / PAGE_BYTES) });
    compiled ??= new WebAssembly.Module(moduleBytes(LINKER));
    this.exports = new WebAssembly.Instance(compiled, { env: { memory } }).exports as unknown as LinkerExports;
    this.bytes = new Uint8Array(memory.buffer);
    this.bytes.set(code, codeAt);
    new BigInt64Array(memory.buffer, 0, constants.length).set(constants);
    this.table = new Uint32Array(memory.buffer, 8 * constants.length, words);
  }

  /**
   * The fingerprint of a defined function: a hash of its code and of all functions that it calls, directly or not. The
   * index of a called function does not enter it, only the order in which functions are first called: so it is the same
   * in whichever module the functions stand. undefined if an imported function is called, one of more bytes than
   * circom's arithmetic has, or one that cannot be read.
   */
  fingerprint(index: number): string | undefined {
    const { table, functions, exports } = this;
    const { imported, defined } = this.module;
    table.fill(0);
    table.fill(FORBIDDEN, 1, 1 + imported);
    // It is the first of the list.
    table[0] = 1;
    table[1 + index] = 1;
    table[1 + functions] = index;
    let hash = EMPTY_HASH;
    for (let at = 0; at < table[0]; at++) {
      const { code } = defined[table[1 + functions + at]! - imported]!;
      const end = code.length <= MAX_KNOWN_BYTES ? this.write(code, 0) : 0;
      if (end === 0) return undefined;
      this.bytes.fill(0, end, end + 4);
      hash = exports.hash(this.to, end - this.to, hash);
    }
    return BigInt.asUintN(64, hash).toString(16).padStart(16, '0');
  }

  /**
   * The code of a defined function with one call of `copies` in the place of calls of `copy` that can be merged, or as
   * it is. undefined if it has an instruction beyond the first version of WebAssembly with sign extensions, or a
   * constant of floating point.
   *
   * @param copy by default no function.
   */
  mergeCopies(place: number, copy = NONE, copies = NONE): Uint8Array | undefined {
    const { code } = this.module.defined[place]!;
    const from = this.base + code.byteOffset;
    const end = this.exports.mergeCopies(from, from + code.length, this.to, copy, copies);
    if (end === 0) return undefined;
    return end === this.to ? code : this.written(end);
  }

  /**
   * The code of a defined function with marks replaced by the constants.
   *
   * @param indices the indices of the functions that are called, by their indices in this module.
   */
  relink(place: number, indices: ReadonlyMap<number, number>): Uint8Array {
    this.table.fill(FORBIDDEN);
    for (const [from, to] of indices) this.table[1 + from] = to + 1;
    const end = this.write(this.module.defined[place]!.code, this.constants.length);
    if (end === 0) throw unreadable('functions that cannot be linked');
    return this.written(end);
  }

  /** Writes a function with other operands. */
  private write(code: Uint8Array, constants: number): number {
    const from = this.base + code.byteOffset;
    const table = 8 * this.constants.length;
    return this.exports.relink(from, from + code.length, this.to, table, this.functions, 0, constants);
  }

  private written(end: number): Uint8Array {
    const code = this.bytes.subarray(this.to, end);
    this.to = end;
    return code;
  }
}

/** The code section from the first function to the end of the last one: between them are their sizes. */
function wholeCode({ defined }: ModuleFunctions): Uint8Array {
  const [first, last] = [defined[0], defined.at(-1)];
  if (first === undefined || last === undefined) return new Uint8Array(0);
  const { buffer, byteOffset } = first.code;
  return new Uint8Array(buffer, byteOffset, last.code.byteOffset + last.code.length - byteOffset);
}

/** A module's bytes from base64. A plain loop: a function for each character takes ten times as long at first. */
export function moduleBytes(base64: string): Uint8Array<ArrayBuffer> {
  const characters = atob(base64);
  const bytes = new Uint8Array(characters.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = characters.charCodeAt(i);
  return bytes;
}
