import { readFile } from 'node:fs/promises';
import { Kernel } from '../../sdk/cpu/kernel.js';
import type { CurveId } from '../../sdk/curves/index.js';
import { root } from './root.js';

/** A kernel of the curve on this thread, from the built module. */
export async function loadKernel(curve: CurveId): Promise<Kernel> {
  return Kernel.create(curve, await WebAssembly.compile(await readFile(`${root}/dist/${curve}.wasm`)));
}
