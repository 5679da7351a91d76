import type { ProgressEvent } from 'pippin-prover';
import { failureOf, type JobProgress, progressOf } from '../queue/job.js';
import type { JobError, ProofResult } from '../queue/types.js';
import type { RedisClock } from '../redis/clock.js';
import type { TakenJob } from './job-taker.js';

/**
 * The least time between two reports of progress, and before one of a new phase: each is a command and an event in
 * Redis.
 */
const PROGRESS_INTERVAL_MS = 250;
const NEW_PHASE_INTERVAL_MS = 50;

/** Why a job's proof was ended before its end. */
export type EndReason = 'cancelled' | 'deadline' | 'lost' | 'draining';

/**
 * A job as long as this worker has it: its lock is renewed, and `signal` fires when it is not to be proved any further.
 * Exactly one of the methods that end it is called, and each of them does nothing if another worker has the job by
 * then.
 */
export class HeldJob {
  private readonly controller = new AbortController();
  private readonly renewing: ReturnType<typeof setInterval>;
  private readonly deadline: ReturnType<typeof setTimeout>;
  private reason: EndReason | undefined;
  private renewedAt = performance.now();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private sentAt = Number.NEGATIVE_INFINITY;
  private sentPhase = '';

  constructor(
    readonly taken: TakenJob,
    private readonly lockMs: number,
    clock: RedisClock,
    private readonly onError: (error: Error) => void,
  ) {
    this.renewing = setInterval(() => void this.renew(), lockMs / 3);
    const leftMs = taken.job.data.deadline - clock.now();
    this.deadline = setTimeout(() => this.end('deadline'), Math.min(leftMs, 2 ** 31 - 1));
  }

  get id(): string {
    return this.taken.job.id!;
  }

  /** Fires when the job is not to be proved any further. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Why the signal has fired; undefined if it has not. */
  get ended(): EndReason | undefined {
    return this.reason;
  }

  /** Ends the proof. The first reason stands. */
  end(reason: EndReason): void {
    this.reason ??= reason;
    this.controller.abort();
  }

  /** How far earlier tries have come, from 0 to 1. */
  get reached(): number {
    return progressOf(this.taken.job.progress).progress;
  }

  /** Reports how far the proof is, at most so often: the latest progress when the interval is over. */
  reportProgress(progress: JobProgress): void {
    const pause = progress.phase === this.sentPhase ? PROGRESS_INTERVAL_MS : NEW_PHASE_INTERVAL_MS;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.sendProgress(progress), this.sentAt + pause - performance.now());
  }

  /** Ends the job with its proof. False if it is not this worker's any more. */
  complete(result: ProofResult): Promise<boolean> {
    return this.letGo((job, token) => job.moveToCompleted(result, token, false));
  }

  /** Ends the job with an error, or puts it back for another try; false if it is not this worker's any more. */
  fail(error: JobError, isFinal: boolean): Promise<boolean> {
    const failure = failureOf(error);
    // BullMQ's name for an error after which it does not try again.
    if (isFinal) failure.name = 'UnrecoverableError';
    return this.letGo((job, token) => job.moveToFailed(failure, token, false));
  }

  /** Gives the job back to the queue as it was, for another worker. */
  giveBack(): Promise<boolean> {
    return this.letGo((job, token) => job.moveToWait(token));
  }

  /** Stops the timers of a job that another worker has. */
  forget(): void {
    clearInterval(this.renewing);
    clearTimeout(this.deadline);
    clearTimeout(this.timer);
  }

  private sendProgress(progress: JobProgress): void {
    // One that was ended may be another worker's by now, which tells of its own progress.
    if (this.reason !== undefined) return;
    this.sentAt = performance.now();
    this.sentPhase = progress.phase;
    this.taken.job.updateProgress({ ...progress }).catch(this.onError);
  }

  private async letGo(end: (job: TakenJob['job'], token: string) => Promise<unknown>): Promise<boolean> {
    this.forget();
    try {
      await end(this.taken.job, this.taken.token);
      return true;
    } catch (error) {
      // The lock was lost while Redis or this process stood still. Then the job is another worker's, or will be.
      this.onError(error as Error);
      return false;
    }
  }

  private async renew(): Promise<void> {
    const asked = performance.now();
    try {
      const renewed = await this.taken.job.extendLock(this.taken.token, this.lockMs);
      if (renewed === 1) this.renewedAt = asked;
      else this.end('lost');
    } catch (error) {
      this.onError(error as Error);
      if (performance.now() - this.renewedAt > this.lockMs) this.end('lost');
    }
  }
}

/** The part of a job's progress that loading its key takes, if it is loaded for this job. */
const LOAD_SHARE = 0.5;

/**
 * Makes one progress of a job, from 0 to 1, of what the engine tells while it loads and while it proves. It never
 * falls: another try tells nothing until it is further than the one before it was.
 */
export class ProgressOfJob {
  private begin = 0;

  /**
   * @param reached how far an earlier try has come.
   * @param report called with each progress.
   */
  constructor(
    private reached: number,
    private readonly report: (progress: JobProgress) => void,
  ) {}

  /** The key is loaded for this job. */
  onLoad(): void {
    this.begin = LOAD_SHARE;
    this.moveTo(0, 'load');
  }

  onLoadProgress(event: ProgressEvent): void {
    if (event.kind === 'progress') this.moveTo(LOAD_SHARE * doneOf(event), 'load');
  }

  onProveProgress(event: ProgressEvent): void {
    if (event.kind === 'progress') this.moveTo(this.begin + (1 - this.begin) * doneOf(event), event.phase);
  }

  private moveTo(progress: number, phase: string): void {
    this.reached = Math.max(this.reached, Math.round(progress * 1000) / 1000);
    this.report({ progress: this.reached, phase });
  }
}

function doneOf({ done, total }: Extract<ProgressEvent, { kind: 'progress' }>): number {
  return total === 0 ? 0 : done / total;
}
