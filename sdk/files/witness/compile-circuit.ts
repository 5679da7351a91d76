import { PippinError } from '../../base/errors.js';
import { freeMemory } from '../../base/free-memory.js';
import { laterPart } from '../../base/load-part.js';
import { fileHint } from '../file-hint.js';
import { boundedModule } from './bounded-module.js';

/**
 * Compiles a circuit's WASM, which then takes at most so many bytes of memory. It is done before the module goes to a
 * worker, so that a file that is no WASM gets an error that says so (`UNSUPPORTED_FORMAT`). The errors of
 * `boundedModule`.
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

/** Whether a circuit's WASM is circom 1's. */
export function isCircom1(module: WebAssembly.Module): boolean {
  return WebAssembly.Module.exports(module).some(({ name }) => name === 'getSignalOffset32');
}

/** What runs circuits of circom 1, of which there are few. `IO_FAILED` if the script cannot be loaded. */
export const loadCircom1 = laterPart('circuits of circom 1', () => import('./circom1.js'));
