import type { JobError } from '../queue/types.js';

/** What a worker tells, for logs. No event holds an input, a witness or a key. */
export type WorkerEvent =
  | { readonly kind: 'ready'; readonly worker: string; readonly device: string }
  | { readonly kind: 'taken'; readonly worker: string; readonly job: string; readonly attempt: number }
  | { readonly kind: 'proved'; readonly worker: string; readonly job: string; readonly ms: number }
  /**
   * A try failed; `again` says whether there will be another one. Those who wait for the job learn the same, unless the
   * machine or the circuit's files have failed: where these are is told here alone.
   */
  | ({
      readonly kind: 'failed';
      readonly worker: string;
      readonly job: string;
      readonly again: boolean;
    } & JobError)
  /** The job went to another worker, or back to the queue. */
  | {
      readonly kind: 'left';
      readonly worker: string;
      readonly job: string;
      readonly reason: 'lost' | 'draining';
    }
  | { readonly kind: 'key-loaded'; readonly worker: string; readonly circuit: string; readonly ms: number }
  /** A GPU has computed wrong. The worker goes on without it; no wrong proof was given out. */
  | { readonly kind: 'gpu-distrusted'; readonly worker: string; readonly message: string }
  /** Redis is gone, a prover cannot be started, or an answer came too late. The worker tries again by itself. */
  | { readonly kind: 'fault'; readonly worker: string; readonly message: string }
  | { readonly kind: 'draining'; readonly worker: string }
  | { readonly kind: 'ended'; readonly worker: string };
