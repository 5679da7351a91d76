import type { CircuitInputs } from '../../api/index.js';
import { asPippinError, type PippinError } from '../../base/errors.js';
import type { ProofResult } from './journal.js';
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

/** The proof that is being made. */
interface Running {
  readonly job: Job;
  readonly abort: AbortController;
  /** Why it is being stopped, if it is: it has failed already, or the queue is held. */
  stop: 'failed' | 'hold' | undefined;
}

/** A message of progress at most so often: each crosses two processes. */
const PROGRESS_MS = 100;
/** What a prover can die of while its page was out of sight; another one is tried, once for each proof. */
const REVIVABLE: ReadonlySet<string> = new Set(['WORKER_FAILED', 'DEVICE_LOST']);

/**
 * Makes proofs one at a time, because two at once take twice the memory and neither is done earlier. It can be held:
 * the running proof is stopped then, its memory freed, and begun again when the queue is released.
 */
export class ProofQueue {
  private readonly jobs = new Map<string, Job>();
  private running: Running | undefined;
  private isHeld = false;
  private hasEnded = false;

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
    if (this.isHeld) this.setState(job, 'paused', 'background');
    else if (this.running !== undefined) this.setState(job, 'queued');
    else this.next();
  }

  /** Fails a proof. The work for it ends within 200 ms, and the next proof begins then. */
  fail(id: string, error: PippinError): void {
    const job = this.jobs.get(id);
    if (job === undefined) return;
    this.end(job, error);
    const { running } = this;
    if (running?.job !== job) return;
    running.stop = 'failed';
    running.abort.abort();
  }

  failAll(error: PippinError): void {
    for (const id of [...this.jobs.keys()]) this.fail(id, error);
  }

  /** Stops the running proof and frees its memory. */
  hold(): void {
    this.isHeld = true;
    const { running } = this;
    for (const job of this.jobs.values()) {
      // Before anything else: little time may be left to tell the app.
      if (running?.job !== job || running.stop === undefined) this.setState(job, 'paused', 'background');
    }
    if (running !== undefined && running.stop === undefined) {
      running.stop = 'hold';
      running.abort.abort();
    }
    this.prover.close();
  }

  /** Begins again what was held. */
  release(): void {
    this.isHeld = false;
    for (const job of this.jobs.values()) {
      if (job !== this.running?.job && job.state === 'paused') this.setState(job, 'queued');
    }
    this.next();
  }

  /** The system is about to stop the scripts of the page and of its workers. */
  freeze(): void {
    const { running } = this;
    if (running === undefined || running.stop !== undefined || running.job.reason === 'frozen') return;
    this.setState(running.job, 'paused', 'frozen');
  }

  /** The scripts go on where they were. */
  thaw(): void {
    const job = this.running?.job;
    if (job?.reason === 'frozen') this.setState(job, 'running');
  }

  /** Frees the prover's memory if no proof is being made. */
  trim(): void {
    if (this.running === undefined || this.running.stop !== undefined) this.prover.close();
  }

  /** Ends all without a word. */
  close(): void {
    this.hasEnded = true;
    this.jobs.clear();
    this.running?.abort.abort();
    this.prover.close();
  }

  /** Begins the next proof that waits, if none is being made. */
  private next(): void {
    if (this.running !== undefined || this.hasEnded) return;
    const job = this.isHeld ? undefined : [...this.jobs.values()].find(({ state }) => state === 'queued');
    if (job !== undefined) void this.run(job);
  }

  private async run(job: Job): Promise<void> {
    const running: Running = { job, abort: new AbortController(), stop: undefined };
    this.running = running;
    job.attempt++;
    this.setState(job, 'running');
    try {
      const result = await this.make(running);
      if (!this.hasEnded) this.made(running, result);
    } catch (error) {
      if (!this.hasEnded) this.stopped(running, asPippinError(error));
    }
    this.running = undefined;
    this.next();
  }

  private async make({ job, abort }: Running): Promise<ProofResult> {
    const { id, circuit, inputs, attempt } = job;
    const began = performance.now();
    const progress = new Throttle(PROGRESS_MS, this.listener.onProgress.bind(this.listener));
    const { proof, publicSignals, report } = await this.prover.prove({
      circuit: this.options.circuits[circuit]!,
      inputs,
      signal: abort.signal,
      onProgress: (fraction, phase) => {
        if (abort.signal.aborted) return;
        job.reached = Math.max(job.reached, fraction);
        progress.tell({ id, attempt, fraction: job.reached, phase });
      },
    });
    if (!abort.signal.aborted) progress.flush();
    const ms = Math.round(performance.now() - began);
    return { id, circuit, proof, publicSignals, backend: report.backend, ms, attempts: attempt };
  }

  private made({ job, stop }: Running, result: ProofResult): void {
    if (stop === 'failed') return;
    this.jobs.delete(job.id);
    this.listener.onResult(result);
  }

  /** What becomes of a proof whose work has ended without a result. */
  private stopped({ job, stop }: Running, error: PippinError): void {
    if (stop === 'failed') return;
    if (stop === 'hold') {
      if (!this.isHeld) this.setState(job, 'queued');
    } else if (REVIVABLE.has(error.code) && !job.wasRevived) {
      job.wasRevived = true;
      this.prover.close();
      this.setState(job, 'queued');
    } else this.end(job, error);
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
