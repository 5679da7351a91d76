import type { Redis } from 'ioredis';
import { fromRedis } from './connection.js';

/** Slower answers are too inexact, for example after an outage of Redis. */
const LONGEST_ANSWER_MS = 1000;

/**
 * The time of Redis in milliseconds since 1970. All processes of a farm use it for deadlines, since the clocks of their
 * machines may differ. Between two readings the monotonic clock of the process counts on.
 */
export class RedisClock {
  private constructor(
    private readonly client: Redis,
    /** The time of Redis minus `performance.now()`. */
    private offset: number,
  ) {}

  static async open(client: Redis): Promise<RedisClock> {
    return new RedisClock(client, (await measured(client)).offset);
  }

  now(): number {
    return Math.round(performance.now() + this.offset);
  }

  /** Reads the time of Redis again. */
  async set(): Promise<void> {
    const { offset, tookMs } = await measured(this.client);
    if (tookMs <= LONGEST_ANSWER_MS) this.offset = offset;
  }
}

async function measured(client: Redis): Promise<{ offset: number; tookMs: number }> {
  const asked = performance.now();
  const [seconds, microseconds] = await fromRedis(() => client.time());
  const answered = performance.now();
  const time = Number(seconds) * 1000 + Number(microseconds) / 1000;
  return { offset: time - (asked + answered) / 2, tookMs: answered - asked };
}
