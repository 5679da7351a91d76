import { joinBytes } from '../../sdk/base/bytes.js';
import { readFunctions } from '../../sdk/files/witness/exchange/module-functions.js';
import { encodeU32, ModuleReader, SECTION, sectionBytes, sectionsOf } from '../../sdk/files/witness/module-reader.js';

/** The names that a module gives its functions in its name section, by their indices. */
export function functionNames(wasm: Uint8Array): ReadonlyMap<string, number> {
  const names = new Map<string, number>();
  for (const { id, body } of sectionsOf(wasm)) {
    const reader = new ModuleReader(body);
    if (id !== 0 || text(reader) !== 'name') continue;
    while (!reader.isAtEnd()) {
      const kind = reader.byte();
      const part = new ModuleReader(reader.take(reader.u32()));
      if (kind !== 1) continue;
      for (let count = part.u32(); count > 0; count--) {
        const index = part.u32();
        names.set(text(part), index);
      }
    }
  }
  return names;
}

/** A module that exports functions of a circuit's besides, by their names. Their indices are `names`'. */
export function withExports(
  wasm: Uint8Array,
  names: ReadonlyMap<string, number>,
  wanted: readonly string[],
): Uint8Array {
  const { sections } = readFunctions(wasm);
  const parts = sections.map(({ id, bytes, body }) => {
    if (id !== SECTION.exports) return bytes;
    const reader = new ModuleReader(body);
    const count = reader.u32();
    const added = wanted.map((name) => {
      const encoded = new TextEncoder().encode(name);
      return Uint8Array.from([...encodeU32(encoded.length), ...encoded, 0, ...encodeU32(names.get(name)!)]);
    });
    return sectionBytes(
      id,
      joinBytes([Uint8Array.from(encodeU32(count + wanted.length)), body.subarray(reader.at), ...added]),
    );
  });
  return joinBytes([wasm.subarray(0, 8), ...parts]);
}

function text(reader: ModuleReader): string {
  return new TextDecoder().decode(reader.take(reader.u32()));
}

/** The module without its custom sections. */
export function withoutNames(wasm: Uint8Array): Uint8Array {
  return joinBytes([
    wasm.subarray(0, 8),
    ...[...sectionsOf(wasm)].flatMap(({ id, bytes }) => (id === 0 ? [] : [bytes])),
  ]);
}
