/** The jobs that owners have, as far as nobody has noticed that they ended. */
export interface OpenJobs {
  /** Notes a job, unless its owner has `most` others. The same job twice counts once. */
  add(owner: string, id: string, most: number): Promise<boolean>;
  /** The jobs of an owner with the times when they were noted, in milliseconds since 1970. */
  list(owner: string): Promise<readonly { readonly id: string; readonly since: number }[]>;
  remove(owner: string, ids: readonly string[]): Promise<void>;
}

/** Those of this process. */
export class LocalOpenJobs implements OpenJobs {
  private readonly owners = new Map<string, Map<string, number>>();

  async add(owner: string, id: string, most: number): Promise<boolean> {
    const jobs = this.owners.get(owner) ?? new Map<string, number>();
    this.owners.set(owner, jobs);
    if (!jobs.has(id) && jobs.size >= most) return false;
    jobs.set(id, jobs.get(id) ?? Date.now());
    return true;
  }

  async list(owner: string): Promise<{ id: string; since: number }[]> {
    return [...(this.owners.get(owner) ?? [])].map(([id, since]) => ({ id, since }));
  }

  async remove(owner: string, ids: readonly string[]): Promise<void> {
    for (const id of ids) this.owners.get(owner)?.delete(id);
  }
}
