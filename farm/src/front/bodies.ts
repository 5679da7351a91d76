import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ApiKey } from './api-keys.js';
import type { Callers } from './callers.js';
import { type FrontSettings, longestBody } from './options.js';
import { RequestError } from './problem.js';

/**
 * The bodies in memory: arriving ones, and complete ones that are not in the queue yet. A body counts with the length
 * in its header from the moment it may begin to arrive, so that unfinished ones count in full.
 */
export class ReceivedBodies {
  private bytes = 0;
  private readonly bytesOf = new Map<string, number>();
  private readonly releases = new WeakMap<FastifyRequest, () => void>();

  constructor(private readonly settings: Pick<FrontSettings, 'inputsLimit' | 'witnessLimit' | 'bodyBytes'>) {}

  /** Bounds the bodies of the scope's routes, whose API keys are known when bodies arrive. */
  limit(scope: FastifyInstance, callers: Callers): void {
    scope.addHook('preParsing', async (request, reply) => {
      const bytes = this.announced(request);
      if (bytes > 0) this.receive(request, reply, callers.of(request), bytes);
    });
  }

  /** Releases the body of a request. Without this call it counts until the response has ended. */
  release(request: FastifyRequest): void {
    request.body = undefined;
    this.releases.get(request)?.();
  }

  private receive(request: FastifyRequest, reply: FastifyReply, apiKey: ApiKey, bytes: number): void {
    const { name, bodyBytes = 2 * longestBody(this.settings) } = apiKey;
    const own = this.bytesOf.get(name) ?? 0;
    if (bytes > bodyBytes) {
      throw new RequestError('TOO_LARGE', `expected at most ${bodyBytes} bytes of this API key, got ${bytes}`, {
        hint: 'the operator can raise bodyBytes of the key',
      });
    }
    if (own + bytes > bodyBytes) {
      throw new RequestError('TOO_MANY_BODIES', `expected at most ${bodyBytes} bytes at a time, got more`, {
        hint: 'send fewer large bodies at a time',
        retryAfter: 1,
      });
    }
    if (this.bytes + bytes > this.settings.bodyBytes) {
      throw new RequestError('OVERLOADED', 'expected a server with room for the body, got one that receives others', {
        hint: 'send the request again after as many seconds as Retry-After says',
        retryAfter: 1,
      });
    }
    this.add(name, bytes);
    const release = (): void => {
      if (this.releases.delete(request)) this.add(name, -bytes);
    };
    this.releases.set(request, release);
    reply.raw.once('close', release);
  }

  private add(owner: string, bytes: number): void {
    this.bytes += bytes;
    const own = (this.bytesOf.get(owner) ?? 0) + bytes;
    if (own > 0) this.bytesOf.set(owner, own);
    else this.bytesOf.delete(owner);
  }

  /** The maximum of bytes of a body; 0 without one. Larger bodies are rejected unread. */
  private announced({ headers }: FastifyRequest): number {
    const { inputsLimit, witnessLimit } = this.settings;
    const limit = headers['content-type']?.startsWith('application/json') ? inputsLimit : witnessLimit;
    const length = headers['content-length'];
    if (length !== undefined) return Number(length) > limit ? 0 : Number(length);
    return headers['transfer-encoding'] === undefined ? 0 : limit;
  }
}

/** Leaves all bodies unread. Fastify would read them for unknown paths, from anybody. */
export function readNoBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_, __, done) => done(null));
}

/** Accepts bodies of JSON, and witnesses as bytes, each with its limit, and no others. */
export function readBodies(scope: FastifyInstance, { inputsLimit, witnessLimit }: FrontSettings): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    'application/json',
    { parseAs: 'string', bodyLimit: inputsLimit },
    scope.getDefaultJsonParser('error', 'error'),
  );
  scope.addContentTypeParser(
    'application/octet-stream',
    { parseAs: 'buffer', bodyLimit: witnessLimit },
    (_, body, done) => done(null, body),
  );
}
