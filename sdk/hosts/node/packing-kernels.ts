import { kernelCount } from '../../engine/platform.js';
import { KernelPool } from '../../executors/workers/pool/pool.js';
import { poolUnpacking } from '../../executors/workers/pool/unpacking-kernels.js';
import type { UnpackingKernels } from '../../files/packed/packed-key.js';
import { nodeEnginePlatform } from './node-engine.js';

/** Runs `work` with workers that unpack keys; they end with it. */
export async function withPackingKernels<T>(work: (kernels: UnpackingKernels) => Promise<T>): Promise<T> {
  const { spawnKernel, compileWasm, threads } = nodeEnginePlatform;
  const pool = new KernelPool(() => spawnKernel({}), kernelCount(undefined, threads));
  const kernels = poolUnpacking(pool, (curve) => pool.open(curve, (part) => compileWasm(curve, part, {})));
  try {
    return await work(kernels);
  } finally {
    await pool.dispose();
  }
}
