import type { CurveId } from '../../curves/index.js';
import { kernelCount } from '../../engine/platform.js';
import { KernelPool } from '../../executors/workers/pool/pool.js';
import type { UnpackingKernels } from '../../files/packed/packed-key.js';
import { nodeEnginePlatform } from './node-engine.js';

/** Runs `work` with workers that unpack keys; they end with it. */
export async function withPackingKernels<T>(work: (kernels: UnpackingKernels) => Promise<T>): Promise<T> {
  const { spawnKernel, compileWasm, threads } = nodeEnginePlatform;
  const pool = new KernelPool(() => spawnKernel({}), kernelCount(undefined, threads));
  const modules = new Map<CurveId, Promise<WebAssembly.Module>>();
  const opened = async (curve: CurveId): Promise<WebAssembly.Module> => {
    const module = modules.get(curve) ?? compileWasm(curve, 'roots', {});
    modules.set(curve, module);
    await pool.open(curve, (part) => compileWasm(curve, part, {}));
    return module;
  };
  try {
    return await work({
      async decompress(curve, group, compressed, what, first) {
        const module = await opened(curve);
        return pool.call(curve, 'decompress', { group, module, compressed, what, first });
      },
      async transform(curve, values, direction) {
        await opened(curve);
        return pool.call(curve, 'transform', { values, direction });
      },
    });
  } finally {
    await pool.dispose();
  }
}
