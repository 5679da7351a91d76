import type { FastifyInstance, FastifyRequest, FastifyServerOptions } from 'fastify';
import type { Callers } from './callers.js';
import type { FrontOptions } from './options.js';

/**
 * Logs without secrets. By default pino writes headers of requests and responses, and errors with commands to Redis and
 * their arguments. So each has a serializer that selects what is written.
 */
export function loggerOption(logger: FrontOptions['logger']): Exclude<FastifyServerOptions['logger'], undefined> {
  if (logger === undefined || logger === false) return false;
  const { level = 'info', stream } = logger === true ? {} : logger;
  return {
    level,
    ...(stream === undefined ? {} : { stream }),
    serializers: {
      req: (request: FastifyRequest) => ({ method: request.method, route: routeOf(request) }),
      res: (reply: { readonly statusCode: number }) => ({ status: reply.statusCode }),
      err: (error: Error & { code?: unknown }) => ({
        type: error.name,
        code: String(error.code ?? ''),
        message: error.message,
        stack: error.stack ?? '',
      }),
    },
  };
}

/** One line for each request, when it has ended. */
export function logRequests(app: FastifyInstance, callers: Callers): void {
  app.addHook('onResponse', async (request, reply) => {
    request.log.info(
      {
        method: request.method,
        route: routeOf(request),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        key: callers.find(request)?.name,
      },
      'request',
    );
  });
}

/** The route's pattern. The path itself may contain anything, and as a label would make one metric of every request. */
export function routeOf(request: FastifyRequest): string {
  return request.routeOptions.url ?? 'none';
}
