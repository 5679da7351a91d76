import type { FastifyInstance, FastifyReply } from 'fastify';
import { onAbort } from '../../../sdk/base/abort.js';
import { nearestName } from '../../../sdk/base/nearest-name.js';
import { type CircuitInfo, FINAL_STATES, type JobStatus } from '../queue/types.js';
import type { ApiKey } from './api-keys.js';
import type { AskedQueue, KnownCircuits } from './asked-queue.js';
import type { ReceivedBodies } from './bodies.js';
import type { Callers } from './callers.js';
import type { HeldRequests } from './held-requests.js';
import type { OpenJobLimit } from './open-jobs.js';
import type { FrontQueue, FrontSettings } from './options.js';
import { type Problem, problemOf, RequestError } from './problem.js';

/** The shared context of the routes. */
export interface RouteContext {
  readonly queue: FrontQueue;
  /** The same queue, with a timeout. */
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

/** A job as its owner sees it: without owner and worker. */
export function shownJob({ owner: _, worker: __, error, ...job }: JobStatus): ShownJob {
  return error === undefined ? job : { ...job, error: problemOf(error) };
}

type ShownJob = Omit<JobStatus, 'owner' | 'worker' | 'error'> & { readonly error?: Problem };

/** A job of the caller. Jobs of others are answered as missing. */
export async function ownJob({ asked }: RouteContext, apiKey: ApiKey, id: string): Promise<JobStatus> {
  const job = await asked.ask((queue) => queue.status(id));
  if (job !== undefined && job.owner === apiKey.name) return job;
  throw new RequestError('NOT_FOUND', 'expected the id of a job of this API key, got another', {
    hint: 'ids are those that POST /v1/proofs has answered; jobs are kept for some time after their end',
  });
}

/** The circuit, if the key may use it. Others are answered as missing. */
export async function allowedCircuit({ circuits }: RouteContext, apiKey: ApiKey, wanted: string): Promise<CircuitInfo> {
  const circuit = await circuits.find(wanted, apiKey);
  if (circuit !== undefined) return circuit;
  const ids = (await circuits.list(apiKey)).map(({ id }) => id);
  const near = nearestName(wanted, ids);
  throw new RequestError('NOT_FOUND', 'expected the id of a circuit that this API key may use, got another', {
    hint: near === undefined ? 'GET /v1/circuits lists them' : `did you mean ${near}?`,
  });
}

/**
 * The final status of a job, or its latest one after so many seconds or when the request is over. While waiting, the
 * request counts among the held requests of its API key: `TOO_MANY_WAITING` if they are too many.
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
  // Not `AbortSignal.any` with a timeout: in Node 20 the garbage collector may take the timeout, which then never
  // fires.
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
