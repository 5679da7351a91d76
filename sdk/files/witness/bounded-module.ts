import { joinBytes } from '../../base/bytes.js';
import { PippinError } from '../../base/errors.js';
import { encodeU32, isModule, ModuleReader, SECTION, sectionBytes, sectionsOf, unreadable } from './module-reader.js';

/** The bytes of a WebAssembly memory's page. */
export const PAGE_BYTES = 65_536;
/** The most entries of all tables of a module: more than any circuit has templates and functions. */
const MAX_TABLE_ENTRIES = 2 ** 20;

const FUNCTION_TYPE = 0x60;
/** The types of values that take one byte: numbers, vectors, and references to functions and to the host's values. */
const VALUE_TYPES: ReadonlySet<number> = new Set([0x7f, 0x7e, 0x7d, 0x7c, 0x7b, 0x70, 0x6f]);

/**
 * A circuit's WASM, changed so that its memory never takes more than `maxBytes`: the maximum in its memory section is
 * lowered, and so the engine itself refuses to let it grow. Its tables can no longer grow at all. Modules that could
 * allocate in other ways (several memories, 64-bit or shared ones, types of garbage-collected objects) are refused;
 * circom makes none of these.
 *
 * `OUT_OF_MEMORY` for a module that begins with more memory, `UNSUPPORTED_FORMAT` for one that cannot be bounded. Bytes
 * that do not begin like a module are returned as they are: they do not compile.
 */
export function boundedModule(wasm: Uint8Array, maxBytes: number): Uint8Array {
  if (!isModule(wasm)) return wasm;
  const parts = [wasm.subarray(0, 8)];
  for (const { id, bytes, body } of sectionsOf(wasm)) {
    if (id === SECTION.types) expectFunctionTypes(new ModuleReader(body));
    if (id === SECTION.tables) parts.push(section(id, boundedTables(new ModuleReader(body))));
    else if (id === SECTION.memory) parts.push(section(id, boundedMemory(new ModuleReader(body), maxBytes)));
    else parts.push(bytes);
  }
  return joinBytes(parts);
}

function expectFunctionTypes(body: ModuleReader): void {
  for (let types = body.u32(); types > 0; types--) {
    if (body.byte() !== FUNCTION_TYPE) throw unreadable('types other than function types');
    for (const _ of ['parameters', 'results']) {
      for (let values = body.u32(); values > 0; values--) {
        if (!VALUE_TYPES.has(body.byte())) throw unreadable('values of unknown types');
      }
    }
  }
}

/** Tables that cannot grow: circom's circuits never let one grow. */
function boundedTables(body: ModuleReader): number[] {
  const count = body.u32();
  const bytes = encodeU32(count);
  let entries = 0;
  for (let i = 0; i < count; i++) {
    const type = body.byte();
    if (!VALUE_TYPES.has(type)) throw unreadable('a table of unknown type');
    const { least } = readLimits(body);
    entries += least;
    if (entries > MAX_TABLE_ENTRIES) throw unreadable(`tables of more than ${MAX_TABLE_ENTRIES} entries`);
    bytes.push(type, 1, ...encodeU32(least), ...encodeU32(least));
  }
  return bytes;
}

function boundedMemory(body: ModuleReader, maxBytes: number): number[] {
  const count = body.u32();
  if (count > 1) throw unreadable(`${count} memories`);
  if (count === 0) return [0];
  const { least, most } = readLimits(body);
  const pages = Math.floor(maxBytes / PAGE_BYTES);
  if (least > pages) {
    throw new PippinError(
      'OUT_OF_MEMORY',
      `expected a circuit whose WASM needs at most ${maxBytes} bytes of memory, got one that begins with ${least * PAGE_BYTES}`,
      { hint: 'raise witnessMemory if the circuit is to be trusted with that much' },
    );
  }
  return [1, 1, ...encodeU32(least), ...encodeU32(Math.min(most ?? pages, pages))];
}

/**
 * The least and the most pages or entries. The flags are 0 without a maximum and 1 with one; others are shared and
 * 64-bit memories.
 */
function readLimits(body: ModuleReader): { least: number; most: number | undefined } {
  const flags = body.byte();
  if (flags > 1) throw unreadable('a shared or 64-bit memory');
  const least = body.u32();
  return { least, most: flags === 1 ? body.u32() : undefined };
}

function section(id: number, body: readonly number[]): Uint8Array {
  return sectionBytes(id, Uint8Array.from(body));
}
