import { untilAborted, withTimeout } from '../../base/abort.js';
import { aroundOperations, type ChunkStore } from './chunk-store.js';

/** Milliseconds that a storage may take for one chunk of a few megabytes, or for a list of their names. */
const ANSWER_WITHIN_MS = 30_000;

/** A storage that has not answered so many operations one after another is asked no more. */
const MOST_UNANSWERED = 2;

/**
 * Opens a store whose operations reject if it does not answer within 30 s. When it has not answered two of them, all reject at once from then on.
 *
 * @param signal ends all waiting: what is not answered then rejects with `ABORTED`.
 */
export async function answeringStore(open: () => Promise<ChunkStore>, signal?: AbortSignal): Promise<ChunkStore> {
  let unanswered = 0;
  let silence: unknown;
  const answered = async <T>(work: () => Promise<T>): Promise<T> => {
    if (unanswered >= MOST_UNANSWERED) throw silence;
    let isAnswered = false;
    const noted = (): Promise<T> =>
      work().finally(() => {
        isAnswered = true;
        unanswered = 0;
      });
    try {
      return await withTimeout(ANSWER_WITHIN_MS, 'the storage', () => untilAborted(noted(), signal));
    } catch (error) {
      if (!isAnswered) {
        unanswered++;
        silence = error;
      }
      throw error;
    }
  };
  const store = await answered(open);
  return aroundOperations(store, answered);
}
