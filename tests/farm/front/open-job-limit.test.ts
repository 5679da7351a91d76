import { describe, expect, it } from 'vitest';
import type { OpenJob, OpenJobs, OpenLimit } from '../../../farm/src/front/open-jobs.js';
import { OpenJobLimit } from '../../../farm/src/front/open-jobs.js';
import type { JobStatus } from '../../../farm/src/queue/types.js';

const JOB = { id: 'new', bytes: 7 };
const MOST = { jobs: 100, bytes: 1000 };

/** The jobs of an owner who is at a limit, and what was asked of them. */
class ScriptedJobs implements OpenJobs {
  readonly added: { owner: string; job: OpenJob; most: unknown }[] = [];
  readonly removed: { owner: string; ids: readonly string[] }[] = [];

  /**
   * @param ages the milliseconds since each job was noted; their ids are their numbers.
   * @param limits the limits at which the owner is, one call of `add` after another. The last one holds on.
   */
  constructor(
    private readonly ages: readonly number[],
    private readonly limits: (OpenLimit | undefined)[],
  ) {}

  async add(owner: string, job: OpenJob, most: unknown): Promise<OpenLimit | undefined> {
    this.added.push({ owner, job, most });
    return this.limits.length > 1 ? this.limits.shift() : this.limits[0];
  }

  async list(owner: string): Promise<{ id: string; ageMs: number }[]> {
    return owner === 'alice' ? this.ages.map((ageMs, id) => ({ id: String(id), ageMs })) : [];
  }

  async remove(owner: string, ids: readonly string[]): Promise<void> {
    this.removed.push({ owner, ids });
  }
}

/**
 * A limit over jobs that are proving, but for those with another state, and the ids whose status was asked for at once.
 */
function limitOver(jobs: OpenJobs, states: Readonly<Record<string, JobStatus['state'] | 'unknown'>>) {
  const batches: string[][] = [];
  let batch: string[] = [];
  const limit = new OpenJobLimit(jobs, async (id) => {
    if (batch.length === 0) {
      setImmediate(() => {
        batches.push(batch);
        batch = [];
      });
    }
    batch.push(id);
    // When the next turn begins, all that are asked for at once have been.
    await new Promise((resolve) => setImmediate(resolve));
    const state = states[id] ?? 'proving';
    return state === 'unknown' ? undefined : ({ id, state } as JobStatus);
  });
  return { limit, batches };
}

const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => String(from + i));

describe('the limit of open jobs', () => {
  it('asks for no status while there is room', async () => {
    const jobs = new ScriptedJobs([0, 0], [undefined]);
    const { limit, batches } = limitOver(jobs, { 0: 'proved' });
    expect(await limit.take('alice', JOB, MOST)).toBeUndefined();
    expect(jobs.added).toEqual([{ owner: 'alice', job: JOB, most: MOST }]);
    expect(batches).toEqual([]);
    expect(jobs.removed).toEqual([]);
  });

  it('looks for ended jobs among all, the oldest first and 16 at a time', async () => {
    const jobs = new ScriptedJobs(new Array(40).fill(0), ['jobs']);
    const { limit, batches } = limitOver(jobs, {});
    expect(await limit.take('alice', JOB, MOST)).toBe('jobs');
    expect(batches).toEqual([numbers(0, 16), numbers(16, 32), numbers(32, 40)]);
    expect(jobs.removed).toEqual([]);
    expect(jobs.added).toHaveLength(1);
  });

  it('asks no more once there is room', async () => {
    const jobs = new ScriptedJobs(new Array(40).fill(0), ['bytes', undefined]);
    const { limit, batches } = limitOver(jobs, { 17: 'failed', 30: 'cancelled', 39: 'proved' });
    expect(await limit.take('alice', JOB, MOST)).toBeUndefined();
    expect(batches).toEqual([numbers(0, 16), numbers(16, 32)]);
    expect(jobs.removed).toEqual([{ owner: 'alice', ids: ['17', '30'] }]);
    expect(jobs.added).toEqual(new Array(2).fill({ owner: 'alice', job: JOB, most: MOST }));
  });

  it('looks on where one that ended makes too little room, and tells the limit that is left', async () => {
    const jobs = new ScriptedJobs(new Array(20).fill(0), ['jobs', 'bytes']);
    const { limit, batches } = limitOver(jobs, { 3: 'proved' });
    expect(await limit.take('alice', JOB, MOST)).toBe('bytes');
    expect(batches).toHaveLength(2);
    expect(jobs.removed).toEqual([{ owner: 'alice', ids: ['3'] }]);
  });

  it('counts a job that the queue does not know for a minute, since it may be on its way there', async () => {
    const jobs = new ScriptedJobs([60_001, 60_000], ['jobs', undefined]);
    const { limit } = limitOver(jobs, { 0: 'unknown', 1: 'unknown' });
    await limit.take('alice', JOB, MOST);
    expect(jobs.removed).toEqual([{ owner: 'alice', ids: ['0'] }]);
  });

  it('counts a job that waits however old it is', async () => {
    const jobs = new ScriptedJobs([1e9, 1e9], ['jobs']);
    const { limit } = limitOver(jobs, { 0: 'waiting' });
    expect(await limit.take('alice', JOB, MOST)).toBe('jobs');
    expect(jobs.removed).toEqual([]);
  });

  it('gives back one that was not submitted', async () => {
    const jobs = new ScriptedJobs([], [undefined]);
    await limitOver(jobs, {}).limit.giveBack('alice', 'x');
    expect(jobs.removed).toEqual([{ owner: 'alice', ids: ['x'] }]);
  });
});
