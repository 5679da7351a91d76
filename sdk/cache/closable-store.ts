import { PippinError } from '../errors.js';
import { aroundOperations } from './around-operations.js';
import type { ChunkStore } from './chunk-store.js';

export interface ClosableStore extends ChunkStore {
  /** Fulfilled when all operations that have begun have ended. Those that are asked for later reject with `ABORTED`. */
  close(): Promise<void>;
}

/** A store that knows which of its operations are under way. */
export function closableStore(store: ChunkStore): ClosableStore {
  const underWay = new Set<Promise<unknown>>();
  let isClosed = false;
  const known = async <T>(operation: () => Promise<T>): Promise<T> => {
    if (isClosed) throw new PippinError('ABORTED', 'expected an open storage, got one that was closed');
    const running = operation();
    underWay.add(running);
    try {
      return await running;
    } finally {
      underWay.delete(running);
    }
  };
  return {
    ...aroundOperations(store, known),
    async close() {
      isClosed = true;
      await Promise.allSettled(underWay);
    },
  };
}
