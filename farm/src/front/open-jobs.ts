import { FINAL_STATES, type JobStatus } from '../queue/types.js';

/** The number of concurrent status queries. */
const AT_A_TIME = 16;
/** The time for which a job may be unknown to the queue because it is still on its way. */
const SUBMITTED_WITHIN_MS = 60_000;

/**
 * Bounds the unfinished jobs of each owner. The front is not notified when a job ends, so it searches for ended ones
 * when an owner reaches a limit: the oldest first, until there is room.
 */
export class OpenJobLimit {
  constructor(
    private readonly jobs: OpenJobs,
    private readonly status: (id: string) => Promise<JobStatus | undefined>,
  ) {}

  /** Counts the job for its owner, or returns the limit that the owner has reached. */
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

  /** Forgets a job that was not submitted or has ended. */
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

/** An unfinished job, and the bytes of its inputs or its witness. */
export interface OpenJob {
  readonly id: string;
  readonly bytes: number;
}

/** The maximum of unfinished jobs of an owner, and of their bytes. */
export type OpenLimits = Readonly<Record<OpenLimit, number>>;
export type OpenLimit = 'jobs' | 'bytes';

/** The jobs of owners, as far as their end is not known. */
export interface OpenJobs {
  /** Records a job; returns the limit if its owner has reached it. The same job twice counts once. */
  add(owner: string, job: OpenJob, most: OpenLimits): Promise<OpenLimit | undefined>;
  /** The jobs of an owner, oldest first, with the milliseconds since they were recorded. */
  list(owner: string): Promise<readonly { readonly id: string; readonly ageMs: number }[]>;
  remove(owner: string, ids: readonly string[]): Promise<void>;
}

interface Noted {
  readonly bytes: number;
  readonly since: number;
}

/** The open jobs of this process. */
export class LocalOpenJobs implements OpenJobs {
  private readonly owners = new Map<string, Map<string, Noted>>();

  async add(owner: string, { id, bytes }: OpenJob, most: OpenLimits): Promise<OpenLimit | undefined> {
    const jobs = this.owners.get(owner) ?? new Map<string, Noted>();
    this.owners.set(owner, jobs);
    if (jobs.has(id)) return undefined;
    if (jobs.size >= most.jobs) return 'jobs';
    let sum = bytes;
    for (const job of jobs.values()) sum += job.bytes;
    if (sum > most.bytes) return 'bytes';
    jobs.set(id, { bytes, since: performance.now() });
    return undefined;
  }

  async list(owner: string): Promise<{ id: string; ageMs: number }[]> {
    const now = performance.now();
    return [...(this.owners.get(owner) ?? [])].map(([id, { since }]) => ({ id, ageMs: now - since }));
  }

  async remove(owner: string, ids: readonly string[]): Promise<void> {
    for (const id of ids) this.owners.get(owner)?.delete(id);
  }
}
