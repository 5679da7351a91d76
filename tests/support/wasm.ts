import { readFile } from 'node:fs/promises';
import type { WasmModuleName } from '../../sdk/api.js';
import { createKernel, type Kernel } from '../../sdk/cpu/kernel/kernel.js';
import type { CurveId } from '../../sdk/curves/index.js';
import { ALL_CURVES } from './registry.js';
import { allowRelaxedSimd } from './relaxed-simd.js';
import { root } from './root.js';

/** The modules of each curve. The first one runs on every machine. */
export const WASM_MODULES = Object.fromEntries(
  ALL_CURVES.map(({ id }) => [id, [id, `${id}-fma`, `${id}-simd`]]),
) as unknown as Readonly<Record<CurveId, readonly WasmModuleName[]>>;

/** A kernel of the curve on this thread, from one of its built modules, by default the one that runs on every machine. */
export async function loadKernel(curve: CurveId, name: WasmModuleName = curve): Promise<Kernel> {
  return createKernel(curve, await compile(name));
}

/** An instance of a built module, for tests that call its exports. */
export async function instantiate(name: WasmModuleName): Promise<WebAssembly.Instance> {
  return WebAssembly.instantiate(await compile(name), {});
}

async function compile(name: WasmModuleName): Promise<WebAssembly.Module> {
  if (name.endsWith('-fma')) allowRelaxedSimd();
  return WebAssembly.compile(await readFile(`${root}/dist/${name}.wasm`));
}
