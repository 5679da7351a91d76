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
  const ended = AbortSignal.any([signal, AbortSignal.timeout(seconds * 1000)]);
  let latest = known;
  try {
    for await (const status of queue.watch(known.id, { signal: ended })) {
      latest = status;
      if (ended.aborted) break;
    }
  } catch (error) {
    if (!ended.aborted) throw error;
  }
  return latest;
}
