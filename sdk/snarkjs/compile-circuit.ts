import { PippinError } from '../errors.js';
import { fileHint } from '../io/file-hint.js';

/** Compiles a circuit's module, before it goes to a worker. `UNSUPPORTED_FORMAT` for a file that is not WASM. */
export async function compileCircuit(wasm: Uint8Array): Promise<WebAssembly.Module> {
  try {
    return await WebAssembly.compile(wasm as Uint8Array<ArrayBuffer>);
  } catch (error) {
    throw new PippinError('UNSUPPORTED_FORMAT', `expected a circuit's WASM, got: ${(error as Error).message}`, {
      cause: error,
      ...fileHint(wasm),
    });
  }
}
