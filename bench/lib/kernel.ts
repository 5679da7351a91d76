import { readFile } from 'node:fs/promises';
import type { WasmModuleName } from '../../sdk/api/index.js';
import type { CurveId } from '../../sdk/curves/index.js';
import { createKernel, type Kernel } from '../../sdk/executors/workers/kernel/kernel.js';
import { RootKernel } from '../../sdk/executors/workers/kernel/root-kernel.js';
import { wasmModulesOf } from '../../sdk/executors/workers/kernel/wasm-module.js';
import type { CompilePart } from '../../sdk/executors/workers/pool/open-kernels.js';
import type { UnpackingKernels } from '../../sdk/files/packed/packed-key.js';
import { scalarsBeside } from '../../tests/support/scalars-beside.js';

/**
 * Makes a kernel on this thread from the WASM beside the bundled benchmark, by default from the points module that runs
 * on every machine.
 */
export async function loadKernel(curve: CurveId, points: WasmModuleName = curve): Promise<Kernel> {
  const scalars = await compileModule(scalarsBeside(curve, points));
  return createKernel(curve, { points: await compileModule(points), scalars });
}

/** The modules of a curve that are the fastest here, as a pool asks for them. */
export function fastestModules(curve: CurveId): CompilePart {
  return (part) => compileModule(wasmModulesOf(curve, part).fastest);
}

/** What packs and unpacks keys of a curve on this thread. */
export async function packingKernels(curve: CurveId): Promise<UnpackingKernels> {
  const roots = await RootKernel.create(curve, await compileModule(wasmModulesOf(curve, 'roots').fastest));
  const kernel = await loadKernel(curve);
  return {
    decompress: (_, group, compressed, what, first) => roots.decompress({ group, compressed, what, first }),
    transform: async (_, values, direction) => kernel.transform({ values, direction }),
  };
}

async function compileModule(name: WasmModuleName): Promise<WebAssembly.Module> {
  return WebAssembly.compile(await readFile(new URL(`./${name}.wasm`, import.meta.url)));
}

export function expectEqual(got: Uint8Array, expected: Uint8Array, what: string): void {
  if (Buffer.compare(Buffer.from(got), Buffer.from(expected)) !== 0) throw new Error(`${what}: the result is wrong`);
}
