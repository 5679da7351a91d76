import { decodeManifest, encodeManifest, type Manifest } from './manifest.js';
import { chunkName, FILE, type PreparedCache } from './prepared-cache.js';
import { manifestName } from './record-key.js';
import { sha256, toHex } from './sha256.js';

/**
 * Adds the next chunk to a file that is still arriving. The record is complete after every chunk: it is the file's
 * first bytes, which `PreparedCache.findFile` finds. False if it is not saved: the record has other facts or does not
 * end at `offset`, because another page writes it, or the storage budget is too small. At 0 the record is replaced.
 * Rejects with what the storage says.
 *
 * @param chunk CHUNK_BYTES bytes.
 */
export async function extendFile(
  { store, budget }: PreparedCache,
  { key, facts }: Pick<Manifest, 'key' | 'facts'>,
  offset: number,
  chunk: Uint8Array,
): Promise<boolean> {
  const manifest = manifestName(key);
  const before =
    offset === 0 ? [] : chunksBefore(await store.get(manifest).then((bytes) => read(bytes, key)), facts, offset);
  if (before === undefined) return false;
  const save = async (): Promise<void> => {
    if (offset === 0) await store.delete(manifest);
    await store.set(chunkName(key, 0, before.length), chunk);
    const chunks = [...before, toHex(await sha256(chunk))];
    const file = { name: FILE, length: offset + chunk.length, chunks };
    await store.set(manifest, await encodeManifest({ key, facts, arrays: [file] }));
  };
  if (budget !== undefined) return budget.save(key, offset + chunk.length, save);
  await save();
  return true;
}

async function read(bytes: Uint8Array | undefined, key: string): Promise<Manifest | string> {
  return bytes === undefined ? 'it is missing' : decodeManifest(bytes, key);
}

/** The hashes of a file's chunks, if the manifest has these facts and the file's first `length` bytes. */
function chunksBefore(manifest: Manifest | string, facts: unknown, length: number): readonly string[] | undefined {
  if (typeof manifest === 'string' || JSON.stringify(manifest.facts) !== JSON.stringify(facts)) return undefined;
  const [file] = manifest.arrays;
  return file?.name === FILE && file.length === length ? file.chunks : undefined;
}
