/** Whether a job waits for its turn, is being done, or waits until the queue is released. */
export type JobState = 'queued' | 'running' | 'paused';

/** Who does the jobs of a queue. */
export interface JobOwner<Job> {
  /** Does a job. What it gives or throws when the job was removed meanwhile does not count. */
  run(job: Job, signal: AbortSignal): Promise<void>;
  /**
   * A job has failed, and not because it was stopped. Gives whether it is to be done once more; otherwise it is
   * removed.
   */
  failed(job: Job, error: unknown): boolean;
  /** A job has another state. */
  onState(job: Job, state: JobState): void;
  /** Whether a job may begin beside those that run; while the first may not, none begins. By default it may. */
  mayBegin?(job: Job, running: readonly Job[]): boolean;
}

interface Entry<Job> {
  readonly job: Job;
  readonly priority: number;
  state: JobState;
}

/** A job that is being done. It takes its place until its work has settled, also when it was stopped. */
interface Run<Job> {
  readonly entry: Entry<Job>;
  readonly abort: AbortController;
  /** Whether it was stopped to be begun again. */
  isStopped: boolean;
}

/**
 * Jobs that wait for their turn, by priority and then in the order in which they came. At most some of
 * them are done at a time. The queue can be held: no job begins then, and those under way go on, or are stopped and
 * begun again at their old place.
 */
export class JobQueue<Job extends object> {
  /** In the order of their turns. */
  private entries: Entry<Job>[] = [];
  private runs: Run<Job>[] = [];
  private isHeld = false;

  constructor(
    private readonly parallel: number,
    private readonly owner: JobOwner<Job>,
  ) {}

  /** Whether a job waits or is being done. */
  has(job: Job): boolean {
    return this.entries.some((entry) => entry.job === job);
  }

  /** The jobs whose work has not settled and that are still wanted. */
  get running(): readonly Job[] {
    return this.runs.filter((run) => this.isWanted(run)).map(({ entry }) => entry.job);
  }

  /** Takes in a job and tells its state. */
  add(job: Job, priority = 0): void {
    const after = this.entries.findIndex((other) => other.priority < priority);
    const entry: Entry<Job> = { job, priority, state: 'queued' };
    this.entries.splice(after < 0 ? this.entries.length : after, 0, entry);
    this.beginNext();
    if (entry.state === 'queued') this.setState(entry, this.isHeld ? 'paused' : 'queued');
  }

  /** Forgets a job, and stops it if it is being done. The next one begins when its work has settled. */
  remove(job: Job): void {
    this.entries = this.entries.filter((entry) => entry.job !== job);
    for (const { entry, abort } of this.runs) if (entry.job === job) abort.abort();
  }

  /** The jobs in the order of their turns. */
  get jobs(): readonly Job[] {
    return this.entries.map(({ job }) => job);
  }

  /** Lets no job begin. Of those under way, the ones for which `stops` is true are stopped, and the others go on. */
  hold(stops: (job: Job) => boolean): void {
    this.isHeld = true;
    const stopped = this.runs.filter((run) => this.isWanted(run) && !run.isStopped && stops(run.entry.job));
    const goOn = this.runs.filter((run) => !run.isStopped && !stopped.includes(run)).map(({ entry }) => entry);
    // Before anything else: a page may have little time left.
    for (const entry of this.entries) if (!goOn.includes(entry)) this.setState(entry, 'paused');
    for (const run of stopped) {
      run.isStopped = true;
      run.abort.abort();
    }
  }

  /** Begins again what was held. */
  release(): void {
    this.isHeld = false;
    const stopping = this.runs.map(({ entry }) => entry);
    for (const entry of this.entries) {
      if (entry.state === 'paused' && !stopping.includes(entry)) this.setState(entry, 'queued');
    }
    this.beginNext();
  }

  /** Begins what may begin now: for an owner whose `mayBegin` has changed. */
  beginNext(): void {
    while (!this.isHeld && this.runs.length < this.parallel) {
      const entry = this.entries.find(({ state }) => state === 'queued');
      if (entry === undefined || this.owner.mayBegin?.(entry.job, this.running) === false) return;
      void this.run(entry);
    }
  }

  private async run(entry: Entry<Job>): Promise<void> {
    const run: Run<Job> = { entry, abort: new AbortController(), isStopped: false };
    this.runs.push(run);
    this.setState(entry, 'running');
    let isAgain = false;
    try {
      await this.owner.run(entry.job, run.abort.signal);
    } catch (error) {
      isAgain = this.isWanted(run) && (run.isStopped || this.owner.failed(entry.job, error));
    }
    this.runs = this.runs.filter((other) => other !== run);
    if (!isAgain) this.entries = this.entries.filter((other) => other !== entry);
    else if (!this.isHeld) this.setState(entry, 'queued');
    else if (entry.state !== 'paused') this.setState(entry, 'paused');
    this.beginNext();
  }

  /** Whether the job of a run was not removed. */
  private isWanted({ entry }: Run<Job>): boolean {
    return this.entries.includes(entry);
  }

  private setState(entry: Entry<Job>, state: JobState): void {
    entry.state = state;
    this.owner.onState(entry.job, state);
  }
}
