import type { Job, Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { PippinError, type PippinErrorCode } from 'pippin-prover';
import { isObject, ownMembers } from '../../../sdk/base/records.js';
import type { JobError, JobState, JobStatus, ProofResult } from './types.js';

/**
 * The data of a job in BullMQ. The sealed input is stored apart in Redis, so that reading a job's state does not read
 * it.
 */
export interface JobData {
  /** The random name of the job's sealed input: of two requests with one id, only one input belongs to the job. */
  readonly input: string;
  readonly deadline: number;
  readonly priority: number;
  readonly owner?: string;
}

/** The progress of a worker in BullMQ. */
export interface JobProgress {
  readonly progress: number;
  readonly phase: string;
}

/** The progress of a job from BullMQ; 0 before the first report. */
export function progressOf(progress: unknown): Partial<JobProgress> & { readonly progress: number } {
  if (!isObject(progress) || typeof progress.progress !== 'number') return { progress: 0 };
  return { progress: progress.progress, ...(typeof progress.phase === 'string' && { phase: progress.phase }) };
}

/**
 * The error that BullMQ stores for a failed job: the message is our error as JSON, without a stack, in which foreign
 * error texts could show a value of an input.
 */
export function failureOf({ code, message, hint }: JobError): Error {
  const error = new Error(JSON.stringify({ code, message, hint }));
  error.stack = '';
  return error;
}

/** The error of a job that BullMQ failed because workers died while proving it. */
export const WORKERS_DIED: JobError = {
  code: 'WORKER_FAILED',
  message: 'expected a worker that proves the job, got several that died while they did',
  hint: "the operator finds the reason in the workers' log; too little memory for the key is the usual one",
};

/** The error of a job that missed its deadline. */
export const OVERDUE: JobError = {
  code: 'DEADLINE_PASSED',
  message: 'expected a proof before the deadline of the job, got none',
  hint: 'submit it again with a later deadline or a better priority; more workers make a farm faster',
};

/** The error of a failed job. BullMQ has its own texts for jobs that it fails. */
function jobErrorOf(failedReason: string): JobError {
  try {
    const { code, message, hint } = ownMembers(JSON.parse(failedReason) as unknown);
    if (typeof code === 'string' && typeof message === 'string') {
      return { code: code as PippinErrorCode, message, ...(typeof hint === 'string' && { hint }) };
    }
  } catch {
    // Not ours.
  }
  return WORKERS_DIED;
}

/**
 * The error that callers get for an error in a worker. Only our own errors are known to hold no secrets; of others only
 * the name is passed on.
 */
export function jobErrorFrom(error: unknown): JobError {
  if (error instanceof PippinError) {
    const { code, message, hint } = error;
    return { code, message, ...(hint !== undefined && { hint }) };
  }
  const name = error instanceof Error ? error.constructor.name : typeof error;
  return { code: 'INTERNAL', message: `expected a proof, got an unexpected ${name} in the worker` };
}

/** A job in BullMQ. */
export type ProofJob = Job<JobData, ProofResult>;

/** A circuit's queue. */
export type CircuitQueue = Queue<JobData, ProofResult>;

/** The status of a job at `now`; undefined for an unknown one. */
export async function readJobStatus(
  client: Redis,
  queue: CircuitQueue,
  id: string,
  now: number,
): Promise<JobStatus | undefined> {
  // First the state, then the contents: these are newer then, and show by themselves whether the job has ended.
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

/** Whether a job waits that no worker will start any more. There may be no worker to end it. */
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
    ...timesOf(job),
    attempts: job.attemptsStarted,
    ...(job.processedBy !== undefined && { worker: job.processedBy }),
  };
}

/**
 * BullMQ takes the times of a worker from the clock of its machine, `submitted` is by the clock of Redis: no time is
 * before the one that it follows, whatever the clocks say.
 */
function timesOf(job: ProofJob): Pick<JobStatus, 'submitted' | 'started' | 'finished'> {
  const submitted = job.timestamp;
  const started = job.processedOn && Math.max(job.processedOn, submitted);
  const finished = job.finishedOn && Math.max(job.finishedOn, started ?? submitted);
  return { submitted, ...(started && { started }), ...(finished && { finished }) };
}

function outcomeOf(job: ProofJob, state: string): Pick<JobStatus, 'state' | 'result' | 'error'> & Partial<JobStatus> {
  if (job.finishedOn === undefined) return { state: unfinishedState(state) };
  // A job proved in a retry still holds the error of an earlier attempt.
  if (isObject(job.returnvalue)) return { state: 'proved', result: job.returnvalue, progress: 1 };
  const error = jobErrorOf(job.failedReason);
  return { state: error.code === 'ABORTED' ? 'cancelled' : 'failed', error };
}

function unfinishedState(state: string): JobState {
  if (state === 'active') return 'proving';
  return state === 'delayed' ? 'delayed' : 'waiting';
}

/**
 * The number of jobs before a waiting one. A job returned after its worker died is in a separate list, before all
 * others.
 */
async function positionOf(client: Redis, queue: CircuitQueue, id: string): Promise<number> {
  const [rank, before] = await Promise.all([
    client.zrank(queue.toKey('prioritized'), id),
    client.llen(queue.toKey('wait')),
  ]);
  return rank === null ? 0 : rank + before;
}
