import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answerErrors } from '../../../farm/src/front/answer-errors.js';
import { KeyRing, newApiKey } from '../../../farm/src/front/api-keys.js';
import { Callers } from '../../../farm/src/front/callers.js';
import { expectProblem, responseOf, type TestResponse } from '../../support/front.js';

const [alice, root] = [newApiKey(), newApiKey()];
const RING = new KeyRing([
  { name: 'alice', sha256: alice.sha256 },
  { name: 'root', sha256: root.sha256, operator: true },
]);

/** What hooks of routes have seen, one after another. */
let seen: string[];
let app: FastifyInstance;
let send: (url: string, authorization?: string) => Promise<TestResponse>;
beforeEach(async () => {
  seen = [];
  app = Fastify();
  answerErrors(app, () => {});
  const callers = new Callers(RING);
  const nameOf = (scope: FastifyInstance, url: string): void => {
    scope.post(url, async (request) => ({ name: callers.of(request).name }));
  };
  nameOf(app, '/open');
  app.register(async (scope) => {
    callers.require(scope);
    scope.addHook('onRequest', async (request) => {
      seen.push(callers.find(request)?.name ?? 'nobody');
    });
    scope.addContentTypeParser('text/plain', async () => seen.push('body'));
    nameOf(scope, '/keys');
  });
  for (const scheme of ['Bearer', 'Basic'] as const) {
    app.register(async (scope) => {
      callers.requireOperator(scope, scheme);
      scope.addHook('onRequest', async () => void seen.push('operator'));
      nameOf(scope, `/operators/${scheme}`);
    });
  }
  send = async (url, authorization) => {
    const headers = { 'content-type': 'text/plain', ...(authorization === undefined ? {} : { authorization }) };
    return responseOf(await app.inject({ method: 'POST', url, headers, payload: 'x' }));
  };
});
afterEach(() => app.close());

const bearer = (key: string) => `Bearer ${key}`;
const basic = (key: string) => `Basic ${Buffer.from(`x:${key}`).toString('base64')}`;

describe('routes that require an API key', () => {
  it('know whose it is, from the first hook on', async () => {
    const { status, headers, body } = await send('/keys', bearer(alice.key));
    expect({ status, body }).toEqual({ status: 200, body: { name: 'alice' } });
    expect(headers['www-authenticate']).toBeUndefined();
    expect(seen).toEqual(['alice', 'body']);
  });

  it.each([undefined, bearer('pippin_unknown'), basic(alice.key)])('refuse %s, and read no body', async (given) => {
    const response = await send('/keys', given);
    expectProblem(response, 401, 'UNAUTHENTICATED');
    expect(response.headers['www-authenticate']).toBe('Bearer realm="pippin"');
    // Hooks of routes, such as a limit on requests, see those without a key as well.
    expect(seen).toEqual(['nobody']);
  });
});

it('where no key is required nobody is known', async () => {
  const response = responseOf(
    await app.inject({ method: 'POST', url: '/open', headers: { authorization: bearer(alice.key) } }),
  );
  expectProblem(response, 401, 'UNAUTHENTICATED');
});

describe.each([
  { scheme: 'Bearer', given: bearer, other: basic },
  { scheme: 'Basic', given: basic, other: bearer },
])('routes for operators who send $scheme', ({ scheme, given, other }) => {
  const url = `/operators/${scheme}`;

  it('know whose key it is', async () => {
    const { status, body } = await send(url, given(root.key));
    expect({ status, body }).toEqual({ status: 200, body: { name: 'root' } });
  });

  it('refuse who has none, or sends it otherwise', async () => {
    for (const authorization of [undefined, given('pippin_unknown'), other(root.key)]) {
      const response = await send(url, authorization);
      expectProblem(response, 401, 'UNAUTHENTICATED');
      expect(response.headers['www-authenticate']).toBe(`${scheme} realm="pippin operators"`);
    }
    expect(seen).toEqual([]);
  });

  it('refuse other keys', async () => {
    const response = await send(url, given(alice.key));
    expectProblem(response, 403, 'FORBIDDEN');
    expect(response.body.message).toContain('alice');
    expect(seen).toEqual([]);
  });
});
