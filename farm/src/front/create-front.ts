import { randomUUID } from 'node:crypto';
import { type FastifyInstance, fastify, LogController } from 'fastify';
import type { Redis } from 'ioredis';
import { Registry } from 'prom-client';
import { connectRedis, type RedisAddress, redisOptions } from '../redis/connection.js';
import { answerErrors, clientErrorHandler, frameworkErrors } from './answer-errors.js';
import { KeyRing } from './api-keys.js';
import { AskedQueue, KnownCircuits } from './asked-queue.js';
import { addBoard } from './board.js';
import { ReceivedBodies, readBodies, readNoBodies } from './bodies.js';
import { Callers } from './callers.js';
import { addEventsRoute } from './events-route.js';
import { addHealthRoutes } from './health-routes.js';
import { HeldRequests } from './held-requests.js';
import { addJobRoutes } from './job-routes.js';
import { loggerOption, logRequests } from './logging.js';
import { addMetricsRoute, FarmMetrics, measureRequests } from './metrics.js';
import { LocalOpenJobs, OpenJobLimit } from './open-jobs.js';
import { type FrontOptions, type FrontSettings, frontSettings } from './options.js';
import { RequestError } from './problem.js';
import { limitRates } from './rate-limit.js';
import type { RouteContext } from './routes.js';
import { describeApi } from './schemas.js';
import { SharedOpenJobs } from './shared-open-jobs.js';
import { addSubmitRoute } from './submit-route.js';
import { addVerifyRoute, checkVerifier } from './verify-route.js';

/** Job ids are longer than Fastify's default for a part of a path. */
const LONGEST_PATH_PART = 400;

/** The maximum interval in milliseconds of checks for slow requests. */
const LOOK_EVERY_MS = 1000;

/**
 * An HTTP server that accepts jobs for a queue. `close` ends waiting requests, lets others finish for `closeTimeout`,
 * and then ends their connections.
 *
 * @param options the queue, the API keys, and limits.
 * @returns a Fastify instance, ready for `listen`.
 * @throws {PippinError} INVALID_ARGUMENT for an invalid option.
 * @throws {PippinError} QUEUE_UNAVAILABLE if the Redis for limits does not answer.
 * @throws {PippinError} MALFORMED_FILE, INVALID_POINT or KEY_UNFINISHED for an invalid verification key.
 * @example
 * ```js
 * import { createFront, newApiKey, ProofQueue } from 'pippin-farm';
 *
 * const publicKey = new Uint8Array(32); // The workers' public key.
 * const queue = await ProofQueue.open({ connection: 'redis://localhost', circuits: 'from redis', publicKey });
 * const front = await createFront({ queue, apiKeys: [{ name: 'wallet', sha256: newApiKey().sha256 }] });
 * await front.listen({ port: 8080 });
 * ```
 */
export async function createFront(options: FrontOptions): Promise<FastifyInstance> {
  const settings = frontSettings(options);
  if (settings.verifier !== undefined) await checkVerifier(settings.verifier);
  const app: FastifyInstance = fastify({
    logger: loggerOption(settings.logger),
    // `logRequests` writes one line for each instead.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    // Clients must not choose the ids in logs.
    requestIdHeader: false,
    trustProxy: settings.trustProxy ?? false,
    bodyLimit: settings.inputsLimit,
    requestTimeout: settings.requestTimeout,
    http: {
      // Node would answer such a request itself, in another shape.
      requireHostHeader: false,
      // Node's own timeouts are longer than most proxies': a slow request would live for the sum of both.
      requestTimeout: settings.requestTimeout,
      headersTimeout: settings.requestTimeout,
      connectionsCheckingInterval: Math.ceil(Math.min(settings.requestTimeout / 10, LOOK_EVERY_MS)),
    },
    forceCloseConnections: 'idle',
    // Its answer has another shape; `refuseWhileClosing` answers.
    return503OnClosing: false,
    routerOptions: { maxParamLength: LONGEST_PATH_PART },
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false, allErrors: false } },
    frameworkErrors,
    clientErrorHandler,
  });
  const limits =
    settings.redis === undefined ? undefined : await connectLimits(settings.redis, settings.queueTimeout, app);
  const context = contextOf(settings, limits);
  const registry = new Registry();
  const problems = measureRequests(app, registry);
  logRequests(app, context.callers);
  answerErrors(app, (code) => problems.inc({ code }));
  app.addHook('onSend', async (request, reply) => {
    reply
      .header('Cache-Control', 'no-store')
      .header('X-Content-Type-Options', 'nosniff')
      .header('X-Request-Id', request.id);
  });
  readNoBodies(app);
  closeInTime(app, context.held, settings.closeTimeout, limits);

  await describeApi(app);
  addHealthRoutes(app, context);
  addMetricsRoute(app, context, registry, new FarmMetrics(registry));
  await app.register(async (scope) => {
    refuseWhileClosing(scope, context.held);
    context.callers.require(scope);
    await limitRates(scope, context.callers, limits, settings.prefix);
    context.bodies.limit(scope, context.callers);
    readBodies(scope, settings);
    readNumbers(scope);
    for (const addRoutes of [addSubmitRoute, addJobRoutes, addEventsRoute, addVerifyRoute]) addRoutes(scope, context);
  });
  if (settings.board !== undefined) await addBoard(app, context, settings.board);
  await app.ready();
  return app;
}

function contextOf(settings: FrontSettings, limits: Redis | undefined): RouteContext {
  const { queue, apiKeys, queueTimeout, prefix } = settings;
  const asked = new AskedQueue(queue, queueTimeout);
  const jobs = limits === undefined ? new LocalOpenJobs() : new SharedOpenJobs(limits, prefix);
  return {
    queue,
    asked,
    callers: new Callers(new KeyRing(apiKeys)),
    circuits: new KnownCircuits(queue, asked),
    openJobs: new OpenJobLimit(jobs, (id) => queue.status(id)),
    bodies: new ReceivedBodies(settings),
    held: new HeldRequests(),
    settings,
  };
}

function connectLimits(address: RedisAddress, timeoutMs: number, app: FastifyInstance): Promise<Redis> {
  return connectRedis(
    { ...redisOptions(address), commandTimeout: timeoutMs },
    { retries: 1, onError: (error) => app.log.warn({ reason: error.message }, 'the connection to Redis has a fault') },
  );
}

/** Kept-alive connections may bring further requests while the server closes. */
function refuseWhileClosing(scope: FastifyInstance, held: HeldRequests): void {
  scope.addHook('onRequest', async (_, reply) => {
    if (!held.isClosing) return;
    reply.header('Connection', 'close');
    throw new RequestError('UNAVAILABLE', 'expected a server that takes requests, got one that is closing', {
      hint: 'send the request again, to another server if there are several',
      retryAfter: 1,
    });
  });
}

/** Members of the query that are integers. */
const NUMBERS = ['wait', 'priority', 'deadline'];

/** A query contains strings. Integer members become numbers before validation: the schemas convert nothing. */
function readNumbers(scope: FastifyInstance): void {
  scope.addHook('preValidation', async (request) => {
    const query = request.query as Record<string, unknown>;
    for (const name of NUMBERS) {
      const text = query[name];
      if (typeof text === 'string' && /^[0-9]{1,15}$/.test(text)) query[name] = Number(text);
    }
  });
}

/** The interval in milliseconds of checks for idle connections. */
const IDLE_EVERY_MS = 50;

/**
 * When the server closes, waiting requests end, connections end with their requests, and all others after a timeout.
 */
function closeInTime(app: FastifyInstance, held: HeldRequests, timeoutMs: number, limits: Redis | undefined): void {
  let idle: NodeJS.Timeout | undefined;
  let late: NodeJS.Timeout | undefined;
  app.addHook('preClose', async () => {
    held.close();
    idle = setInterval(() => app.server.closeIdleConnections(), IDLE_EVERY_MS);
    late = setTimeout(() => app.server.closeAllConnections(), timeoutMs);
  });
  app.addHook('onClose', async () => {
    clearInterval(idle);
    clearTimeout(late);
    limits?.disconnect();
  });
}
