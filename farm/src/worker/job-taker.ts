import { setTimeout as delay } from 'node:timers/promises';
import { Queue, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import type { CircuitQueue, JobData, ProofJob } from '../queue/job.js';
import { type Names, wakeWorkers } from '../queue/names.js';
import type { ProofResult } from '../queue/types.js';

/** The parts of a taker. */
export interface JobTakerOptions {
  /** The worker's id, recorded in its jobs. */
  readonly worker: string;
  readonly client: Redis;
  readonly names: Names;
  readonly circuits: readonly string[];
  /** The milliseconds that a job belongs to a worker without a heartbeat. */
  readonly lockMs: number;
  /** The number of workers that died while proving a job after which the job fails. */
  readonly deaths: number;
  /** How many milliseconds older a job counts if the worker holds its key. */
  readonly patienceMs: number;
  readonly onError: (error: Error) => void;
}

/** A job that this worker must end or return. */
export interface TakenJob {
  readonly circuit: string;
  readonly job: ProofJob;
  /** The lock token of the job. */
  readonly token: string;
}

/**
 * The interval at which a worker polls the queues even if nothing wakes it: for delayed jobs, and jobs of workers that
 * died. In seconds, for BZPOPMIN.
 */
const ASK_EVERY_S = 1;

/** The head start of an idle worker that holds the key of a job. It takes such a job in one or two milliseconds. */
const HEAD_START_MS = 25;

/** The pause for which a circuit that could not be loaded is left to other workers. */
const REST_MS = 30_000;

interface Queues {
  readonly queue: CircuitQueue;
  readonly worker: Worker<JobData, ProofResult>;
}

/** The next job of a circuit, with the members that decide which circuit comes first. */
interface Head {
  readonly circuit: string;
  readonly priority: number;
  readonly submitted: number;
}

/**
 * Takes one job at a time from the queues of several circuits. BullMQ's own workers take jobs of one queue each, and
 * would hold a job of every circuit while one is proved.
 *
 * The first circuit is the one whose job has the highest priority; among equals the oldest job, where a job whose key
 * is loaded counts as `patienceMs` older. So keys stay loaded unless another job has waited that much longer, and no
 * job waits for ever.
 *
 * A new job goes to an idle worker that holds its key, if there is one; others have to load the key (docs/scale.md
 * shows what that saves).
 */
export class JobTaker {
  private taken = 0;
  private readonly resting = new Map<string, number>();

  private constructor(
    private readonly options: JobTakerOptions,
    private readonly queues: ReadonlyMap<string, Queues>,
    private readonly waiting: Redis,
  ) {}

  static async open(options: JobTakerOptions): Promise<JobTaker> {
    const { client, circuits, onError } = options;
    const queues = new Map(circuits.map((circuit) => [circuit, openQueues(circuit, options)]));
    const waiting = client.duplicate();
    waiting.on('error', onError);
    for (const { worker } of queues.values()) await worker.startStalledCheckTimer();
    return new JobTaker(options, queues, waiting);
  }

  /** The next job; undefined after a second without one. */
  async next(held: readonly string[]): Promise<TakenJob | undefined> {
    const taken = await this.takeFrom(await this.inOrder(held));
    if (taken !== undefined) return taken;
    const { names } = this.options;
    const woken = await this.waiting.bzpopmin([...held.map((id) => names.wakeHolders(id)), names.wake], ASK_EVERY_S);
    if (woken === null) return undefined;
    const circuit = woken[1];
    if (this.queues.size > 1 && !held.includes(circuit)) await delay(HEAD_START_MS);
    return this.takeFrom([circuit]);
  }

  /** Leaves a circuit that could not be loaded to other workers for a while. */
  rest(circuit: string): void {
    this.resting.set(circuit, Date.now() + REST_MS);
  }

  /** Ends the wait of `next`, which then rejects. */
  stop(): void {
    this.waiting.disconnect();
  }

  async close(): Promise<void> {
    this.stop();
    const all = [...this.queues.values()];
    await Promise.allSettled(all.flatMap(({ queue, worker }) => [worker.close(true), queue.close()]));
  }

  private async takeFrom(circuits: readonly string[]): Promise<TakenJob | undefined> {
    const { worker: id, client, names } = this.options;
    for (const circuit of circuits) {
      const queues = this.queues.get(circuit);
      if (queues === undefined || this.isResting(circuit)) continue;
      const token = `${id}:${this.taken++}`;
      const job: ProofJob | undefined = await queues.worker.getNextJob(token, { block: false });
      if (job === undefined) continue;
      // There may be more jobs: wake another waiting worker. If there are none, that costs it one query.
      wakeWorkers(client, names, circuit).catch(this.options.onError);
      return { circuit, job, token };
    }
    return undefined;
  }

  /** The circuits in the order in which they are polled. */
  private async inOrder(held: readonly string[]): Promise<readonly string[]> {
    const circuits = [...this.queues.keys()];
    if (circuits.length === 1) return circuits;
    const heads = (await Promise.all(circuits.map((circuit) => this.headsOf(circuit)))).flat();
    const age = ({ circuit, submitted }: Head) => submitted - (held.includes(circuit) ? this.options.patienceMs : 0);
    heads.sort((a, b) => a.priority - b.priority || age(a) - age(b));
    // Circuits without waiting jobs are polled, too: polling returns delayed jobs.
    return [...new Set([...heads.map(({ circuit }) => circuit), ...circuits])];
  }

  private async headsOf(circuit: string): Promise<Head[]> {
    const jobs = await this.queues.get(circuit)!.queue.getJobs(['wait', 'prioritized'], 0, 0, true);
    return jobs.map(({ data, timestamp }) => ({ circuit, priority: data.priority, submitted: timestamp }));
  }

  private isResting(circuit: string): boolean {
    return (this.resting.get(circuit) ?? 0) > Date.now();
  }
}

function openQueues(circuit: string, options: JobTakerOptions): Queues {
  const { client, names, lockMs, deaths, worker: name, onError } = options;
  const shared = { connection: client, prefix: names.prefix };
  const worker: Worker<JobData, ProofResult> = new Worker(circuit, null, {
    ...shared,
    name,
    autorun: false,
    lockDuration: lockMs,
    stalledInterval: Math.max(1000, Math.round(lockMs / 3)),
    // BullMQ fails a job that has lost more workers than that.
    maxStalledCount: deaths - 1,
  });
  const queue: Queue<JobData, ProofResult> = new Queue(circuit, shared);
  worker.on('error', onError);
  queue.on('error', onError);
  return { queue, worker };
}
