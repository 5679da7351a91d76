import type { FastifyInstance, InjectOptions } from 'fastify';
import { afterEach, expect } from 'vitest';
import { type ApiKey, createFront, type FrontOptions, newApiKey } from '../../farm/src/index.js';
import { FakeProofQueue } from './fake-proof-queue.js';

const opened: FastifyInstance[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((app) => app.close()));
});

export interface TestFront {
  readonly app: FastifyInstance;
  readonly queue: FakeProofQueue;
  /** API keys by the names of their owners. */
  readonly keys: Readonly<Record<string, string>>;
  /** Sends a request with the key of an owner, by default `alice`. */
  send(request: InjectOptions, owner?: string): Promise<TestResponse>;
  /** Submits inputs to `note`, or what is given. */
  submit(body?: object, owner?: string, query?: string): Promise<TestResponse>;
}

export interface TestResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  // biome-ignore lint/suspicious/noExplicitAny: JSON, whose members tests compare.
  readonly body: any;
  readonly text: string;
}

/**
 * A front over a queue in memory, closed after the test. Owners are `alice`, `bob` and the operator `root`, each with
 * changes of their own.
 */
export async function openFront(
  owners: Readonly<Record<string, Partial<ApiKey>>> = {},
  options: Partial<FrontOptions> = {},
): Promise<TestFront> {
  const queue = new FakeProofQueue();
  const made = ['alice', 'bob', 'root'].map((name) => [name, newApiKey()] as const);
  const apiKeys = made.map(([name, { sha256 }]) => ({ name, sha256, operator: name === 'root', ...owners[name] }));
  const app = await createFront({ queue, apiKeys, ...options });
  opened.push(app);
  const keys = Object.fromEntries(made.map(([name, { key }]) => [name, key]));
  const send = async (request: InjectOptions, owner = 'alice'): Promise<TestResponse> => {
    const authorization = { authorization: `Bearer ${keys[owner]}` };
    return responseOf(await app.inject({ ...request, headers: { ...authorization, ...request.headers } }));
  };
  const submit = (body: object = { circuit: 'note', inputs: { a: '1' } }, owner = 'alice', query = '') =>
    send({ method: 'POST', url: `/v1/proofs${query}`, payload: body }, owner);
  return { app, queue, keys, send, submit };
}

export function responseOf(response: { statusCode: number; headers: object; payload: string }): TestResponse {
  const { statusCode: status, payload: text } = response;
  const headers = response.headers as Readonly<Record<string, string | undefined>>;
  const body = /json/.test(headers['content-type'] ?? '') ? JSON.parse(text) : undefined;
  return { status, headers, body, text };
}

/** Expects a response to be a problem in the one shape that all have. */
export function expectProblem({ status, headers, body }: TestResponse, expected: number, code: string): void {
  expect({ status, code: body?.code }).toEqual({ status: expected, code });
  expect(headers['content-type']).toBe('application/problem+json; charset=utf-8');
  expect(typeof body.message).toBe('string');
  expect(Object.keys(body).filter((name) => !['code', 'message', 'hint'].includes(name))).toEqual([]);
}
