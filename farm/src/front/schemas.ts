import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { LAST_PRIORITY, USUAL_PRIORITY } from '../queue/read-request.js';
import { FINAL_STATES, type JobState } from '../queue/types.js';

/**
 * JSON schemas of requests and responses. They validate requests, serialize responses, and appear in the OpenAPI
 * document.
 */

const STATES: readonly JobState[] = ['waiting', 'delayed', 'proving', ...FINAL_STATES];

/** The maximum wait of a request for its job in seconds. Proxies and clients commonly give up after a minute. */
const LONGEST_WAIT = 60;

/** In the OpenAPI document: the route needs an API key. */
export const API_KEY = [{ apiKey: [] }];

const milliseconds = (description: string) => ({
  type: 'integer',
  minimum: 0,
  description: `${description}, in milliseconds since 1970`,
});

const problem = {
  $id: 'Problem',
  type: 'object',
  description: 'Why a request was refused, or a job failed. It never shows a value of an input or of a witness.',
  properties: {
    code: { type: 'string', description: 'what went wrong; these names are stable' },
    message: { type: 'string', description: 'what was expected and what came' },
    hint: { type: 'string', description: 'what can be done about it, where there is something to suggest' },
  },
  required: ['code', 'message'],
} as const;

/** A list of decimal numbers: a point of G1. */
const numbers = { type: 'array', items: { type: 'string' } } as const;

/** An object that has each of these members. */
function objectOf(properties: Readonly<Record<string, object>>) {
  return { type: 'object', properties, required: Object.keys(properties) } as const;
}

/** A proof by its members in snarkjs' form. */
function proofOf(protocol: string, members: Readonly<Record<string, object>>) {
  return objectOf({ ...members, protocol: { type: 'string', enum: [protocol] }, curve: { type: 'string' } });
}

/** The same schema for each name. */
function each(names: string, schema: object): Readonly<Record<string, object>> {
  return Object.fromEntries(names.split(' ').map((name) => [name, schema]));
}

const number = { type: 'string' } as const;

/** The proofs of each proof system. */
const PROOFS = [
  proofOf('groth16', { pi_a: numbers, pi_b: { type: 'array', items: numbers }, pi_c: numbers }),
  proofOf('plonk', {
    ...each('A B C Z T1 T2 T3 Wxi Wxiw', numbers),
    ...each('eval_a eval_b eval_c eval_s1 eval_s2 eval_zw', number),
  }),
  proofOf('fflonk', {
    polynomials: objectOf(each('C1 C2 W1 W2', numbers)),
    evaluations: objectOf(each('ql qr qm qo qc s1 s2 s3 a b c z zw t1w t2w inv', number)),
  }),
];

const proofResult = {
  $id: 'ProofResult',
  type: 'object',
  description: "A proof, verified by the worker that made it, in snarkjs' JSON form.",
  properties: {
    proof: { anyOf: PROOFS },
    publicSignals: { type: 'array', items: { type: 'string', description: 'a decimal number' } },
  },
  required: ['proof', 'publicSignals'],
} as const;

const job = {
  $id: 'Job',
  type: 'object',
  description:
    'A job, which is a proof that was asked for. After the states proved, failed and cancelled it does not change any more.',
  properties: {
    id: { type: 'string' },
    circuit: { type: 'string' },
    state: { type: 'string', enum: STATES },
    priority: { type: 'integer' },
    deadline: milliseconds('when the proof is no longer wanted'),
    progress: {
      type: 'number',
      minimum: 0,
      maximum: 1,
      description: 'over loading the key and proving; it never falls',
    },
    phase: { type: 'string', description: 'what the worker does, while the job is being proved' },
    position: { type: 'integer', description: 'how many jobs of the circuit are before this one' },
    submitted: milliseconds('when it came'),
    started: milliseconds('when a worker took it last'),
    finished: milliseconds('when it ended'),
    attempts: { type: 'integer', description: 'how often a worker has taken it' },
    result: { $ref: 'ProofResult#' },
    error: { $ref: 'Problem#' },
    created: {
      type: 'boolean',
      description: 'in the answer to a submission: false if there was a job of this id already',
    },
  },
  required: ['id', 'circuit', 'state', 'priority', 'deadline', 'progress', 'submitted', 'attempts'],
} as const;

const circuit = {
  $id: 'Circuit',
  type: 'object',
  properties: {
    id: { type: 'string' },
    keySha256: { type: 'string', description: "SHA-256 of the proving key's file, in hexadecimal" },
    curve: { type: 'string', description: "the curve's name in snarkjs" },
    publicSignals: { type: 'integer', description: 'the number of public signals' },
    variables: { type: 'integer', description: 'the number of values of a witness, where it is known' },
    takesInputs: { type: 'boolean', description: 'whether jobs may hold inputs; otherwise they hold a witness' },
  },
  required: ['id', 'keySha256', 'curve', 'publicSignals', 'takesInputs'],
} as const;

const verdict = {
  $id: 'Verdict',
  type: 'object',
  properties: {
    valid: { type: 'boolean', description: 'whether all proofs hold' },
    failed: {
      type: 'array',
      items: { type: 'integer' },
      description: 'the indices of the proofs that do not hold, ascending',
    },
    errors: {
      type: 'array',
      description: 'for each of these that is no proof of the circuit at all, why',
      items: objectOf({ index: { type: 'integer' }, code: number, message: number }),
    },
  },
  required: ['valid', 'failed', 'errors'],
} as const;

const SHARED_SCHEMAS = [problem, proofResult, job, circuit, verdict];

/** The id of a circuit, in a request. */
const circuitId = { type: 'string', minLength: 1, maxLength: 200, description: 'the id of a circuit' } as const;

/** The maximum of proofs that a request may have verified. */
const MOST_PROOFS = 4096;

export const verifyBody = {
  type: 'object',
  properties: {
    circuit: circuitId,
    proofs: {
      type: 'array',
      minItems: 1,
      maxItems: MOST_PROOFS,
      description: "proofs with their public signals, in snarkjs' JSON form, as results of jobs are",
      items: {
        type: 'object',
        properties: { publicSignals: { type: 'array', items: number }, proof: { type: 'object' } },
        required: ['publicSignals', 'proof'],
        additionalProperties: false,
      },
    },
  },
  required: ['circuit', 'proofs'],
  additionalProperties: false,
} as const;

/** The members of a submission besides its inputs or witness. */
const submission = {
  circuit: circuitId,
  id: {
    type: 'string',
    pattern: '^[A-Za-z0-9_-]{1,40}$',
    description:
      'your own name for the job. The same name again gives the job that exists, so that a request can be repeated safely',
  },
  priority: {
    type: 'integer',
    minimum: 0,
    maximum: LAST_PRIORITY,
    description: `0 is proved first; default ${USUAL_PRIORITY}`,
  },
  deadline: milliseconds('when the proof is no longer wanted'),
} as const;

export const SUBMISSION_NAMES = [...Object.keys(submission), 'inputs'];

export const inputsBody = {
  type: 'object',
  properties: {
    ...submission,
    inputs: {
      type: 'object',
      description:
        "the values of the circuit's input signals: integers as decimal strings, in arrays and objects as the circuit has them",
      additionalProperties: true,
    },
  },
  required: ['circuit', 'inputs'],
  additionalProperties: false,
} as const;

const wait = {
  type: 'integer',
  minimum: 0,
  maximum: LONGEST_WAIT,
  description: 'seconds for which the answer may wait for the job to end; default 0',
} as const;

export const submitQuery = {
  type: 'object',
  properties: { wait, ...submission },
  additionalProperties: false,
} as const;

export const waitQuery = { type: 'object', properties: { wait }, additionalProperties: false } as const;

export const jobPath = {
  type: 'object',
  properties: { id: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,300}$', description: 'the id of a job' } },
  required: ['id'],
} as const;

/** A response of one of the shared schemas, and the possible problems of a route. */
export function answers(statuses: Readonly<Record<number, { schema: string; description: string }>>): object {
  const entries = Object.entries(statuses).map(([status, { schema, description }]) => [
    status,
    { description, content: { 'application/json': { schema: { $ref: `${schema}#` } } } },
  ]);
  return { ...Object.fromEntries(entries), ...PROBLEMS };
}

export const PROBLEMS = Object.fromEntries(
  ['4xx', '5xx'].map((status) => [
    status,
    { description: 'a problem', content: { 'application/problem+json': { schema: { $ref: 'Problem#' } } } },
  ]),
);

/** Generates the OpenAPI document from the schemas of all routes added afterwards, and serves it at `/openapi.json`. */
export async function describeApi(app: FastifyInstance): Promise<void> {
  for (const schema of SHARED_SCHEMAS) app.addSchema(schema);
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Pippin prover farm',
        description: 'Asks a farm of workers for zero-knowledge proofs.',
        version: '1',
      },
      components: {
        securitySchemes: { apiKey: { type: 'http', scheme: 'bearer', description: 'the API key' } },
      },
    },
    // Components are named after the schemas.
    refResolver: { buildLocalReference: (json, _, __, i) => (typeof json.$id === 'string' ? json.$id : `schema-${i}`) },
  });
  app.get('/openapi.json', { schema: { hide: true } as object }, async () => app.swagger());
}
