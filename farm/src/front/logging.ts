import type { FastifyInstance, FastifyRequest, FastifyServerOptions } from 'fastify';
import type { Callers } from './callers.js';
import type { FrontOptions } from './options.js';

/**
 * Logs without secrets. What pino would write of a request, a response or an error by itself holds headers, or commands
 * to Redis with what was sent there. So each has a serializer that names what is written.
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

/**
 * The route's pattern. The path itself may hold anything, and as a label of metrics would make one of every request.
 */
export function routeOf(request: FastifyRequest): string {
  return request.routeOptions.url ?? 'none';
}
