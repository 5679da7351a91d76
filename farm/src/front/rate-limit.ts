import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Redis } from 'ioredis';
import type { Callers } from './callers.js';
import { RequestError } from './problem.js';

const WINDOW_MS = 60_000;
const STANDARD_REQUESTS = 600;
/** The maximum of requests in a minute from one address without an API key, or with an unknown one. */
const REQUESTS_WITHOUT_KEY = 60;

/**
 * Bounds the requests in a minute of each API key, and of each address without one. If Redis does not answer, nothing
 * is bounded.
 */
export async function limitRates(
  scope: FastifyInstance,
  callers: Callers,
  redis: Redis | undefined,
  prefix: string,
): Promise<void> {
  await scope.register(rateLimit, {
    timeWindow: WINDOW_MS,
    keyGenerator: (request: FastifyRequest) => {
      const name = callers.find(request)?.name;
      return name === undefined ? `address:${request.ip}` : `key:${name}`;
    },
    max: (request: FastifyRequest) => {
      const apiKey = callers.find(request);
      return apiKey === undefined ? REQUESTS_WITHOUT_KEY : (apiKey.requestsPerMinute ?? STANDARD_REQUESTS);
    },
    errorResponseBuilder: (_: FastifyRequest, { max, ttl }: { max: number; ttl: number }) =>
      new RequestError('RATE_LIMITED', `expected at most ${max} requests a minute, got more`, {
        hint: 'wait for as many seconds as Retry-After says',
        retryAfter: Math.ceil(ttl / 1000),
      }),
    nameSpace: `${prefix}:front:rate:`,
    skipOnError: true,
    ...(redis === undefined ? {} : { redis }),
  });
}
