import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { answerProblem } from './answer-errors.js';
import type { ApiKey, KeyRing } from './api-keys.js';
import { RequestError } from './problem.js';

/** The clients of requests. */
export class Callers {
  private readonly apiKeys = new WeakMap<FastifyRequest, ApiKey>();

  constructor(private readonly ring: KeyRing) {}

  /** The API key of a request, in routes whose scope requires one. */
  of(request: FastifyRequest): ApiKey {
    const apiKey = this.apiKeys.get(request);
    if (apiKey === undefined) throw unauthenticated();
    return apiKey;
  }

  /** The API key of a request, or undefined where it has none. */
  find(request: FastifyRequest): ApiKey | undefined {
    return this.apiKeys.get(request);
  }

  /**
   * Routes of the scope require an API key. It is looked up before, and required after, the `onRequest` hooks of the
   * routes, so that a rate limit counts requests without a key as well. No body is read before that.
   */
  require(scope: FastifyInstance): void {
    scope.addHook('onRequest', async (request) => {
      const apiKey = this.ring.bearer(request.headers.authorization);
      if (apiKey !== undefined) this.apiKeys.set(request, apiKey);
    });
    scope.addHook('preParsing', async (request, reply) => {
      if (!this.apiKeys.has(request)) reply.header('WWW-Authenticate', 'Bearer realm="pippin"');
      this.of(request);
    });
  }

  /**
   * Routes of the scope are for operators only. With `scheme` Basic a browser prompts for the key. Others are answered
   * here, since a scope may have its own error handler.
   */
  requireOperator(scope: FastifyInstance, scheme: 'Bearer' | 'Basic'): void {
    const find = scheme === 'Basic' ? 'basic' : 'bearer';
    scope.addHook('onRequest', async (request: FastifyRequest, reply: FastifyReply) => {
      const apiKey = this.ring[find](request.headers.authorization);
      if (apiKey === undefined) {
        reply.header('WWW-Authenticate', `${scheme} realm="pippin operators"`);
        return answerProblem(reply, unauthenticated());
      }
      this.apiKeys.set(request, apiKey);
      if (apiKey.operator === true) return;
      const message = `expected the API key of an operator, got the key of ${apiKey.name}`;
      return answerProblem(reply, new RequestError('FORBIDDEN', message));
    });
  }
}

function unauthenticated(): RequestError {
  return new RequestError('UNAUTHENTICATED', 'expected an API key that is known, got none', {
    hint: 'send the header "Authorization: Bearer KEY"',
  });
}
