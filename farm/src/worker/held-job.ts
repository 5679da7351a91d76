import type { ProgressEvent } from 'pippin-prover';
import { failureOf, type JobProgress, progressOf } from '../queue/job.js';
import type { JobError, ProofResult } from '../queue/types.js';
import type { RedisClock } from '../redis/clock.js';
import type { TakenJob } from './job-taker.js';

/**
 * The minimum interval of progress reports, and of a report of a new phase: each is a command and an event in Redis.
 */
const PROGRESS_INTERVAL_MS = 250;
const NEW_PHASE_INTERVAL_MS = 50;

/** Why a job's proof was stopped. */
export type EndReason = 'cancelled' | 'deadline' | 'lost' | 'draining';

/**
 * A job held by this worker: its lock is renewed, and `signal` fires when proving must stop. Exactly one of the methods
 * that end it is called; each does nothing if another worker holds the job by then.
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

  /** Fires when proving must stop. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Why the signal fired; undefined if it has not. */
  get ended(): EndReason | undefined {
    return this.reason;
  }

  /** Stops the proof. The first reason stands. */
  end(reason: EndReason): void {
    this.reason ??= reason;
    this.controller.abort();
  }

  /** The progress of earlier attempts, from 0 to 1. */
  get reached(): number {
    return progressOf(this.taken.job.progress).progress;
  }

  /** Reports progress, throttled: the latest progress is sent when the interval ends. */
  reportProgress(progress: JobProgress): void {
    const pause = progress.phase === this.sentPhase ? PROGRESS_INTERVAL_MS : NEW_PHASE_INTERVAL_MS;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.sendProgress(progress), this.sentAt + pause - performance.now());
  }

  /** Ends the job with its proof. False if this worker no longer holds it. */
  complete(result: ProofResult): Promise<boolean> {
    return this.letGo((job, token) => job.moveToCompleted(result, token, false));
  }

  /** Ends the job with an error, or returns it for a retry; false if this worker no longer holds it. */
  fail(error: JobError, isFinal: boolean): Promise<boolean> {
    const failure = failureOf(error);
    // BullMQ's name for an error that it does not retry.
    if (isFinal) failure.name = 'UnrecoverableError';
    return this.letGo((job, token) => job.moveToFailed(failure, token, false));
  }

  /** Returns the job unchanged to the queue, for another worker. */
  giveBack(): Promise<boolean> {
    return this.letGo((job, token) => job.moveToWait(token));
  }

  /** Stops the timers of a job that another worker holds. */
  forget(): void {
    clearInterval(this.renewing);
    clearTimeout(this.deadline);
    clearTimeout(this.timer);
  }

  private sendProgress(progress: JobProgress): void {
    // An ended job may belong to another worker by now, which reports its own progress.
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
      // The lock was lost while Redis or this process stood still. The job belongs to another worker, or soon will.
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

/** The share of a job's progress for loading its key, if that is loaded for this job. */
const LOAD_SHARE = 0.5;

/**
 * Combines the progress of loading and proving to one, from 0 to 1. It never decreases: a retry reports the earlier
 * maximum until it exceeds it.
 */
export class ProgressOfJob {
  private begin = 0;

  /**
   * @param reached the progress of earlier attempts.
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
