import { FINAL_STATES, type JobStatus } from '../queue/types.js';
import type { OpenJob, OpenJobs, OpenLimit, OpenLimits } from './open-jobs.js';

/** Statuses that are asked for at a time. */
const AT_A_TIME = 16;
/** A job that the queue does not know may be on its way there for so long. */
const SUBMITTED_WITHIN_MS = 60_000;

/**
 * Bounds the unfinished jobs of each owner. Nobody tells the front when a job ends, so ended ones are looked for when
 * an owner is at a limit: the oldest first, until there is room.
 */
export class OpenJobLimit {
  constructor(
    private readonly jobs: OpenJobs,
    private readonly status: (id: string) => Promise<JobStatus | undefined>,
  ) {}

  /** Counts the job as one of its owner's, unless the owner is at a limit: then it gives this one. */
  async take(owner: string, job: OpenJob, most: OpenLimits): Promise<OpenLimit | undefined> {
    let full = await this.jobs.add(owner, job, most);
    if (full === undefined) return undefined;
    const others = await this.jobs.list(owner);
    for (let i = 0; i < others.length; i += AT_A_TIME) {
      const ended = await this.ended(others.slice(i, i + AT_A_TIME));
      if (ended.length === 0) continue;
      await this.jobs.remove(owner, ended);
      full = await this.jobs.add(owner, job, most);
      if (full === undefined) return undefined;
    }
    return full;
  }

  /** The job was not submitted after all, or has ended. */
  async giveBack(owner: string, id: string): Promise<void> {
    await this.jobs.remove(owner, [id]);
  }

  private async ended(jobs: Awaited<ReturnType<OpenJobs['list']>>): Promise<string[]> {
    const ended = await Promise.all(jobs.map(async ({ id, ageMs }) => hasEnded(await this.status(id), ageMs)));
    return jobs.filter((_, i) => ended[i]).map(({ id }) => id);
  }
}

function hasEnded(status: JobStatus | undefined, ageMs: number): boolean {
  return status === undefined ? ageMs > SUBMITTED_WITHIN_MS : FINAL_STATES.includes(status.state);
}
