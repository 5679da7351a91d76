import { PippinError, type PippinErrorCode } from '../../base/errors.js';
import { isObject, ownMembers } from '../../base/is-object.js';
import type { JobError } from './types.js';

/** What BullMQ keeps of a job. The input lies in Redis on its own, sealed, so that reading a job's state does not read it. */
export interface JobData {
  /** The name under which the job's sealed input lies: random, so that of two requests with one id only one input belongs to the job. */
  readonly input: string;
  readonly deadline: number;
  readonly priority: number;
  readonly owner?: string;
}

/** A worker's progress as BullMQ keeps it. */
export interface JobProgress {
  readonly progress: number;
  readonly phase: string;
}

/** The progress of a job as BullMQ gives it; none has been told of at first. */
export function progressOf(progress: unknown): Partial<JobProgress> & { readonly progress: number } {
  if (!isObject(progress) || typeof progress.progress !== 'number') return { progress: 0 };
  return { progress: progress.progress, ...(typeof progress.phase === 'string' && { phase: progress.phase }) };
}

/**
 * The error with which BullMQ keeps a failed job: the message is our error as JSON, and there is no stack, in which the text of foreign errors could
 * show a value of an input.
 */
export function failureOf({ code, message, hint }: JobError): Error {
  const error = new Error(JSON.stringify({ code, message, hint }));
  error.stack = '';
  return error;
}

/** The error of a job that BullMQ has given up because workers died while they proved it. */
export const WORKERS_DIED: JobError = {
  code: 'WORKER_FAILED',
  message: 'expected a worker that proves the job, got several that died while they did',
  hint: "the operator finds the reason in the workers' log; too little memory for the key is the usual one",
};

/** The error of a job that was not proved in time. */
export const OVERDUE: JobError = {
  code: 'DEADLINE_PASSED',
  message: 'expected a proof before the deadline of the job, got none',
  hint: 'submit it again with a later deadline or a better priority; more workers make a farm faster',
};

/** The error of a failed job. BullMQ has words of its own for jobs that it gives up. */
export function jobErrorOf(failedReason: string): JobError {
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

/** What callers get for an error in a worker. Only our own errors are known to hold no secrets; of others the name alone is told. */
export function jobErrorFrom(error: unknown): JobError {
  if (isPippinError(error)) {
    const { code, message, hint } = error;
    return { code, message, ...(hint !== undefined && { hint }) };
  }
  const name = error instanceof Error ? error.constructor.name : typeof error;
  return { code: 'INTERNAL', message: `expected a proof, got an unexpected ${name} in the worker` };
}

/** Errors of our own may come from another copy of the class: the worker's script holds one, and the prover's another. */
function isPippinError(error: unknown): error is PippinError {
  return error instanceof PippinError || (isObject(error) && error.name === 'PippinError');
}
