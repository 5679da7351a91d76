import { FINAL_STATES } from '../queue/types.js';
import { RequestError } from './problem.js';
import { type AddRoutes, ownJob, shownJob, waitForJob } from './routes.js';
import { API_KEY, answers, jobPath, waitQuery } from './schemas.js';

interface JobRoute {
  Params: { readonly id: string };
  Querystring: { readonly wait?: number };
}

/** The codes of jobs that ended without a result, but not by a fault. */
const ENDED_EARLY: ReadonlySet<string> = new Set(['CANCELLED', 'ABORTED']);

/** The routes of a job that exists: its status, its result, and its cancellation. */
export const addJobRoutes: AddRoutes = (scope, context) => {
  const { asked, callers, circuits, openJobs, queue } = context;

  scope.get<JobRoute>('/v1/proofs/:id', {
    schema: {
      operationId: 'getProof',
      security: API_KEY,
      summary: 'The status of a job',
      params: jobPath,
      querystring: waitQuery,
      response: answers({ 200: { schema: 'Job', description: 'the job' } }),
    },
    handler: async (request, reply) => {
      const apiKey = callers.of(request);
      const job = await ownJob(context, apiKey, request.params.id);
      return shownJob(await waitForJob(context, apiKey, reply, job, request.query.wait));
    },
  });

  scope.get<JobRoute>('/v1/proofs/:id/result', {
    schema: {
      operationId: 'getResult',
      security: API_KEY,
      summary: 'The proof of a job',
      description: 'A job without a proof is a problem: NOT_READY, or why it failed.',
      params: jobPath,
      response: answers({ 200: { schema: 'ProofResult', description: 'the proof' } }),
    },
    handler: async (request) => {
      const job = await ownJob(context, callers.of(request), request.params.id);
      if (job.result !== undefined) return job.result;
      if (!FINAL_STATES.includes(job.state)) {
        throw new RequestError('NOT_READY', `expected a job that has ended, got one that is ${job.state}`, {
          hint: 'follow /events, or ask for the status with wait',
          retryAfter: 1,
        });
      }
      const { code = 'INTERNAL', message = 'expected a proof, got none', hint } = job.error ?? {};
      throw new RequestError(ENDED_EARLY.has(code) ? 'CANCELLED' : code, message, hint === undefined ? {} : { hint });
    },
  });

  scope.delete<JobRoute>('/v1/proofs/:id', {
    schema: {
      operationId: 'cancelProof',
      security: API_KEY,
      summary: 'Cancel a job',
      description:
        'A job that waits is removed, and one that is being proved is stopped. A job that has ended stays as it is.',
      params: jobPath,
      response: answers({ 200: { schema: 'Job', description: 'the job' } }),
    },
    handler: async (request) => {
      const apiKey = callers.of(request);
      const { id } = await ownJob(context, apiKey, request.params.id);
      const job = await asked.ask(() => queue.cancel(id));
      if (job === undefined)
        throw new RequestError('NOT_FOUND', 'expected a job that is still kept, got one that is not');
      if (FINAL_STATES.includes(job.state)) await openJobs.giveBack(apiKey.name, id);
      return shownJob(job);
    },
  });

  scope.get('/v1/circuits', {
    schema: {
      operationId: 'listCircuits',
      security: API_KEY,
      summary: 'The circuits that the API key may use',
      response: {
        ...answers({}),
        200: {
          description: 'the circuits',
          content: {
            'application/json': {
              schema: {
                type: 'object',
                properties: { circuits: { type: 'array', items: { $ref: 'Circuit#' } } },
                required: ['circuits'],
              },
            },
          },
        },
      },
    },
    handler: async (request) => ({ circuits: await circuits.list(callers.of(request)) }),
  });
};
