import type { CurveId } from '../../sdk/curves/index.js';
import type { Kernel } from '../../sdk/executors/workers/kernel/kernel.js';
import { RootKernel } from '../../sdk/executors/workers/kernel/root-kernel.js';
import type { UnpackingKernels } from '../../sdk/files/packed/packed-key.js';
import { compileWasm, loadKernel } from './wasm.js';

const kernels = new Map<CurveId, Promise<Kernel>>();
const roots = new Map<CurveId, Promise<RootKernel>>();

/** What unpacks keys on this thread. */
export const unpackingKernels: UnpackingKernels = {
  async decompress(curve, group, compressed, what, first) {
    const kernel = await once(roots, curve, async () =>
      RootKernel.create(curve, await compileWasm(`${curve}-roots` as 'bn254-roots')),
    );
    return kernel.decompress({ group, compressed, what, first });
  },
  async transform(curve, values, direction) {
    return (await once(kernels, curve, () => loadKernel(curve))).transform({ values, direction });
  },
};

function once<T>(made: Map<CurveId, Promise<T>>, curve: CurveId, make: () => Promise<T>): Promise<T> {
  const known = made.get(curve) ?? make();
  made.set(curve, known);
  return known;
}
