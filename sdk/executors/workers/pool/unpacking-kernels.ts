import type { CurveId } from '../../../curves/index.js';
import type { UnpackingKernels } from '../../../files/packed/packed-key.js';
import type { KernelPool } from './pool.js';

/**
 * What unpacks keys on a pool's workers.
 *
 * @param open opens a curve's kernels on the pool.
 */
export function poolUnpacking(pool: KernelPool, open: (curve: CurveId) => Promise<unknown>): UnpackingKernels {
  return {
    async decompress(curve, group, compressed, what, first) {
      // Both are downloaded at the same time.
      const [, module] = await Promise.all([open(curve), pool.module(curve, 'roots')]);
      return pool.call(curve, 'decompress', { group, module, compressed, what, first });
    },
    async transform(curve, values, direction) {
      await open(curve);
      return pool.call(curve, 'transform', { values, direction });
    },
  };
}
