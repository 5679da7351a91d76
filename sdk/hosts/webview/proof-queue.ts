import type { CircuitInputs } from '../../api/index.js';
import { asPippinError, type PippinError } from '../../base/errors.js';
import { type JobOwner, JobQueue, type JobState } from '../session/job-queue.js';
import type { PageProver, WebviewCircuit } from './page-prover.js';
import type { PageMessageOf, ProofState } from './protocol.js';

/** What the queue tells. */
export interface QueueListener {
  onState(state: ProofState): void;
  onProgress(progress: Omit<PageMessageOf<'progress'>, 'pippin' | 'type'>): void;
  onResult(result: ProofResult): void;
  onFailed(id: string, error: PippinError): void;
}

export interface QueueOptions {
  readonly circuits: Readonly<Record<string, WebviewCircuit>>;
}

/** What makes proofs, one at a time. */
export type ProofMaker = Pick<PageProver, 'prove' | 'close'>;

export type ProofResult = Omit<PageMessageOf<'result'>, 'pippin' | 'type'>;

/** A proof that is waited for. */
interface Job {
  readonly id: string;
  readonly circuit: string;
  readonly inputs: CircuitInputs;
  state: ProofState['state'];
  reason: ProofState['reason'];
  attempt: number;
  /** The fraction of it that was reported to the app. What is begun again does not fall behind it. */
  reached: number;
  /** Whether it was begun again because the prover had died. */
  wasRevived: boolean;
}

/** A message of progress at most so often: each crosses two processes. */
const PROGRESS_MS = 100;
/** What a prover can die of while its page was out of sight; another one is tried, once for each proof. */
const REVIVABLE: ReadonlySet<string> = new Set(['WORKER_FAILED', 'DEVICE_LOST']);

/**
 * Makes proofs one at a time, because two at once take twice the memory and neither is done earlier. It can be held:
 * the running proof is stopped then, its memory freed, and begun again when the queue is released.
 */
export class WebviewQueue implements JobOwner<Job> {
  private readonly jobs = new Map<string, Job>();
  private readonly queue = new JobQueue<Job>(1, this);

  constructor(
    private readonly options: QueueOptions,
    private readonly prover: ProofMaker,
    private readonly listener: QueueListener,
  ) {}

  get size(): number {
    return this.jobs.size;
  }

  /** How a proof stands; undefined if it is not waited for. */
  state(id: string): ProofState | undefined {
    const job = this.jobs.get(id);
    return job === undefined ? undefined : stateOf(job);
  }

  states(): ProofState[] {
    return [...this.jobs.values()].map(stateOf);
  }

  /** Whether a proof that is waited for is one of this statement. */
  isOf(id: string, circuit: string, inputs: CircuitInputs): boolean {
    const job = this.jobs.get(id);
    return job !== undefined && job.circuit === circuit && sameInputs(job.inputs, inputs);
  }

  /** Takes in a proof with a new id and tells its state. */
  add(id: string, circuit: string, inputs: CircuitInputs): void {
    const job: Job = {
      id,
      circuit,
      inputs,
      state: 'queued',
      reason: undefined,
      attempt: 0,
      reached: 0,
      wasRevived: false,
    };
    this.jobs.set(id, job);
    this.queue.add(job);
  }

  /** Fails a proof. The work for it ends within 200 ms, and the next proof begins then. */
  fail(id: string, error: PippinError): void {
    const job = this.jobs.get(id);
    if (job === undefined) return;
    this.end(job, error);
    this.queue.remove(job);
  }

  failAll(error: PippinError): void {
    for (const id of [...this.jobs.keys()]) this.fail(id, error);
  }

  /** Stops the running proof and frees its memory. */
  hold(): void {
    this.queue.hold(() => true);
    this.prover.close();
  }

  /** Begins again what was held. */
  release(): void {
    this.queue.release();
  }

  /** The system is about to stop the scripts of the page and of its workers. */
  freeze(): void {
    for (const job of this.queue.running) if (job.state === 'running') this.setState(job, 'paused', 'frozen');
  }

  /** The scripts go on where they were. */
  thaw(): void {
    for (const job of this.queue.running) if (job.reason === 'frozen') this.setState(job, 'running');
  }

  /** Frees the prover's memory if no proof is being made. */
  trim(): void {
    if (this.queue.running.length === 0) this.prover.close();
  }

  /** Ends all without a word. */
  close(): void {
    for (const job of this.jobs.values()) this.queue.remove(job);
    this.jobs.clear();
    this.prover.close();
  }

  /** Makes a proof, for the queue. */
  async run(job: Job, signal: AbortSignal): Promise<void> {
    const { id, circuit, inputs } = job;
    const attempt = ++job.attempt;
    this.setState(job, 'running');
    const began = performance.now();
    const progress = new Throttle(PROGRESS_MS, this.listener.onProgress.bind(this.listener));
    const { proof, publicSignals, report } = await this.prover.prove({
      circuit: this.options.circuits[circuit]!,
      inputs,
      signal,
      onProgress: (fraction, phase) => {
        if (signal.aborted) return;
        job.reached = Math.max(job.reached, fraction);
        progress.tell({ id, attempt, fraction: job.reached, phase });
      },
    });
    if (!signal.aborted) progress.flush();
    if (this.jobs.get(id) !== job) return;
    const ms = Math.round(performance.now() - began);
    this.jobs.delete(id);
    this.listener.onResult({
      id,
      circuit,
      proof,
      publicSignals,
      backend: report.backend,
      ms,
      attempts: attempt,
    });
  }

  /** For the queue: whether a proof is tried once more on another prover. */
  failed(job: Job, cause: unknown): boolean {
    const error = asPippinError(cause);
    const isRevived = REVIVABLE.has(error.code) && !job.wasRevived;
    job.wasRevived = true;
    if (isRevived) this.prover.close();
    else this.end(job, error);
    return isRevived;
  }

  /** For the queue, whose `running` is told when the attempt is counted. */
  onState(job: Job, state: JobState): void {
    if (state !== 'running') this.setState(job, state, state === 'paused' ? 'background' : undefined);
  }

  private end(job: Job, error: PippinError): void {
    this.jobs.delete(job.id);
    this.listener.onFailed(job.id, error);
  }

  private setState(job: Job, state: Job['state'], reason?: Job['reason']): void {
    job.state = state;
    job.reason = reason;
    this.listener.onState(stateOf(job));
  }
}

function stateOf({ id, state, attempt, reason }: Job): ProofState {
  return { id, state, attempt, ...(reason === undefined ? {} : { reason }) };
}

/**
 * Whether two values of JSON are the same. The order of members does not count: Swift writes them in another one each
 * time.
 */
function sameInputs(a: CircuitInputs, b: CircuitInputs): boolean {
  return JSON.stringify(a, ordered) === JSON.stringify(b, ordered);
}

/** For JSON.stringify: an object with its members in the order of their names. */
function ordered(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * A throttle: passes on at most one value in some milliseconds, and drops the others. `flush` passes on the last one.
 */
class Throttle<Args extends readonly unknown[]> {
  private last = Number.NEGATIVE_INFINITY;
  private held: Args | undefined;

  constructor(
    private readonly ms: number,
    private readonly pass: (...args: Args) => void,
    private readonly now: () => number = () => performance.now(),
  ) {}

  tell(...args: Args): void {
    const now = this.now();
    this.held = args;
    if (now - this.last < this.ms) return;
    this.last = now;
    this.flush();
  }

  /** Passes on the latest value if it was not passed on. */
  flush(): void {
    const { held } = this;
    this.held = undefined;
    if (held !== undefined) this.pass(...held);
  }
}
