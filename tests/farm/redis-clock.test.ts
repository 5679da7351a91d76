import type { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RedisClock } from '../../farm/src/redis/clock.js';
import { failureOf } from '../support/section-bytes.js';

/** The monotonic clock of the process. */
let now: number;
/** The time of Redis when it answers, in milliseconds, and how long the answer takes either way. */
let redisTime: number;
let wayMs: number;
beforeEach(() => {
  [now, redisTime, wayMs] = [500, 1_700_000_000_250.5, 0];
  vi.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => {
  vi.restoreAllMocks();
});

const client = {
  async time() {
    now += wayMs;
    const time = [Math.floor(redisTime / 1000), Math.round((redisTime % 1000) * 1000)];
    now += wayMs;
    return time;
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
    wayMs = 40;
    const clock = await RedisClock.open(client);
    expect(clock.now()).toBe(1_700_000_000_291);
  });

  it.each([
    { wayMs: 500, isTaken: true },
    { wayMs: 500.25, isTaken: false },
  ])('is set anew by an answer within a second: $wayMs ms either way', async ({ wayMs: way, isTaken }) => {
    const clock = await RedisClock.open(client);
    const before = clock.now();
    redisTime += 60_000;
    wayMs = way;
    await clock.set();
    const passed = clock.now() - before;
    expect(Math.abs(passed - (isTaken ? 60_000 + way : 2 * way))).toBeLessThan(2);
  });

  it('fails without an answer of Redis', async () => {
    const gone = { time: () => Promise.reject(new Error('gone')) } as unknown as Redis;
    expect((await failureOf(() => RedisClock.open(gone))).code).toBe('QUEUE_UNAVAILABLE');
  });
});
