import { readFile } from 'node:fs/promises';
import { Kernel } from '../../sdk/cpu/kernel.js';
import type { CurveId } from '../../sdk/curves/index.js';

/** A kernel on this thread, from the WASM beside the bundled bench. */
export async function loadKernel(curve: CurveId): Promise<Kernel> {
  return Kernel.create(curve, await WebAssembly.compile(await readFile(new URL(`./${curve}.wasm`, import.meta.url))));
}

export function expectEqual(got: Uint8Array, expected: Uint8Array, what: string): void {
  if (Buffer.compare(Buffer.from(got), Buffer.from(expected)) !== 0) throw new Error(`${what}: the result is wrong`);
}
