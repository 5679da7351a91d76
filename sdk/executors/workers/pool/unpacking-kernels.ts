import type { CurveId } from '../../../curves/index.js';
import type { UnpackingKernels } from '../../../files/packed/packed-key.js';
import type { KernelPool } from './pool.js';

/** What workers need before they unpack keys of a curve. */
export interface UnpackingCode {
  /** Opens the curve's kernels. */
  open(curve: CurveId): Promise<unknown>;
  /** Compiles the curve's module of square roots. */
  compileRoots(curve: CurveId): Promise<WebAssembly.Module>;
}

/** What unpacks keys on a pool's workers. A curve's module is compiled once; after a failure the next call retries. */
export function poolUnpacking(pool: KernelPool, { open, compileRoots }: UnpackingCode): UnpackingKernels {
  const modules = new Map<CurveId, Promise<WebAssembly.Module>>();
  const moduleOf = (curve: CurveId): Promise<WebAssembly.Module> => {
    let module = modules.get(curve);
    if (module === undefined) {
      module = compileRoots(curve);
      module.catch(() => modules.delete(curve));
      modules.set(curve, module);
    }
    return module;
  };
  return {
    async decompress(curve, group, compressed, what, first) {
      const [module] = await Promise.all([moduleOf(curve), open(curve)]);
      return pool.call(curve, 'decompress', { group, module, compressed, what, first });
    },
    async transform(curve, values, direction) {
      await open(curve);
      return pool.call(curve, 'transform', { values, direction });
    },
  };
}
