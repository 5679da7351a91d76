import { PippinError } from '../../base/errors.js';
import { freeMemory } from '../../base/free-memory.js';
import { fileHint } from '../file-hint.js';
import { boundedModule } from './bounded-module.js';

/**
 * Compiles a circuit's WASM, which then takes at most so many bytes of memory. It is done before the module goes to a worker, so that a file that is
 * no WASM gets an error that says so (`UNSUPPORTED_FORMAT`). The errors of `boundedModule`.
 */
export async function compileCircuit(wasm: Uint8Array, memoryBytes: number): Promise<WebAssembly.Module> {
  const bounded = boundedModule(wasm, memoryBytes);
  try {
    return await WebAssembly.compile(bounded as Uint8Array<ArrayBuffer>);
  } catch (error) {
    throw new PippinError('UNSUPPORTED_FORMAT', `expected a circuit's WASM, got: ${(error as Error).message}`, {
      cause: error,
      ...fileHint(bounded),
    });
  } finally {
    if (bounded !== wasm) freeMemory(bounded);
  }
}
