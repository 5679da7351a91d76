import { PippinError } from '../../../base/errors.js';

/** Runs `work`, and once more if a worker died under it: by then the pool has put a new worker in the dead one's place. */
export async function retryOnDeadWorker<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof PippinError && error.code === 'WORKER_FAILED') return work();
    throw error;
  }
}
