import type { ByteSource } from '../byte-source.js';

/** What a packed key begins with. A .zkey begins with "zkey". */
export const PACKED_MAGIC = 'pzky';

/** Whether a source begins as a packed key does. */
export async function isPackedKey(source: ByteSource): Promise<boolean> {
  if (source.size < PACKED_MAGIC.length) return false;
  return String.fromCharCode(...(await source.read(0, PACKED_MAGIC.length))) === PACKED_MAGIC;
}
