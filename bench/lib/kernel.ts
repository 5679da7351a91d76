import { readFile } from 'node:fs/promises';
import type { WasmModuleName } from '../../sdk/api.js';
import { createKernel, type Kernel } from '../../sdk/cpu/kernel/kernel.js';
import type { CurveId } from '../../sdk/curves/index.js';

/** Makes a kernel on this thread from a WASM file beside the bundled benchmark, by default from the module that runs on every machine. */
export async function loadKernel(curve: CurveId, module: WasmModuleName = curve): Promise<Kernel> {
  return createKernel(curve, await compileModule(module));
}

export async function compileModule(name: WasmModuleName): Promise<WebAssembly.Module> {
  return WebAssembly.compile(await readFile(new URL(`./${name}.wasm`, import.meta.url)));
}

export function expectEqual(got: Uint8Array, expected: Uint8Array, what: string): void {
  if (Buffer.compare(Buffer.from(got), Buffer.from(expected)) !== 0) throw new Error(`${what}: the result is wrong`);
}
