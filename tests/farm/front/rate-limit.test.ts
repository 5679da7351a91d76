import Fastify, { type FastifyInstance } from 'fastify';
import type { Redis } from 'ioredis';
import { afterEach, describe, expect, it } from 'vitest';
import { answerErrors } from '../../../farm/src/front/answer-errors.js';
import { KeyRing, newApiKey } from '../../../farm/src/front/api-keys.js';
import { Callers } from '../../../farm/src/front/callers.js';
import { limitRates } from '../../../farm/src/front/rate-limit.js';
import { expectProblem, responseOf, type TestResponse } from '../../support/front.js';

/** A Redis that counts requests, or answers with an error, and what it was asked to count. */
class CountingRedis {
  readonly asked: { key: string; windowMs: number; most: number }[] = [];
  isFailing = false;

  defineCommand(): void {}

  /** The command that @fastify/rate-limit defines. */
  rateLimit(key: string, windowMs: number, most: number, ...rest: unknown[]): void {
    const answer = rest.at(-1) as (error: Error | null, counted?: [number, number]) => void;
    this.asked.push({ key, windowMs, most });
    if (this.isFailing) answer(new Error('gone'));
    else answer(null, [this.asked.filter((each) => each.key === key).length, 20_001]);
  }
}

const [alice, bob] = [newApiKey(), newApiKey()];
const RING = new KeyRing([
  { name: 'alice', sha256: alice.sha256, requestsPerMinute: 2 },
  { name: 'bob', sha256: bob.sha256 },
]);

let app: FastifyInstance;
afterEach(() => app.close());

async function open(redis?: CountingRedis): Promise<(key?: string) => Promise<TestResponse>> {
  app = Fastify();
  answerErrors(app, () => {});
  const callers = new Callers(RING);
  await app.register(async (scope) => {
    callers.require(scope);
    await limitRates(scope, callers, redis as unknown as Redis | undefined, 'farm');
    scope.get('/', async (request) => ({ name: callers.of(request).name }));
  });
  return async (key) => {
    const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
    return responseOf(await app.inject({ url: '/', headers }));
  };
}

describe('the limit on requests', () => {
  it('is a number for a minute and for each API key, and one for each address without a key', async () => {
    const redis = new CountingRedis();
    const send = await open(redis);
    for (const key of [alice.key, bob.key, undefined, 'pippin_unknown']) await send(key);
    const address = { key: 'farm:front:rate:address:127.0.0.1', windowMs: 60_000, most: 60 };
    expect(redis.asked).toEqual([
      { key: 'farm:front:rate:key:alice', windowMs: 60_000, most: 2 },
      { key: 'farm:front:rate:key:bob', windowMs: 60_000, most: 600 },
      address,
      address,
    ]);
  });

  it.each([['in Redis', new CountingRedis(), /^21$/] as const, ['in the process', undefined, /^[1-9]\d?$/] as const])(
    'refuses what comes beyond it, counted %s',
    async (_, redis, seconds) => {
      const send = await open(redis);
      for (let i = 0; i < 2; i++) expect((await send(alice.key)).status).toBe(200);
      const refused = await send(alice.key);
      expectProblem(refused, 429, 'RATE_LIMITED');
      expect(refused.body.message).toContain('2 requests');
      expect(refused.headers['retry-after']).toMatch(seconds);
      expect((await send(bob.key)).status).toBe(200);
    },
  );

  it('is none while Redis fails', async () => {
    const redis = new CountingRedis();
    redis.isFailing = true;
    const send = await open(redis);
    for (let i = 0; i < 4; i++) expect((await send(alice.key)).status).toBe(200);
  });
});
