import { joinBytes } from '../../../base/bytes.js';
import { encodeU32, ModuleReader, type ModuleSection, SECTION, sectionsOf, unreadable } from '../module-reader.js';

/** The kinds of imports and exports. */
const KIND = { function: 0, table: 1, memory: 2, global: 3 } as const;

const FUNCTION_TYPE = 0x60;

/** A function that a module defines. */
export interface ModuleFunction {
  readonly type: number;
  /** Its local variables and instructions. */
  readonly code: Uint8Array;
}

/** The parts of a module of the first version that functions consist of, and all other sections as they are. */
export interface ModuleFunctions {
  readonly sections: readonly ModuleSection[];
  /** Function types as bytes, from the number of parameters on. */
  readonly types: readonly Uint8Array[];
  /** How many functions are imported: they have the first indices. */
  readonly imported: number;
  /** The names of the imported functions, without their modules. */
  readonly importedNames: readonly string[];
  readonly defined: readonly ModuleFunction[];
}

/** Reads them. `UNSUPPORTED_FORMAT` for a module that contradicts itself, or has types of other kinds. */
export function readFunctions(wasm: Uint8Array): ModuleFunctions {
  const sections = [...sectionsOf(wasm)];
  const bodyOf = (id: number): ModuleReader =>
    new ModuleReader(sections.find((section) => section.id === id)?.body ?? Uint8Array.of(0));
  const types = listOf(bodyOf(SECTION.types), readType);
  const imports = listOf(bodyOf(SECTION.imports), readImport);
  const typeNumbers = listOf(bodyOf(SECTION.functions), (reader) => reader.u32());
  const codes = listOf(bodyOf(SECTION.code), (reader) => reader.take(reader.u32()));
  if (codes.length !== typeNumbers.length) throw unreadable('functions without code');
  const defined = codes.map((code, i) => ({ type: typeNumbers[i]!, code }));
  const importedNames = imports.flatMap(({ name, kind }) => (kind === KIND.function ? [name] : []));
  return { sections, types, imported: importedNames.length, importedNames, defined };
}

/** The functions that a module exports, by their names. */
export function exportedFunctions(module: ModuleFunctions): ReadonlyMap<string, number> {
  return new Map(exportsOf(module).flatMap(({ name, kind, index }) => (kind === KIND.function ? [[name, index]] : [])));
}

/** The name of the first memory that a module exports. */
export function exportedMemory(module: ModuleFunctions): string | undefined {
  return exportsOf(module).find(({ kind }) => kind === KIND.memory)?.name;
}

function exportsOf({ sections }: ModuleFunctions): { name: string; kind: number; index: number }[] {
  const exports = sections.find(({ id }) => id === SECTION.exports);
  return listOf(new ModuleReader(exports?.body ?? Uint8Array.of(0)), (reader) => ({
    name: new TextDecoder().decode(reader.take(reader.u32())),
    kind: reader.byte(),
    index: reader.u32(),
  }));
}

/** The module with other types and functions, which begin with as many as before, and one more exported function. */
export function withFunctions(
  wasm: Uint8Array,
  { sections }: ModuleFunctions,
  types: readonly Uint8Array[],
  defined: readonly ModuleFunction[],
  exported: { readonly name: string; readonly index: number },
): Uint8Array {
  const exports = new ModuleReader(sections.find(({ id }) => id === SECTION.exports)?.body ?? Uint8Array.of(0));
  const exportCount = exports.u32();
  const name = new TextEncoder().encode(exported.name);
  const added = [...encodeU32(name.length), ...name, KIND.function, ...encodeU32(exported.index)];
  const items = new Map<number, Uint8Array[]>([
    [SECTION.exports, [exports.bytes.subarray(exports.at), Uint8Array.from(added)]],
    [SECTION.types, types.map((type) => joinBytes([Uint8Array.of(FUNCTION_TYPE), type]))],
    [SECTION.functions, defined.map(({ type }) => Uint8Array.from(encodeU32(type)))],
    [SECTION.code, defined.flatMap(({ code }) => [Uint8Array.from(encodeU32(code.length)), code])],
  ]);
  const counts = new Map([
    [SECTION.exports as number, exportCount + 1],
    [SECTION.types, types.length],
    [SECTION.functions, defined.length],
    [SECTION.code, defined.length],
  ]);
  const parts = sections.flatMap(({ id, bytes }) => {
    const ofSection = items.get(id);
    return ofSection === undefined ? [bytes] : listSection(id, counts.get(id)!, ofSection);
  });
  return joinBytes([wasm.subarray(0, 8), ...parts]);
}

/** The parts of a section that is a list. */
function listSection(id: number, count: number, items: readonly Uint8Array[]): Uint8Array[] {
  const head = encodeU32(count);
  const size = items.reduce((sum, item) => sum + item.length, head.length);
  return [Uint8Array.from([id, ...encodeU32(size), ...head]), ...items];
}

function listOf<T>(reader: ModuleReader, read: (reader: ModuleReader) => T): T[] {
  const items: T[] = [];
  for (let count = reader.u32(); count > 0; count--) items.push(read(reader));
  return items;
}

function readType(reader: ModuleReader): Uint8Array {
  if (reader.byte() !== FUNCTION_TYPE) throw unreadable('types other than function types');
  const from = reader.at;
  for (let lists = 0; lists < 2; lists++) reader.take(reader.u32());
  return reader.bytes.subarray(from, reader.at);
}

function readImport(reader: ModuleReader): { name: string; kind: number } {
  reader.take(reader.u32());
  const name = new TextDecoder().decode(reader.take(reader.u32()));
  const kind = reader.byte();
  if (kind === KIND.function) reader.u32();
  else if (kind === KIND.global) reader.take(2);
  else {
    if (kind === KIND.table) reader.byte();
    else if (kind !== KIND.memory) throw unreadable('an import of an unknown kind');
    const hasMost = reader.u32() & 1;
    reader.u32();
    if (hasMost) reader.u32();
  }
  return { name, kind };
}
