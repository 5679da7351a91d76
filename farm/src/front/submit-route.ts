import { randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CircuitInputs } from 'pippin-prover';
import { checkInputs } from 'pippin-prover/encodings';
import { jobIdOf } from '../queue/names.js';
import { USUAL_PRIORITY } from '../queue/read-request.js';
import { type CircuitInfo, FINAL_STATES, type JobStatus, type ProofRequest } from '../queue/types.js';
import type { ApiKey } from './api-keys.js';
import type { OpenJob } from './open-jobs.js';
import { longestBody } from './options.js';
import { RequestError } from './problem.js';
import { type AddRoutes, allowedCircuit, type RouteContext, shownJob, waitForJob } from './routes.js';
import { API_KEY, answers, inputsBody, submitQuery } from './schemas.js';

const STANDARD_OPEN_JOBS = 100;

interface Submission {
  readonly circuit?: string;
  readonly id?: string;
  readonly priority?: number;
  readonly deadline?: number;
}
type SubmitQuery = Submission & { readonly wait?: number };
type InputsBody = Submission & { readonly inputs: CircuitInputs };

/** `POST /v1/proofs`. */
export const addSubmitRoute: AddRoutes = (scope, context) => {
  scope.route<{ Querystring: SubmitQuery; Body: InputsBody | Buffer }>({
    method: 'POST',
    url: '/v1/proofs',
    schema: {
      operationId: 'submitProof',
      security: API_KEY,
      summary: 'Ask for a proof',
      description:
        'The body holds the inputs of the circuit as JSON, or its witness as a .wtns file; then circuit, id, priority and deadline stand in the query.',
      querystring: submitQuery,
      body: {
        content: {
          'application/json': { schema: inputsBody },
          'application/octet-stream': { schema: { contentMediaType: 'application/octet-stream' } },
        },
      },
      response: answers({
        200: { schema: 'Job', description: 'a job that has ended' },
        202: { schema: 'Job', description: 'a job that was taken and has not ended' },
      }),
    },
    handler: (request, reply) => submit(context, request, reply),
  });
};

type SubmitRequest = FastifyRequest<{ Querystring: SubmitQuery; Body: InputsBody | Buffer }>;

async function submit(context: RouteContext, request: SubmitRequest, reply: FastifyReply): Promise<object> {
  const apiKey = context.callers.of(request);
  const { submitted, created } = await enqueued(context, apiKey, request);
  // While the request waits for the job, its body can be released.
  context.bodies.release(request);
  const job = await waitForJob(context, apiKey, reply, submitted, request.query.wait);
  reply.header('Location', `/v1/proofs/${job.id}`).code(FINAL_STATES.includes(job.state) ? 200 : 202);
  return { ...shownJob(job), created };
}

/** The job of a submission; made unless it exists. */
async function enqueued(
  context: RouteContext,
  apiKey: ApiKey,
  { body, query }: SubmitRequest,
): Promise<{ submitted: JobStatus; created: boolean }> {
  const { asked, openJobs, queue } = context;
  const wanted = readSubmission(body, query);
  const circuit = await allowedCircuit(context, apiKey, wanted.circuit);
  if (wanted.inputs !== undefined) expectInputs(wanted.inputs, circuit);
  const name = `${apiKey.name}_${wanted.id ?? randomUUID()}`;
  const id = jobIdOf(circuit.id, name);
  // A repeated request gets its job, whatever the limit.
  const earlier = wanted.id === undefined ? undefined : await asked.ask(() => queue.status(id));
  if (earlier !== undefined) return { submitted: earlier, created: false };
  const priority = allowedPriority(apiKey, wanted.priority);
  await takePlace(context, apiKey, { id, bytes: bytesOf(wanted) });
  let created: boolean;
  try {
    ({ created } = await asked.ask(() =>
      queue.submit({ ...wanted, circuit: circuit.id, id: name, priority, owner: apiKey.name }),
    ));
  } catch (error) {
    // After a timeout the job may still arrive, and then keeps its place.
    if (!(error instanceof RequestError)) await openJobs.giveBack(apiKey.name, id);
    throw error;
  }
  const submitted = await asked.ask(() => queue.status(id));
  if (submitted === undefined) throw new RequestError('INTERNAL', 'expected the job that was submitted, got none');
  return { submitted, created };
}

/** The request in body and query. */
function readSubmission(body: InputsBody | Buffer | undefined, query: SubmitQuery): ProofRequest {
  if (body === undefined) {
    // Without a body its schema validates nothing.
    throw new RequestError('INVALID_ARGUMENT', 'expected a body of JSON or a witness, got none');
  }
  const { wait: _, ...inQuery } = query;
  if (!Buffer.isBuffer(body)) {
    const [twice] = Object.keys(inQuery);
    if (twice === undefined) return body as InputsBody & ProofRequest;
    throw new RequestError('INVALID_ARGUMENT', `expected ${twice} in the body, got it in the query`, {
      hint: 'beside inputs, the query holds wait alone',
    });
  }
  const { circuit } = inQuery;
  if (circuit === undefined) {
    throw new RequestError('INVALID_ARGUMENT', 'expected the query with the member circuit, got none', {
      hint: 'beside a witness, circuit, id, priority and deadline stand in the query',
    });
  }
  return { ...inQuery, circuit, witness: body };
}

/**
 * Rejects inputs that no worker could read before they are queued, including JSON numbers beyond 2^53: they have lost
 * digits already.
 */
function expectInputs(inputs: CircuitInputs, { curve, takesInputs }: CircuitInfo): void {
  if (!takesInputs) {
    throw new RequestError('INVALID_ARGUMENT', 'expected a witness for this circuit, got inputs', {
      hint: 'compute the witness, and send the .wtns file as application/octet-stream',
    });
  }
  checkInputs(inputs, curve);
}

function allowedPriority({ highestPriority = USUAL_PRIORITY }: ApiKey, priority: number | undefined): number {
  if (priority === undefined) return Math.max(highestPriority, USUAL_PRIORITY);
  if (priority >= highestPriority) return priority;
  throw new RequestError('FORBIDDEN', `expected a priority from ${highestPriority} for this API key, got ${priority}`, {
    hint: '0 is proved first, 1000 last',
  });
}

/** The approximate size of a request in the queue in bytes. */
function bytesOf({ inputs, witness }: ProofRequest): number {
  return witness?.length ?? Buffer.byteLength(JSON.stringify(inputs));
}

async function takePlace({ asked, openJobs, settings }: RouteContext, apiKey: ApiKey, job: OpenJob): Promise<void> {
  const { name, openJobs: jobs = STANDARD_OPEN_JOBS, openBytes: bytes = 8 * longestBody(settings) } = apiKey;
  if (job.bytes > bytes) {
    throw new RequestError('TOO_LARGE', `expected at most ${bytes} bytes of this API key, got ${job.bytes}`, {
      hint: 'the operator can raise openBytes of the key',
    });
  }
  const full = await asked.ask(() => openJobs.take(name, job, { jobs, bytes }));
  if (full === undefined) return;
  const [code, expected] =
    full === 'jobs'
      ? (['TOO_MANY_JOBS', `${jobs} unfinished jobs of this API key, got one more`] as const)
      : (['TOO_MANY_BYTES', `${bytes} bytes in the unfinished jobs of this API key, got more`] as const);
  throw new RequestError(code, `expected at most ${expected}`, {
    hint: 'wait until some have ended, or cancel them',
    retryAfter: 1,
  });
}
