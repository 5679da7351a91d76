import type { CurveId } from '../curves/index.js';
import { LoadedSource } from '../files/cache/loaded-source.js';
import { openPackedKey, type UnpackingKernels } from '../files/packed/packed-key.js';
import type { EngineContext } from './context.js';

/**
 * A packed key that was opened, as the .zkey that it was made of. Its sections are unpacked by the workers as far as
 * they are read. The cache knows it by the hash of the packed bytes, as it knows a file of which parts were fetched.
 * Closing it closes the packed key. Errors as of `openPackedKey`.
 */
export async function unpackedSource(context: EngineContext, packed: LoadedSource): Promise<LoadedSource> {
  const { zkey } = await openPackedKey(packed, kernelsOf(context));
  return new LoadedSource(
    Object.assign(zkey, { contents: packed.source }),
    () => packed.close(),
    packed.knownHash,
    packed.records,
  );
}

function kernelsOf({ backends, platform, config }: EngineContext): UnpackingKernels {
  const modules = new Map<CurveId, Promise<WebAssembly.Module>>();
  const moduleOf = (curve: CurveId): Promise<WebAssembly.Module> => {
    let module = modules.get(curve);
    if (module === undefined) {
      module = platform.compileWasm(curve, 'roots', config.assets);
      module.catch(() => modules.delete(curve));
      modules.set(curve, module);
    }
    return module;
  };
  return {
    async decompress(curve, group, compressed, what, first) {
      const [module] = await Promise.all([moduleOf(curve), backends.openCurve(curve, [])]);
      return backends.pool.call(curve, 'decompress', { group, module, compressed, what, first });
    },
    async transform(curve, values, direction) {
      await backends.openCurve(curve, []);
      return backends.pool.call(curve, 'transform', { values, direction });
    },
  };
}
