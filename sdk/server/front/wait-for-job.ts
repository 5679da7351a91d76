import { onAbort } from '../../abort.js';
import { FINAL_STATES, type JobStatus } from '../queue/types.js';
import type { FrontQueue } from './front-queue.js';

/**
 * The status of a job when it has ended, or its latest one after so many seconds or when the signal fires.
 *
 * @param known its status now.
 */
export async function waitForJob(
  queue: FrontQueue,
  known: JobStatus,
  seconds: number,
  signal: AbortSignal,
): Promise<JobStatus> {
  if (seconds === 0 || FINAL_STATES.includes(known.state)) return known;
  // Not `AbortSignal.any` with a timeout: in Node 20 the collector may take the timeout, which then never fires.
  const over = new AbortController();
  const ended = over.signal;
  const timer = setTimeout(() => over.abort(), seconds * 1000);
  const stopListening = onAbort(signal, () => over.abort());
  if (signal.aborted) over.abort();
  let latest = known;
  try {
    for await (const status of queue.watch(known.id, { signal: ended })) {
      latest = status;
      if (ended.aborted) break;
    }
  } catch (error) {
    if (!ended.aborted) throw error;
  } finally {
    clearTimeout(timer);
    stopListening();
  }
  return latest;
}
