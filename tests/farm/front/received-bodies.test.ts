import { EventEmitter } from 'node:events';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { describe, expect, it } from 'vitest';
import type { ApiKey } from '../../../farm/src/front/api-keys.js';
import { ReceivedBodies } from '../../../farm/src/front/bodies.js';
import type { Callers } from '../../../farm/src/front/callers.js';

const SETTINGS = { inputsLimit: 100, witnessLimit: 1000, bodyBytes: 2500 };

interface Arriving {
  /** The code of the refusal, or undefined for a body that may arrive. */
  readonly refused: string | undefined;
  readonly retryAfter?: number | undefined;
  readonly request: FastifyRequest;
  /** The response ends. */
  close(): void;
}

/** Lets a request with these headers begin to send its body. */
type Arrive = (headers: FastifyRequest['headers'], owner?: string) => Promise<Arriving>;

/** Bodies of owners, who have changes of their own. */
function open(owners: Readonly<Record<string, Partial<ApiKey>>> = {}): { bodies: ReceivedBodies; arrive: Arrive } {
  const bodies = new ReceivedBodies(SETTINGS);
  const owner = new WeakMap<FastifyRequest, string>();
  let hook: ((request: FastifyRequest, reply: FastifyReply) => Promise<void>) | undefined;
  const scope = {
    addHook(name: string, added: typeof hook) {
      expect(name).toBe('preParsing');
      hook = added;
    },
  } as unknown as FastifyInstance;
  const callers = {
    of(request: FastifyRequest) {
      const name = owner.get(request)!;
      return { name, sha256: '', ...owners[name] };
    },
  } as unknown as Callers;
  bodies.limit(scope, callers);
  const arrive: Arrive = async (headers, name = 'alice') => {
    const request = { headers, body: 'the body' } as unknown as FastifyRequest;
    owner.set(request, name);
    const raw = new EventEmitter();
    const close = (): void => void raw.emit('close');
    try {
      await hook!(request, { raw } as unknown as FastifyReply);
      return { refused: undefined, request, close };
    } catch (error) {
      const { code, retryAfter } = error as { code: string; retryAfter?: number };
      return { refused: code, retryAfter, request, close };
    }
  };
  return { bodies, arrive };
}

const witness = (bytes: number) => ({
  'content-type': 'application/octet-stream',
  'content-length': String(bytes),
});
const inputs = (bytes: number) => ({ ...witness(bytes), 'content-type': 'application/json; charset=utf-8' });
const chunked = { 'transfer-encoding': 'chunked' };

const refusedOf = async (arriving: Promise<Arriving>) => (await arriving).refused;

describe('the bodies of an API key', () => {
  it('have twice the longest one together, where the key says nothing', async () => {
    const { arrive } = open();
    expect(await refusedOf(arrive(witness(1000)))).toBeUndefined();
    expect(await refusedOf(arrive(witness(999)))).toBeUndefined();
    expect(await arrive(witness(2))).toMatchObject({ refused: 'TOO_MANY_BODIES', retryAfter: 1 });
    expect(await refusedOf(arrive(witness(1)))).toBeUndefined();
    expect(await refusedOf(arrive(witness(500), 'bob'))).toBeUndefined();
  });

  it('are too large where the key may never send them', async () => {
    const { arrive } = open({ alice: { bodyBytes: 50 } });
    expect(await arrive(witness(51))).toMatchObject({ refused: 'TOO_LARGE', retryAfter: undefined });
    expect(await refusedOf(arrive(witness(50)))).toBeUndefined();
  });

  it('count until the response has ended, or they are released', async () => {
    const { arrive, bodies } = open({ alice: { bodyBytes: 50 } });
    const first = await arrive(witness(30));
    expect(await refusedOf(arrive(witness(21)))).toBe('TOO_MANY_BODIES');
    const second = await arrive(witness(20));
    bodies.release(second.request);
    expect(second.request.body).toBeUndefined();
    const third = await arrive(witness(20));
    expect(third.refused).toBeUndefined();
    third.close();
    // Once only.
    second.close();
    bodies.release(second.request);
    expect(await refusedOf(arrive(witness(21)))).toBe('TOO_MANY_BODIES');
    first.close();
    expect(await refusedOf(arrive(witness(50)))).toBeUndefined();
    expect(await refusedOf(arrive(witness(1)))).toBe('TOO_MANY_BODIES');
  });
});

it('bodies have at most so many bytes in all', async () => {
  const { arrive } = open();
  const first = await arrive(witness(1000));
  await arrive(witness(1000), 'bob');
  expect(await arrive(witness(501), 'carol')).toMatchObject({ refused: 'OVERLOADED', retryAfter: 1 });
  expect(await refusedOf(arrive(witness(500), 'carol'))).toBeUndefined();
  first.close();
  expect(await refusedOf(arrive(witness(1000), 'carol'))).toBeUndefined();
});

describe('a body counts', () => {
  it.each<[what: string, headers: FastifyRequest['headers'], bytes: number]>([
    ['not where there is none', {}, 0],
    ['not where it is empty', witness(0), 0],
    ['with one byte', witness(1), 1],
    ['with the bytes of a witness that it announces', witness(1000), 1000],
    ['not where it announces more than a witness has, since it is refused unread', witness(1001), 0],
    ['with the bytes of inputs that it announces', inputs(100), 100],
    ['not where it announces more than inputs have, since it is refused unread', inputs(101), 0],
    ['with the longest witness where it announces nothing', chunked, 1000],
    ['with the longest inputs where it announces nothing', { ...chunked, 'content-type': 'application/json' }, 100],
  ])('%s', async (_, headers, bytes) => {
    const { arrive } = open();
    const { request, close } = await arrive(headers);
    const rest = 2000 - bytes;
    expect(await refusedOf(arrive(witness(1000)))).toBeUndefined();
    if (rest < 2000) expect(await refusedOf(arrive(witness(rest - 999)))).toBe('TOO_MANY_BODIES');
    expect(await refusedOf(arrive(witness(rest - 1000)))).toBeUndefined();
    expect(request.body).toBe('the body');
    close();
  });
});
