import { PippinError } from '../../../base/errors.js';
import { PAGE_BYTES } from '../bounded-module.js';
import { MAX_KEPT_BYTES } from '../kept-circuit.js';
import { ModuleReader, SECTION } from '../module-reader.js';
import { isPlainCode } from './instructions.js';
import { exportedMemory, type ModuleFunctions, readFunctions } from './module-functions.js';

/** The sections that a circuit of circom 2 has: no global variables, no start function, no passive segments. */
const SECTIONS: ReadonlySet<number> = new Set([
  SECTION.custom,
  SECTION.types,
  SECTION.imports,
  SECTION.functions,
  SECTION.tables,
  SECTION.memory,
  SECTION.exports,
  SECTION.elements,
  SECTION.code,
  SECTION.data,
]);

/**
 * Whether all that an instance of a module keeps from one call to the next is in the memory that it shows as `memory`.
 * It has no global variables, imports functions alone, and its instructions are in the first version of WebAssembly,
 * which cannot change a table. So an instance whose memory is made what it was is a fresh one, also if the circuit's
 * author would have it remember secrets. false for a larger memory than the ones that are kept.
 */
export function hasOnlyMemory(wasm: Uint8Array): boolean {
  try {
    const circuit = readFunctions(wasm);
    return (
      circuit.sections.every(({ id }) => SECTIONS.has(id)) &&
      importsOnlyFunctions(circuit) &&
      memoryBytes(circuit) <= MAX_KEPT_BYTES &&
      exportedMemory(circuit) === 'memory' &&
      circuit.defined.every(({ code }) => isPlainCode(code))
    );
  } catch (error) {
    if (error instanceof PippinError) return false;
    throw error;
  }
}

/** What its memory begins with. */
function memoryBytes({ sections }: ModuleFunctions): number {
  const reader = new ModuleReader(sections.find(({ id }) => id === SECTION.memory)?.body ?? Uint8Array.of(0));
  if (reader.u32() !== 1) return Number.POSITIVE_INFINITY;
  reader.u32();
  return reader.u32() * PAGE_BYTES;
}

function importsOnlyFunctions({ sections, imported }: ModuleFunctions): boolean {
  const imports = sections.find(({ id }) => id === SECTION.imports);
  return imports === undefined || new ModuleReader(imports.body).u32() === imported;
}
