import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Kernel } from '../../sdk/cpu/kernel.js';
import type { CurveId } from '../../sdk/curves/index.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A kernel of the curve on this thread, from the built module; built first where it is missing or old. */
export async function loadKernel(curve: CurveId): Promise<Kernel> {
  execFileSync(process.execPath, ['scripts/build-wasm.mjs'], { cwd: root, stdio: 'inherit' });
  return Kernel.create(curve, await WebAssembly.compile(await readFile(`${root}/dist/${curve}.wasm`)));
}
