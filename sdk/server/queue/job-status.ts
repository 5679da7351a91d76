import type { Job, Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { isObject } from '../../is-object.js';
import { type JobData, type JobProgress, jobErrorOf } from './job-data.js';
import type { JobState, JobStatus, ProofResult } from './types.js';

/** A job as BullMQ has it. */
export type ProofJob = Job<JobData, ProofResult>;

/** A circuit's queue. */
export type CircuitQueue = Queue<JobData, ProofResult>;

/** What BullMQ knows of a job; undefined for one that it does not have. */
export async function readJobStatus(client: Redis, queue: CircuitQueue, id: string): Promise<JobStatus | undefined> {
  // First where it stands, then what it holds: what it holds is newer then, and tells by itself whether the job has ended.
  const state = await queue.getJobState(id);
  if (state === 'unknown') return undefined;
  const job: ProofJob | undefined = await queue.getJob(id);
  if (job === undefined) return undefined;
  const status = { ...factsOf(job), ...outcomeOf(job, state) };
  return status.state === 'waiting' ? { ...status, position: await positionOf(client, queue, id) } : status;
}

function factsOf(job: ProofJob): Omit<JobStatus, 'state'> {
  const { owner, deadline, priority } = job.data;
  const { progress, phase } = progressOf(job.progress);
  return {
    id: job.id!,
    circuit: job.queueName,
    ...(owner !== undefined && { owner }),
    priority,
    deadline,
    progress,
    ...(phase !== undefined && { phase }),
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

function progressOf(progress: unknown): Partial<JobProgress> & { readonly progress: number } {
  if (!isObject(progress) || typeof progress.progress !== 'number') return { progress: 0 };
  return { progress: progress.progress, ...(typeof progress.phase === 'string' && { phase: progress.phase }) };
}

/** How many jobs come before one that waits. A job that came back from a worker that died is in a list of its own, before all others. */
async function positionOf(client: Redis, queue: CircuitQueue, id: string): Promise<number> {
  const [rank, before] = await Promise.all([
    client.zrank(queue.toKey('prioritized'), id),
    client.llen(queue.toKey('wait')),
  ]);
  return rank === null ? 0 : rank + before;
}
