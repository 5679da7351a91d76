import { poolUnpacking } from '../../executors/workers/pool/unpacking-kernels.js';
import { LoadedSource } from '../../files/cache/loaded-source.js';
import { openPackedKey } from '../../files/packed/packed-key.js';
import type { EngineContext } from '../context.js';

/**
 * A packed key that was opened, as the .zkey that it was made of. Its sections are unpacked by the workers as far as
 * they are read. The cache knows it by the hash of the packed bytes, as it knows a file of which parts were fetched.
 * Closing it closes the packed key. Errors as of `openPackedKey`.
 */
export async function unpackedSource(
  { backends, platform, config }: EngineContext,
  packed: LoadedSource,
): Promise<LoadedSource> {
  const kernels = poolUnpacking(backends.pool, {
    open: (curve) => backends.openCurve(curve, []),
    compileRoots: (curve) => platform.compileWasm(curve, 'roots', config.assets),
  });
  const { zkey } = await openPackedKey(packed, kernels);
  return new LoadedSource(
    Object.assign(zkey, { contents: packed.source }),
    () => packed.close(),
    packed.knownHash,
    packed.records,
  );
}
