import type { Job, Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { isObject } from '../../base/is-object.js';
import { type JobData, jobErrorOf, OVERDUE, progressOf } from './job-data.js';
import type { JobState, JobStatus, ProofResult } from './types.js';

/** A job as BullMQ has it. */
export type ProofJob = Job<JobData, ProofResult>;

/** A circuit's queue. */
export type CircuitQueue = Queue<JobData, ProofResult>;

/** What BullMQ knows of a job `now`; undefined for one that it does not have. */
export async function readJobStatus(
  client: Redis,
  queue: CircuitQueue,
  id: string,
  now: number,
): Promise<JobStatus | undefined> {
  // First where it stands, then what it holds: what it holds is newer then, and tells by itself whether the job has ended.
  const state = await queue.getJobState(id);
  if (state === 'unknown') return undefined;
  const job: ProofJob | undefined = await queue.getJob(id);
  if (job === undefined) return undefined;
  const status = { ...factsOf(job), ...outcomeOf(job, state) };
  const { phase } = progressOf(job.progress);
  if (status.state === 'proving' && phase !== undefined) return { ...status, phase };
  if (isOverdue(status, now)) return { ...status, state: 'failed', finished: status.deadline, error: OVERDUE };
  return status.state === 'waiting' ? { ...status, position: await positionOf(client, queue, id) } : status;
}

/** Whether a job waits that no worker will begin any more. There may be no worker that ends it. */
function isOverdue({ state, deadline }: JobStatus, now: number): boolean {
  return (state === 'waiting' || state === 'delayed') && deadline <= now;
}

function factsOf(job: ProofJob): Omit<JobStatus, 'state' | 'phase'> {
  const { owner, deadline, priority } = job.data;
  return {
    id: job.id!,
    circuit: job.queueName,
    ...(owner !== undefined && { owner }),
    priority,
    deadline,
    progress: progressOf(job.progress).progress,
    submitted: job.timestamp,
    ...(job.processedOn !== undefined && { started: job.processedOn }),
    ...(job.finishedOn !== undefined && { finished: job.finishedOn }),
    attempts: job.attemptsStarted,
    ...(job.processedBy !== undefined && { worker: job.processedBy }),
  };
}

function outcomeOf(job: ProofJob, state: string): Pick<JobStatus, 'state' | 'result' | 'error'> & Partial<JobStatus> {
  if (job.finishedOn === undefined) return { state: unfinishedState(state) };
  // A job that was proved at a later try still holds the error of an earlier one.
  if (isObject(job.returnvalue)) return { state: 'proved', result: job.returnvalue, progress: 1 };
  const error = jobErrorOf(job.failedReason);
  return { state: error.code === 'ABORTED' ? 'cancelled' : 'failed', error };
}

function unfinishedState(state: string): JobState {
  if (state === 'active') return 'proving';
  return state === 'delayed' ? 'delayed' : 'waiting';
}

/** How many jobs come before one that waits. A job that came back from a worker that died is in a list of its own, before all others. */
async function positionOf(client: Redis, queue: CircuitQueue, id: string): Promise<number> {
  const [rank, before] = await Promise.all([
    client.zrank(queue.toKey('prioritized'), id),
    client.llen(queue.toKey('wait')),
  ]);
  return rank === null ? 0 : rank + before;
}
