import type { Redis } from 'ioredis';
import { fromRedis } from '../redis/connect.js';
import type { OpenJobs } from './open-jobs.js';

/** Notes a job in the sorted set of an owner's jobs, in one step, so that no two fronts take the same last place. */
const ADD = `
if redis.call('ZSCORE', KEYS[1], ARGV[1]) then return 1 end
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then return 0 end
redis.call('ZADD', KEYS[1], ARGV[3], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return 1`;

/** No job is open for longer than the latest deadline, 30 days. */
const FORGOTTEN_AFTER_MS = 31 * 24 * 3600 * 1000;

/** Open jobs in Redis, for all fronts together. */
export class SharedOpenJobs implements OpenJobs {
  constructor(
    private readonly redis: Redis,
    private readonly prefix: string,
  ) {}

  async add(owner: string, id: string, most: number): Promise<boolean> {
    const noted = () => this.redis.eval(ADD, 1, this.keyOf(owner), id, most, Date.now(), FORGOTTEN_AFTER_MS);
    return (await fromRedis(noted)) === 1;
  }

  async list(owner: string): Promise<{ id: string; since: number }[]> {
    const flat = await fromRedis(() => this.redis.zrange(this.keyOf(owner), '0', '-1', 'WITHSCORES'));
    return Array.from({ length: flat.length / 2 }, (_, i) => ({ id: flat[2 * i]!, since: Number(flat[2 * i + 1]) }));
  }

  async remove(owner: string, ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await fromRedis(() => this.redis.zrem(this.keyOf(owner), ...ids));
  }

  private keyOf(owner: string): string {
    return `${this.prefix}:front:open:${owner}`;
  }
}
