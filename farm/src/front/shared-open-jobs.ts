import type { Redis } from 'ioredis';
import { fromRedis } from '../redis/connection.js';
import type { OpenJob, OpenJobs, OpenLimit, OpenLimits } from './open-jobs.js';

/**
 * An owner's jobs are a hash: for each id the seconds since 1970 by the clock of Redis and the bytes, and their sum in
 * the field `bytes`. Each script is atomic, so that no two fronts take the same last place.
 */
const ADD = `
local key, id, bytes = KEYS[1], ARGV[1], tonumber(ARGV[2])
if redis.call('HEXISTS', key, id) == 1 then return 0 end
local jobs = math.max(redis.call('HLEN', key) - 1, 0)
if jobs >= tonumber(ARGV[3]) then return 1 end
local sum = bytes + tonumber(redis.call('HGET', key, 'bytes') or '0')
if sum > tonumber(ARGV[4]) then return 2 end
redis.call('HSET', key, id, redis.call('TIME')[1] .. ' ' .. ARGV[2], 'bytes', sum)
redis.call('PEXPIRE', key, ARGV[5])
return 0`;

const REMOVE = `
for _, id in ipairs(ARGV) do
  local job = redis.call('HGET', KEYS[1], id)
  if job then
    redis.call('HDEL', KEYS[1], id)
    redis.call('HINCRBY', KEYS[1], 'bytes', -tonumber(string.match(job, '%d+$')))
  end
end`;

const OUTCOMES: readonly (OpenLimit | undefined)[] = [undefined, 'jobs', 'bytes'];

/** No job is open longer than the latest deadline, 30 days. */
const FORGOTTEN_AFTER_MS = 31 * 24 * 3600 * 1000;

/** Open jobs in Redis, for all fronts together. */
export class SharedOpenJobs implements OpenJobs {
  constructor(
    private readonly redis: Redis,
    private readonly prefix: string,
  ) {}

  async add(owner: string, { id, bytes }: OpenJob, most: OpenLimits): Promise<OpenLimit | undefined> {
    const values = [id, bytes, most.jobs, most.bytes, FORGOTTEN_AFTER_MS];
    return OUTCOMES[Number(await fromRedis(() => this.redis.eval(ADD, 1, this.keyOf(owner), ...values)))];
  }

  async list(owner: string): Promise<{ id: string; ageMs: number }[]> {
    const [{ bytes: _, ...jobs }, [now]] = await fromRedis(() =>
      Promise.all([this.redis.hgetall(this.keyOf(owner)), this.redis.time()]),
    );
    const aged = Object.entries(jobs).map(([id, noted]) => ({
      id,
      ageMs: 1000 * (Number(now) - Number.parseInt(noted, 10)),
    }));
    return aged.sort((a, b) => b.ageMs - a.ageMs);
  }

  async remove(owner: string, ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await fromRedis(() => this.redis.eval(REMOVE, 1, this.keyOf(owner), ...ids));
  }

  private keyOf(owner: string): string {
    return `${this.prefix}:front:open:${owner}`;
  }
}
