import type { FastifyInstance } from 'fastify';
import type { JobStatus } from '../queue/types.js';
import type { ApiKey } from './api-key.js';
import type { AskedQueue } from './ask-queue.js';
import type { Callers } from './callers.js';
import type { FrontQueue } from './front-queue.js';
import type { HeldRequests } from './held-requests.js';
import type { KnownCircuits } from './known-circuits.js';
import type { OpenJobLimit } from './open-job-limit.js';
import type { FrontSettings } from './options.js';
import { type Problem, problemOf, RequestError } from './problem.js';
import type { ReceivedBodies } from './received-bodies.js';

/** What the routes of the API share. */
export interface RouteContext {
  readonly queue: FrontQueue;
  /** The same queue, with a limit on how long it may take to answer. */
  readonly asked: AskedQueue;
  readonly callers: Callers;
  readonly circuits: KnownCircuits;
  readonly openJobs: OpenJobLimit;
  readonly bodies: ReceivedBodies;
  readonly settings: FrontSettings;
  readonly held: HeldRequests;
}

/** Adds routes to a scope of the application. */
export type AddRoutes = (scope: FastifyInstance, context: RouteContext) => void;

/** A job as its owner sees it: without whom it belongs to, and which worker has it. */
export function shownJob({ owner: _, worker: __, error, ...job }: JobStatus): ShownJob {
  return error === undefined ? job : { ...job, error: problemOf(error) };
}

type ShownJob = Omit<JobStatus, 'owner' | 'worker' | 'error'> & { readonly error?: Problem };

/** A job of the caller's. Those of others are as little there as those that nobody has. */
export async function ownJob({ asked }: RouteContext, apiKey: ApiKey, id: string): Promise<JobStatus> {
  const job = await asked.ask((queue) => queue.status(id));
  if (job !== undefined && job.owner === apiKey.name) return job;
  throw new RequestError('NOT_FOUND', 'expected the id of a job of this API key, got another', {
    hint: 'ids are those that POST /v1/proofs has answered; jobs are kept for some time after their end',
  });
}
