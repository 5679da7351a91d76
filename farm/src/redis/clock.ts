import type { Redis } from 'ioredis';
import { fromRedis } from './connection.js';

/** Slower answers are too inexact, for example after an outage of Redis. */
const LONGEST_ANSWER_MS = 1000;
/** Slower ones are asked for again, so many times in all. */
const QUICK_ANSWER_MS = 2;
const MOST_READINGS = 4;

interface Reading {
  /** The time of Redis minus `performance.now()`. */
  readonly offset: number;
  readonly tookMs: number;
}

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

/** A reading of the time, exact to half of what the answer took: the quickest of a few where that was long. */
async function measured(client: Redis): Promise<Reading> {
  let best = await read(client);
  for (let more = 1; more < MOST_READINGS && best.tookMs > QUICK_ANSWER_MS; more++) {
    const next = await read(client);
    if (next.tookMs < best.tookMs) best = next;
  }
  return best;
}

async function read(client: Redis): Promise<Reading> {
  const asked = performance.now();
  const [seconds, microseconds] = await fromRedis(() => client.time());
  const answered = performance.now();
  const time = Number(seconds) * 1000 + Number(microseconds) / 1000;
  return { offset: time - (asked + answered) / 2, tookMs: answered - asked };
}
