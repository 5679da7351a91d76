/** An unfinished job, and the bytes of its inputs or its witness. */
export interface OpenJob {
  readonly id: string;
  readonly bytes: number;
}

/** The most unfinished jobs of an owner, and the most bytes that they may have together. */
export type OpenLimits = Readonly<Record<OpenLimit, number>>;
export type OpenLimit = 'jobs' | 'bytes';

/** The jobs that owners have, as far as nobody has noticed that they ended. */
export interface OpenJobs {
  /** Notes a job, unless its owner is at a limit: then it gives this one. The same job twice counts once. */
  add(owner: string, job: OpenJob, most: OpenLimits): Promise<OpenLimit | undefined>;
  /** The jobs of an owner, the oldest first, with the milliseconds since they were noted. */
  list(owner: string): Promise<readonly { readonly id: string; readonly ageMs: number }[]>;
  remove(owner: string, ids: readonly string[]): Promise<void>;
}

interface Noted {
  readonly bytes: number;
  readonly since: number;
}

/** Those of this process. */
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
