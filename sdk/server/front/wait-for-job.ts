import type { FastifyReply } from 'fastify';
import { onAbort } from '../../base/abort.js';
import { FINAL_STATES, type JobStatus } from '../queue/types.js';
import type { ApiKey } from './api-key.js';
import type { FrontQueue } from './front-queue.js';
import type { RouteContext } from './routes.js';

/**
 * The status of a job when it has ended, or its latest one after so many seconds or when the request is over. While it waits, the request is one of
 * those of its API key that are held: `TOO_MANY_WAITING` if they are too many.
 *
 * @param known its status now.
 */
export async function waitForJob(
  { queue, held }: Pick<RouteContext, 'queue' | 'held'>,
  apiKey: ApiKey,
  reply: FastifyReply,
  known: JobStatus,
  seconds = 0,
): Promise<JobStatus> {
  if (seconds === 0) return known;
  const { signal, release } = held.hold(apiKey, reply);
  try {
    return await latestStatus(queue, known, seconds, signal);
  } finally {
    release();
  }
}

async function latestStatus(
  queue: FrontQueue,
  known: JobStatus,
  seconds: number,
  signal: AbortSignal,
): Promise<JobStatus> {
  if (FINAL_STATES.includes(known.state)) return known;
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
