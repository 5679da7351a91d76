import type { FastifyInstance } from 'fastify';
import { messageOf } from '../../../sdk/base/describe.js';
import type { RouteContext } from './routes.js';

/** The minimum interval of queries to the queue in milliseconds, since anybody may ask whether the server is ready. */
const KEPT_MS = 1000;

const stateSchema = {
  type: 'object',
  properties: { state: { type: 'string' }, reason: { type: 'string' } },
  required: ['state'],
} as const;

const stateAnswer = (description: string) => ({
  description,
  content: { 'application/json': { schema: stateSchema } },
});

/** `GET /healthz`: the process answers. `GET /readyz`: it can take requests. */
export function addHealthRoutes(app: FastifyInstance, { asked, held }: RouteContext): void {
  app.get('/healthz', {
    logLevel: 'warn',
    schema: {
      operationId: 'isAlive',
      summary: 'Whether the server lives',
      response: { 200: stateAnswer('it lives') },
    },
    handler: async () => ({ state: 'alive' }),
  });

  const missing = async (): Promise<string | undefined> => {
    try {
      if (!(await asked.ask((queue) => queue.redisReady()))) return 'Redis does not answer';
      const { workers } = await asked.ask((queue) => queue.farm());
      return workers.some(({ state }) => state === 'ready') ? undefined : 'no worker is ready';
    } catch (error) {
      app.log.warn({ reason: messageOf(error) }, 'not ready');
      return 'Redis does not answer';
    }
  };
  let latest: { readonly at: number; readonly missing: Promise<string | undefined> } | undefined;

  app.get('/readyz', {
    logLevel: 'warn',
    schema: {
      operationId: 'isReady',
      summary: 'Whether the server can take requests: Redis answers, and at least one worker is ready',
      response: { 200: stateAnswer('it is ready'), 503: stateAnswer('it is not') },
    },
    handler: async (_, reply) => {
      const now = performance.now();
      if (latest === undefined || now - latest.at > KEPT_MS) latest = { at: now, missing: missing() };
      const reason = held.isClosing ? 'the server is closing' : await latest.missing;
      if (reason === undefined) return { state: 'ready' };
      return reply.code(503).send({ state: 'not ready', reason });
    },
  });
}
