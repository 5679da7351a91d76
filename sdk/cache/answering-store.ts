import { within } from '../within.js';
import type { ChunkStore } from './chunk-store.js';

/** Milliseconds that a storage may take for one chunk of a few megabytes, or for a list of their names. */
const ANSWER_WITHIN_MS = 30_000;

/** Opens a store whose operations reject if it does not answer within 30 s. After that it is asked no more, and all of them reject at once. */
export async function answeringStore(open: () => Promise<ChunkStore>): Promise<ChunkStore> {
  let silence: unknown;
  const answered = async <T>(work: () => Promise<T>): Promise<T> => {
    if (silence !== undefined) throw silence;
    let isAnswered = false;
    const noted = (): Promise<T> =>
      work().finally(() => {
        isAnswered = true;
      });
    try {
      return await within(ANSWER_WITHIN_MS, 'the storage', noted);
    } catch (error) {
      if (!isAnswered) silence = error;
      throw error;
    }
  };
  const store = await answered(open);
  return {
    get: (key) => answered(() => store.get(key)),
    set: (key, bytes) => answered(() => store.set(key, bytes)),
    delete: (key) => answered(() => store.delete(key)),
    keys: () => answered(() => store.keys()),
  };
}
