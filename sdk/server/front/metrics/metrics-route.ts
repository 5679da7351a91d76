import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import { messageOf } from '../../../base/errors.js';
import type { RouteContext } from '../routes.js';
import { API_KEY } from '../schemas.js';
import type { FarmMetrics } from './farm-metrics.js';

/** `GET /metrics` for Prometheus, with the API key of an operator. */
export function addMetricsRoute(
  app: FastifyInstance,
  { asked, callers }: RouteContext,
  registry: Registry,
  metrics: FarmMetrics,
): void {
  app.register(async (scope) => {
    callers.requireOperator(scope, 'Bearer');
    scope.get('/metrics', {
      logLevel: 'warn',
      schema: {
        operationId: 'readMetrics',
        summary: 'Metrics in the form of Prometheus, for operators',
        security: API_KEY,
        response: { 200: { description: 'metrics', content: { 'text/plain': { schema: { type: 'string' } } } } },
      },
      handler: async (request, reply) => {
        try {
          metrics.set(await asked.ask((queue) => queue.farm()));
        } catch (error) {
          request.log.warn({ reason: messageOf(error) }, 'metrics without the farm');
          metrics.set(undefined);
        }
        return reply.header('Content-Type', registry.contentType).send(await registry.metrics());
      },
    });
  });
}
