import { readFile } from 'node:fs/promises';
import type { WasmModuleName } from '../../sdk/api/index.js';
import type { CurveId } from '../../sdk/curves/index.js';
import { createKernel, type Kernel, type KernelModules } from '../../sdk/executors/workers/kernel/kernel.js';
import type { CompilePart } from '../../sdk/executors/workers/pool/open-kernels.js';
import { emulateWide } from './emulated-wide.js';
import { ALL_CURVES } from './registry.js';
import { allowRelaxedSimd } from './relaxed-simd.js';
import { root } from './root.js';
import { scalarsBeside } from './scalars-beside.js';

/** The points modules of each curve. The first one runs on every machine. */
export const WASM_MODULES = Object.fromEntries(
  ALL_CURVES.map(({ id, pairing }) => [
    id,
    [id, `${id}-fma`, `${id}-simd`, ...(pairing === undefined ? [] : [`${id}-wide`])],
  ]),
) as unknown as Readonly<Record<CurveId, readonly WasmModuleName[]>>;

/**
 * A kernel of the curve on this thread, from one of its built points modules, by default the one that runs on every
 * machine.
 */
export async function loadKernel(curve: CurveId, points: WasmModuleName = curve): Promise<Kernel> {
  return createKernel(curve, await compileModules(curve, points));
}

/** The compiled modules of a curve. */
export async function compileModules(curve: CurveId, points: WasmModuleName = curve): Promise<KernelModules> {
  return { points: await compileWasm(points), scalars: await compileWasm(scalarsBeside(curve, points)) };
}

/** The modules of a curve that run on every machine, as a pool asks for them. */
export function modulesFor(curve: CurveId): CompilePart {
  return (part) => compileWasm(part === 'points' ? curve : (`${curve}-${part}` as WasmModuleName));
}

/** An instance of a built module, for tests that call its exports. One of scalars gets a memory of its own. */
export async function instantiate(name: WasmModuleName): Promise<WebAssembly.Instance> {
  const memory = new WebAssembly.Memory({ initial: 4 });
  return WebAssembly.instantiate(await compileWasm(name), { env: { memory } });
}

export async function compileWasm(name: WasmModuleName): Promise<WebAssembly.Module> {
  if (name.endsWith('-fma')) allowRelaxedSimd();
  const binary = await readFile(`${root}/dist/${name}.wasm`);
  return WebAssembly.compile(name.endsWith('-wide') ? await emulateWide(binary) : binary);
}
