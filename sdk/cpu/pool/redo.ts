import { PippinError } from '../../errors.js';

/** Does work once more where the worker that did it died: another one stands in its place by then. */
export async function redone<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof PippinError && error.code === 'WORKER_FAILED') return work();
    throw error;
  }
}
