import { COPY_WITNESS, EXCHANGED_NAMES, GET_WITNESS } from '../../sdk/files/witness/exchange/known-functions.js';
import { Linker } from '../../sdk/files/witness/exchange/linker.js';
import { exportedFunctions, readFunctions } from '../../sdk/files/witness/exchange/module-functions.js';
import { SECTION } from '../../sdk/files/witness/module-reader.js';

/** The only sections whose contents are put into a circuit, or say where they belong. */
const SECTIONS: ReadonlySet<number> = new Set([
  SECTION.custom,
  SECTION.types,
  SECTION.imports,
  SECTION.functions,
  SECTION.exports,
  SECTION.code,
]);

/** What is exported besides the functions that take the places of circom's. */
const OTHERS = ['copyNumbers', COPY_WITNESS];

/**
 * Throws unless the functions of a compiled module can be put into a circuit's: of all else that a module may have, a
 * circuit would get nothing (global variables, tables, a start function), or it would lie where the circuit has data of
 * its own (data segments).
 */
export function expectLinkable(wasm: Uint8Array): void {
  const module = readFunctions(wasm);
  const extra = module.sections.map(({ id }) => id).filter((id) => !SECTIONS.has(id));
  if (extra.length > 0) {
    const names = Object.fromEntries(
      Object.entries({ ...SECTION, globals: 6, start: 8 }).map(([name, id]) => [id, name]),
    );
    throw notLinkable(`sections ${extra.map((id) => names[id] ?? id).join(', ')}`);
  }
  const names = new Set<string>([...EXCHANGED_NAMES, ...OTHERS]);
  const exported = [...exportedFunctions(module).keys()];
  const unknown = exported.filter((name) => !names.has(name));
  if (unknown.length > 0) throw notLinkable(`exports ${unknown.join(', ')}`);
  const missing = [...names].filter((name) => !exported.includes(name));
  if (missing.length > 0) throw notLinkable(`no exports ${missing.join(', ')}`);
  // A circuit's own function of the name is called, and ours takes its place elsewhere.
  const ofCircuit: readonly string[] = [...EXCHANGED_NAMES, GET_WITNESS];
  const foreign = module.importedNames.filter((name) => !ofCircuit.includes(name));
  if (foreign.length > 0) throw notLinkable(`imports ${foreign.join(', ')}`);
  const linker = new Linker(module);
  const odd = [...module.defined.keys()].filter((place) => linker.mergeCopies(place) === undefined);
  if (odd.length > 0)
    throw notLinkable(
      `instructions that are not in every engine, in functions ${odd.map((place) => module.imported + place).join(', ')}`,
    );
}

function notLinkable(got: string): Error {
  return new Error(`expected wasm/circuit as functions of plain WebAssembly alone, got ${got}`);
}
