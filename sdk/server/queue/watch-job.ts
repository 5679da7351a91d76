import { throwIfAborted } from '../../base/abort.js';
import { PippinError } from '../../base/errors.js';
import { Bell } from '../bell.js';
import { FINAL_STATES, type JobStatus } from './types.js';

/**
 * A job is looked at after so long even if no event tells of it, for example because Redis was restarted; then after twice as long, and so on up to
 * the longest pause, since thousands may be watched.
 */
const FIRST_LOOK_MS = 1000;
const LONGEST_LOOK_MS = 10_000;

/** How long Redis may be gone until watching is given up. */
const OUTAGE_MS = 60_000;

/** Where a watcher reads a job's status, and learns that it may have changed. */
export interface WatchedJob {
  status(): Promise<JobStatus | undefined>;
  /** Calls `listener` whenever the job may have changed, until the function that is returned was called. */
  onChange(listener: () => void): () => void;
  /** Milliseconds since 1970 by the clock of Redis. */
  now(): number;
}

/** The statuses of a job, each time it has changed, up to the final one. `INVALID_ARGUMENT` when there is no such job, or not any more. */
export async function* watchJob(
  job: WatchedJob,
  signal: AbortSignal | undefined,
): AsyncGenerator<JobStatus, void, void> {
  const bell = new Bell();
  let stop: (() => void) | undefined;
  try {
    let last = '';
    let reached = job.now();
    let pause = FIRST_LOOK_MS;
    for (;;) {
      throwIfAborted(signal);
      const status = await job.status().catch((error: unknown) => ifOutage(error, job.now() - reached));
      if (status !== 'unreachable') {
        reached = job.now();
        if (status === undefined) throw unknownJob();
        const text = JSON.stringify(status);
        pause = text === last ? Math.min(2 * pause, LONGEST_LOOK_MS) : FIRST_LOOK_MS;
        if (text !== last) yield status;
        if (FINAL_STATES.includes(status.state)) return;
        last = text;
        if (stop === undefined) {
          // Only now, since nothing is opened for a job that there is not. It may have changed since it was read.
          stop = job.onChange(() => bell.ring());
          bell.ring();
        }
        // No event tells that a deadline is over.
        const left = status.deadline - reached;
        if (left > 0) pause = Math.min(pause, left + 1);
      }
      await bell.wait(pause, signal);
    }
  } finally {
    stop?.();
  }
}

/** The error for a job that is not there. */
export function unknownJob(): PippinError {
  return new PippinError('INVALID_ARGUMENT', 'expected the id of a job that the queue has, got another one', {
    hint: 'results are kept for a set time (keepResults); submit the job again',
  });
}

function ifOutage(error: unknown, forMs: number): 'unreachable' {
  const isOutage = error instanceof PippinError && error.code === 'QUEUE_UNAVAILABLE';
  if (isOutage && forMs < OUTAGE_MS) return 'unreachable';
  throw error;
}
