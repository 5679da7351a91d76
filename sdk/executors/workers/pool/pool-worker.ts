import type { PippinError } from '../../../base/errors.js';
import type { WorkerChannel } from '../../../transport/channel.js';
import type { Heartbeat } from '../../../transport/heartbeat.js';
import type { Remote } from '../../../transport/remote.js';
import type { KernelHost } from '../kernel/kernel-host.js';

/** Which of two waiting jobs starts first: the one of the lower rank. */
export const RANKS = { urgent: 0, usual: 1, background: 2 } as const;

export interface Job {
  readonly id: number;
  readonly worker: number | undefined;
  readonly rank: (typeof RANKS)[keyof typeof RANKS];
  readonly onProgress: ((fraction: number) => void) | undefined;
  /** Sends the work; fulfilled when the worker has answered. */
  readonly send: (worker: PoolWorker) => Promise<void>;
  readonly reject: (error: PippinError) => void;
}

/** One kernel worker. It runs one job at a time, because a kernel's memory serves one computation. */
export interface PoolWorker {
  channel: WorkerChannel;
  host: Remote<KernelHost>;
  /** How often the worker in this place has been replaced; data that was loaded into an earlier one is lost. */
  generation: number;
  current: Job | undefined;
  /** Fulfilled when it has answered to its last job. */
  answered: Promise<void>;
  readonly heartbeat: Heartbeat;
  /** Rejects when it has died, or was silent for too long. */
  readonly death: Promise<never>;
  readonly tellDeath: (error: PippinError) => void;
  /** Ends it, and starts another in its place. */
  readonly replace: (error: PippinError) => void;
  /** How many workers have died in this place since one in it last answered. */
  deaths: number;
  /**
   * Set while the place rests, because its workers have died too often: the error of the last one, and when another is
   * tried.
   */
  rest: { readonly failure: PippinError; readonly until: number } | undefined;
}

/** Milliseconds for which a worker may be silent while its script may still be on its way over a slow network. */
export const START_MS = 300_000;
