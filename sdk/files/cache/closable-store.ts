import { PippinError } from '../../base/errors.js';
import { UnderWay } from '../../base/under-way.js';
import { aroundOperations } from './around-operations.js';
import type { ChunkStore } from './chunk-store.js';

export interface ClosableStore extends ChunkStore {
  /** Fulfilled when all operations that have begun have ended. Those that are asked for later reject with `ABORTED`. */
  close(): Promise<void>;
}

/** A store that knows which of its operations are under way. */
export function closableStore(store: ChunkStore): ClosableStore {
  const operations = new UnderWay();
  let isClosed = false;
  const known = async <T>(operation: () => Promise<T>): Promise<T> => {
    if (isClosed) throw new PippinError('ABORTED', 'expected an open storage, got one that was closed');
    return operations.note(operation());
  };
  return {
    ...aroundOperations(store, known),
    async close() {
      isClosed = true;
      await operations.ended();
    },
  };
}
