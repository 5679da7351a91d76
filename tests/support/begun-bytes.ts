import type { ChunkStore } from '../../sdk/files/cache/chunk-store.js';
import { PreparedCache } from '../../sdk/files/cache/prepared-cache.js';

/** The bytes of the unfinished download that a cache has; undefined if it has none. */
export async function begunBytes(store: ChunkStore): Promise<number | undefined> {
  const cache = new PreparedCache(store);
  const listed = await cache.list('file/begun/');
  const [key] = listed.kind === 'listed' ? listed.keys : [];
  const found = key === undefined ? undefined : await cache.findFile(key);
  return found?.kind === 'hit' ? found.file.size : undefined;
}
