import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { answerProblem } from './answer-errors.js';
import type { ApiKey, KeyRing } from './api-keys.js';
import { RequestError } from './problem.js';

/** Who sends a request. */
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
   * Routes of the scope ask for an API key. It is looked up first and asked for after the hooks `onRequest` of the
   * routes, so that a limit on requests counts those without a key as well. No body is read before that.
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
   * Routes of the scope are for operators alone. A browser asks for the key where `scheme` is Basic. Others are
   * answered here, since a scope may have an error handler of its own.
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
