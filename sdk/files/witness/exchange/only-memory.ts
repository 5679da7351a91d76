import { PAGE_BYTES } from '../bounded-module.js';
import { MAX_KEPT_BYTES } from '../kept-circuit.js';
import { ModuleReader, SECTION } from '../module-reader.js';
import { exportedMemory, type ModuleFunctions } from './module-functions.js';

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
 * Whether all that an instance of a module keeps from one call to the next is in the memory that it shows as `memory`,
 * but for what instructions beyond the first version of WebAssembly change: it has no global variables, and imports
 * functions alone. false for a larger memory than the ones that are kept. `UNSUPPORTED_FORMAT` for a module that cannot
 * be read.
 */
export function keepsOnlyMemory(circuit: ModuleFunctions): boolean {
  return (
    circuit.sections.every(({ id }) => SECTIONS.has(id)) && importsOnlyFunctions(circuit) && hasSmallMemory(circuit)
  );
}

/** Whether it has one memory, of a size that is kept, and shows it. */
function hasSmallMemory(circuit: ModuleFunctions): boolean {
  const memory = circuit.sections.find(({ id }) => id === SECTION.memory);
  if (memory === undefined || exportedMemory(circuit) !== 'memory') return false;
  const reader = new ModuleReader(memory.body);
  const [count] = [reader.u32(), reader.u32()];
  return count === 1 && reader.u32() * PAGE_BYTES <= MAX_KEPT_BYTES;
}

function importsOnlyFunctions({ sections, imported }: ModuleFunctions): boolean {
  const imports = sections.find(({ id }) => id === SECTION.imports);
  return imports === undefined || new ModuleReader(imports.body).u32() === imported;
}
