import { FINAL_STATES, type JobStatus } from '../queue/types.js';
import type { OpenJobs } from './open-jobs.js';

/** Statuses that are asked for at a time. */
const AT_A_TIME = 16;
/** A job that the queue does not know may be on its way there for so long. */
const SUBMITTED_WITHIN_MS = 60_000;

/**
 * Bounds the unfinished jobs of each owner. Nobody tells the front when a job ends, so ended ones are looked for when an owner is at the limit: the
 * oldest first, until some are found.
 */
export class OpenJobLimit {
  constructor(
    private readonly jobs: OpenJobs,
    private readonly status: (id: string) => Promise<JobStatus | undefined>,
  ) {}

  /** Counts the job as one of its owner's. False if the owner has as many as may be. */
  async take(owner: string, id: string, most: number): Promise<boolean> {
    if (await this.jobs.add(owner, id, most)) return true;
    return (await this.forgetEnded(owner)) && (await this.jobs.add(owner, id, most));
  }

  /** The job was not submitted after all, or has ended. */
  async giveBack(owner: string, id: string): Promise<void> {
    await this.jobs.remove(owner, [id]);
  }

  /** Whether some had ended. */
  private async forgetEnded(owner: string): Promise<boolean> {
    const jobs = await this.jobs.list(owner);
    for (let i = 0; i < jobs.length; i += AT_A_TIME) {
      const some = jobs.slice(i, i + AT_A_TIME);
      const ended = await Promise.all(some.map(async ({ id, since }) => hasEnded(await this.status(id), since)));
      const ids = some.filter((_, j) => ended[j]).map(({ id }) => id);
      await this.jobs.remove(owner, ids);
      if (ids.length > 0) return true;
    }
    return false;
  }
}

function hasEnded(status: JobStatus | undefined, since: number): boolean {
  if (status === undefined) return Date.now() - since > SUBMITTED_WITHIN_MS;
  return FINAL_STATES.includes(status.state);
}
