import type { FastifyInstance } from 'fastify';
import type { Counter, Registry } from 'prom-client';
import { routeOf } from '../logging.js';
import type { loadPrometheus } from '../peers.js';

export type Prometheus = Awaited<ReturnType<typeof loadPrometheus>>;

/** Upper bounds in seconds: from a status, which takes milliseconds, to a request that waits for a minute. */
const BUCKETS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Measures each request. Gives the counter of problems by their codes. */
export function measureRequests(
  app: FastifyInstance,
  { Counter, Histogram }: Prometheus,
  registry: Registry,
): Counter<'code'> {
  const seconds = new Histogram({
    name: 'pippin_http_request_seconds',
    help: 'Seconds from a request to the end of its response, by route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS,
    registers: [registry],
  });
  app.addHook('onResponse', async (request, reply) => {
    const labels = { method: request.method, route: routeOf(request), status: String(reply.statusCode) };
    seconds.observe(labels, reply.elapsedTime / 1000);
  });
  return new Counter({
    name: 'pippin_http_problems_total',
    help: 'Responses that were problems, by code.',
    labelNames: ['code'],
    registers: [registry],
  });
}
