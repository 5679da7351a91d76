import { readFile } from 'node:fs/promises';
import type { WasmModuleName } from '../../sdk/api.js';
import { Kernel } from '../../sdk/cpu/kernel.js';
import type { CurveId } from '../../sdk/curves/index.js';
import { allowRelaxedSimd } from './relaxed-simd.js';
import { root } from './root.js';

/** The modules that serve a curve: the one for every machine first. */
export const WASM_MODULES: Readonly<Record<CurveId, readonly WasmModuleName[]>> = {
  bn254: ['bn254', 'bn254-fma'],
  'bls12-377': ['bls12-377', 'bls12-377-fma'],
};

/** A kernel of the curve on this thread, from the built module of the curve or another one that serves it. */
export async function loadKernel(curve: CurveId, name: WasmModuleName = curve): Promise<Kernel> {
  if (name !== curve) allowRelaxedSimd();
  return Kernel.create(curve, await WebAssembly.compile(await readFile(`${root}/dist/${name}.wasm`)));
}
