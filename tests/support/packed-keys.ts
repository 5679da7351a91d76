import { createHash } from 'node:crypto';
import { joinBytes } from '../../sdk/base/bytes.js';
import { memorySource } from '../../sdk/files/byte-source.js';
import { packZkey } from '../../sdk/files/packed/pack.js';
import { unpackingKernels } from './unpacking-kernels.js';

/** The bytes of a packed key. */
export async function packed(zkey: Uint8Array, isCompressed = true): Promise<Uint8Array<ArrayBuffer>> {
  const makeSha256 = async () => createHash('sha256');
  const parts = await packZkey(memorySource(zkey), { isCompressed, kernels: unpackingKernels, makeSha256 });
  return new Uint8Array(joinBytes(parts));
}
