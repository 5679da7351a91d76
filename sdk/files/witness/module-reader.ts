import { PippinError } from '../../base/errors.js';

/** The numbers of a module's sections. */
export const SECTION = {
  custom: 0,
  types: 1,
  imports: 2,
  functions: 3,
  tables: 4,
  memory: 5,
  exports: 7,
  elements: 9,
  code: 10,
  data: 11,
} as const;

/** Whether bytes begin like a WebAssembly module. */
export function isModule(wasm: Uint8Array): boolean {
  return [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0].every((byte, i) => wasm[i] === byte);
}

/** A section with its contents. */
export interface ModuleSection {
  readonly id: number;
  /** The whole section. */
  readonly bytes: Uint8Array;
  /** What follows its number and size. */
  readonly body: Uint8Array;
}

/** The sections of a module in their order. `UNSUPPORTED_FORMAT` for one that goes beyond the end. */
export function* sectionsOf(wasm: Uint8Array): Generator<ModuleSection, void> {
  const reader = new ModuleReader(wasm, 8);
  while (!reader.isAtEnd()) {
    const start = reader.at;
    const id = reader.byte();
    const size = reader.u32();
    const from = reader.at;
    if (from + size > wasm.length) throw unreadable('a section beyond its end');
    reader.at = from + size;
    yield { id, bytes: wasm.subarray(start, reader.at), body: wasm.subarray(from, reader.at) };
  }
}

/** A section of these contents. */
export function sectionBytes(id: number, body: Uint8Array): Uint8Array {
  const head = [id, ...encodeU32(body.length)];
  const bytes = new Uint8Array(head.length + body.length);
  bytes.set(head);
  bytes.set(body, head.length);
  return bytes;
}

/** A number in LEB128, as modules write it. */
export function encodeU32(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7f; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80);
  return [...bytes, rest];
}

/** The error for a module that cannot be read or bounded. */
export function unreadable(got: string): PippinError {
  return new PippinError('UNSUPPORTED_FORMAT', `expected circom's witness WASM, got a module with ${got}`);
}

/** What `read` gives; undefined if the module cannot be read. */
export function ifReadable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof PippinError) return undefined;
    throw error;
  }
}

/** Reads a module's numbers one after another. `UNSUPPORTED_FORMAT` where it ends early. */
export class ModuleReader {
  constructor(
    readonly bytes: Uint8Array,
    public at = 0,
  ) {}

  isAtEnd(): boolean {
    return this.at >= this.bytes.length;
  }

  byte(): number {
    const byte = this.bytes[this.at++];
    if (byte === undefined) throw unreadable('a section that ends early');
    return byte;
  }

  /** The next `length` bytes. */
  take(length: number): Uint8Array {
    const end = this.at + length;
    if (end > this.bytes.length) throw unreadable('a section that ends early');
    const taken = this.bytes.subarray(this.at, end);
    this.at = end;
    return taken;
  }

  /** A number in LEB128, of at most five bytes. */
  u32(): number {
    let value = 0;
    for (let factor = 1; factor <= 2 ** 28; factor *= 2 ** 7) {
      const byte = this.byte();
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) {
        if (value >= 2 ** 32) break;
        return value;
      }
    }
    throw unreadable('a number of more than 32 bits');
  }
}
