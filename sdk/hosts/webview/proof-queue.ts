import type { CircuitInputs } from '../../api/index.js';
import type { Phase } from '../../api/progress.js';
import { asPippinError, type PippinError } from '../../base/errors.js';
import { type JobOwner, JobQueue, type JobState } from '../session/job-queue.js';
import type { PageProver, WebviewCircuit } from './page-prover.js';
import type { PageMessageOf, ProofState } from './protocol.js';

/** Receives the events of the queue. */
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

/** A pending proof. */
interface Job {
  readonly id: string;
  readonly circuit: string;
  readonly inputs: CircuitInputs;
  state: ProofState['state'];
  reason: ProofState['reason'];
  attempt: number;
  /** The highest fraction reported to the app. Progress after a restart is not reported below it. */
  reached: number;
  /** Whether it was restarted because the prover died. */
  wasRevived: boolean;
  /** The phase of the attempt's latest progress event, and the number of its events. */
  phase: Phase | undefined;
  events: number;
  /** Whether its download made no progress after the page was frozen, so that its prover was closed. */
  isStalled: boolean;
}

/** The minimum interval of progress messages: each crosses two processes. */
const PROGRESS_MS = 100;
/** Errors of a prover that may have died while its page was hidden; each proof is retried once with a new one. */
const REVIVABLE: ReadonlySet<string> = new Set(['WORKER_FAILED', 'DEVICE_LOST']);
/**
 * Milliseconds after which a download that a freeze interrupted must have made progress. Chromium 156 never continues a
 * response body of which more than about 2 MB arrived while the page was frozen: its reader neither gets bytes nor an
 * error.
 */
const STALLED_MS = 10_000;

/**
 * Makes proofs one at a time, because two at once take twice the memory and neither ends earlier. While the queue is
 * held, the running proof is stopped and its memory freed; it restarts when the queue is released.
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

  /** The state of a proof; undefined if it is not pending. */
  state(id: string): ProofState | undefined {
    const job = this.jobs.get(id);
    return job === undefined ? undefined : stateOf(job);
  }

  states(): ProofState[] {
    return [...this.jobs.values()].map(stateOf);
  }

  /** Whether a pending proof has this statement. */
  isOf(id: string, circuit: string, inputs: CircuitInputs): boolean {
    const job = this.jobs.get(id);
    return job !== undefined && job.circuit === circuit && sameInputs(job.inputs, inputs);
  }

  /** Adds a proof with a new id and reports its state. */
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
      phase: undefined,
      events: 0,
      isStalled: false,
    };
    this.jobs.set(id, job);
    this.queue.add(job);
  }

  /** Fails a proof. Its work ends within 200 ms; then the next proof starts. */
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

  /** Restarts what was held. */
  release(): void {
    this.queue.release();
  }

  /** The system is about to freeze the scripts of the page and its workers. */
  freeze(): void {
    for (const job of this.queue.running) if (job.state === 'running') this.setState(job, 'paused', 'frozen');
  }

  /** The scripts have resumed. A download that does not continue is restarted with its proof. */
  thaw(): void {
    for (const job of this.queue.running) {
      if (job.reason !== 'frozen') continue;
      this.setState(job, 'running');
      if (job.phase === undefined || job.phase === 'read') this.watchDownload(job);
    }
  }

  /** Frees the prover's memory unless a proof is running. */
  trim(): void {
    if (this.queue.running.length === 0) this.prover.close();
  }

  /** Ends all proofs without reporting them. */
  close(): void {
    for (const job of this.jobs.values()) this.queue.remove(job);
    this.jobs.clear();
    this.prover.close();
  }

  /** Makes a proof, for the queue. */
  async run(job: Job, signal: AbortSignal): Promise<void> {
    const { id, circuit, inputs } = job;
    const attempt = ++job.attempt;
    Object.assign(job, { phase: undefined, events: 0, isStalled: false });
    this.setState(job, 'running');
    const began = performance.now();
    const progress = new Throttle(PROGRESS_MS, this.listener.onProgress.bind(this.listener));
    const { proof, publicSignals, report } = await this.prover.prove({
      circuit: this.options.circuits[circuit]!,
      inputs,
      signal,
      onProgress: (fraction, phase) => {
        if (signal.aborted) return;
        job.phase = phase;
        job.events++;
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

  /** For the queue: whether a proof is retried on another prover. */
  failed(job: Job, cause: unknown): boolean {
    if (job.isStalled) return true;
    const error = asPippinError(cause);
    const isRevived = REVIVABLE.has(error.code) && !job.wasRevived;
    job.wasRevived = true;
    if (isRevived) this.prover.close();
    else this.end(job, error);
    return isRevived;
  }

  /** For the queue, whose `running` is notified when the attempt is counted. */
  onState(job: Job, state: JobState): void {
    if (state !== 'running') this.setState(job, state, state === 'paused' ? 'background' : undefined);
  }

  private watchDownload(job: Job): void {
    const { attempt, events } = job;
    setTimeout(() => {
      const isUnderWay = this.jobs.get(job.id) === job && job.state === 'running' && job.attempt === attempt;
      if (!isUnderWay || job.events !== events) return;
      job.isStalled = true;
      this.prover.close();
    }, STALLED_MS);
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
 * Whether two JSON values are equal. The order of members does not count: Swift changes it from one text to the next.
 */
function sameInputs(a: CircuitInputs, b: CircuitInputs): boolean {
  return JSON.stringify(a, ordered) === JSON.stringify(b, ordered);
}

/** For JSON.stringify: sorts the members of an object by name. */
function ordered(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** A throttle: passes on at most one value per interval and drops the others. `flush` passes on the last one. */
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

  /** Passes on the latest value unless it was already passed on. */
  flush(): void {
    const { held } = this;
    this.held = undefined;
    if (held !== undefined) this.pass(...held);
  }
}
