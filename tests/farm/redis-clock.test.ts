import type { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RedisClock } from '../../farm/src/redis/clock.js';
import { failureOf } from '../support/section-bytes.js';

/** The monotonic clock of the process. */
let now: number;
/**
 * The time of Redis when the monotonic clock is 500, and how long its answers take there and back: as the last one, all
 * further ones.
 */
let redisTime: number;
let ways: [there: number, back: number][];
beforeEach(() => {
  [now, redisTime, ways] = [500, 1_700_000_000_250.5, [[0, 0]]];
  vi.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => {
  vi.restoreAllMocks();
});

const client = {
  async time() {
    const [there, back] = ways.length > 1 ? ways.shift()! : ways[0]!;
    now += there;
    const time = redisTime + now - 500;
    now += back;
    return [Math.floor(time / 1000), Math.round((time % 1000) * 1000)];
  },
} as unknown as Redis;

describe('the clock of a farm', () => {
  it('is that of Redis, and goes on as the process does', async () => {
    const clock = await RedisClock.open(client);
    expect(clock.now()).toBe(1_700_000_000_251);
    now += 1000;
    expect(clock.now()).toBe(1_700_000_001_251);
  });

  it('takes the time of Redis to be that in the middle of asking and answer', async () => {
    ways = [[40, 20]];
    const clock = await RedisClock.open(client);
    expect(now).toBe(740);
    expect(clock.now()).toBe(1_700_000_000_491 + 10);
  });

  it('is read again where an answer is slow, and by the quickest one', async () => {
    ways = [
      [1, 400],
      [3, 3],
      [0.5, 0.5],
    ];
    const clock = await RedisClock.open(client);
    expect(now).toBe(908);
    expect(clock.now()).toBe(Math.round(redisTime + 408));
  });

  it.each([
    { wayMs: 500, isTaken: true },
    { wayMs: 500.25, isTaken: false },
  ])('is set anew by an answer within a second: $wayMs ms either way', async ({ wayMs: way, isTaken }) => {
    const clock = await RedisClock.open(client);
    const before = clock.now();
    redisTime += 60_000;
    ways = [[way, way]];
    await clock.set();
    const passed = clock.now() - before;
    expect(Math.abs(passed - (isTaken ? 60_000 : 0) - 8 * way)).toBeLessThan(2);
  });

  it('fails without an answer of Redis', async () => {
    const gone = { time: () => Promise.reject(new Error('gone')) } as unknown as Redis;
    expect((await failureOf(() => RedisClock.open(gone))).code).toBe('QUEUE_UNAVAILABLE');
  });
});
