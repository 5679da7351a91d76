import { poolUnpacking } from '../../executors/workers/pool/unpacking-kernels.js';
import { LoadedSource } from '../../files/cache/loaded-source.js';
import { openPackedKey } from '../../files/packed/packed-key.js';
import type { Backends } from '../backends.js';

/** Keys in other forms than one .zkey, in chunks or packed, whose code a page downloads with the first of them. */

export { NO_KERNELS, openPackedKey } from '../../files/packed/packed-key.js';
export { joinZkeyChunks } from '../../files/snarkjs/zkey-chunks.js';

/** What unpacks keys in the engine. */
interface UnpackingContext {
  readonly backends: Backends;
}

/**
 * A packed key that was opened, as the .zkey that it was made of. Its sections are unpacked by the workers as far as
 * they are read. The cache knows it by the hash of the packed bytes, as it knows a file of which parts were fetched.
 * Closing it closes the packed key. Errors as of `openPackedKey`.
 */
export async function unpackedSource({ backends }: UnpackingContext, packed: LoadedSource): Promise<LoadedSource> {
  const kernels = poolUnpacking(backends.pool, (curve) => backends.openCurve(curve, []));
  const { zkey } = await openPackedKey(packed, kernels);
  return new LoadedSource(
    Object.assign(zkey, { contents: packed.source }),
    () => packed.close(),
    packed.knownHash,
    packed.records,
  );
}
