import { QueueEvents } from 'bullmq';
import type { Redis } from 'ioredis';
import { PippinError } from 'pippin-prover';
import { onAbort, throwIfAborted } from '../../../sdk/base/abort.js';
import { FINAL_STATES, type JobStatus } from './types.js';

/**
 * The interval at which a job is polled even without events, for example because Redis was restarted. It doubles up to
 * the longest pause, since thousands of jobs may be watched.
 */
const FIRST_LOOK_MS = 1000;
const LONGEST_LOOK_MS = 10_000;

/** The outage of Redis after which watching ends. */
const OUTAGE_MS = 60_000;

/** The source of a watcher: a job's status, and notifications of possible changes. */
interface WatchedJob {
  status(): Promise<JobStatus | undefined>;
  /** Calls `listener` whenever the job may have changed, until the returned function is called. */
  onChange(listener: () => void): () => void;
  /** Milliseconds since 1970 by the clock of Redis. */
  now(): number;
}

/**
 * The statuses of a job at each change, up to the final one. `INVALID_ARGUMENT` if the job does not exist, or has
 * expired.
 */
export async function* watchJob(
  job: WatchedJob,
  signal: AbortSignal | undefined,
): AsyncGenerator<JobStatus, void, void> {
  const changed = new AutoResetEvent();
  let stop: (() => void) | undefined;
  try {
    let last = '';
    let reached = job.now();
    let pause = FIRST_LOOK_MS;
    for (;;) {
      throwIfAborted(signal);
      const status = await job.status().catch((error: unknown) => ifOutage(error, job.now() - reached));
      if (status !== 'unreachable') {
        reached = job.now();
        if (status === undefined) throw unknownJob();
        const text = JSON.stringify(status);
        pause = text === last ? Math.min(2 * pause, LONGEST_LOOK_MS) : FIRST_LOOK_MS;
        if (text !== last) yield status;
        if (FINAL_STATES.includes(status.state)) return;
        last = text;
        if (stop === undefined) {
          // Only now, since an unknown job needs no connection. The job may have changed since it was read.
          stop = job.onChange(() => changed.set());
          changed.set();
        }
        // No event reports an expired deadline.
        const left = status.deadline - reached;
        if (left > 0) pause = Math.min(pause, left + 1);
      }
      await changed.wait(pause, signal);
    }
  } finally {
    stop?.();
  }
}

/** The error for a missing job. */
export function unknownJob(): PippinError {
  return new PippinError('INVALID_ARGUMENT', 'expected the id of a job that the queue has, got another one', {
    hint: 'results are kept for a set time (keepResults); submit the job again',
  });
}

function ifOutage(error: unknown, forMs: number): 'unreachable' {
  const isOutage = error instanceof PippinError && error.code === 'QUEUE_UNAVAILABLE';
  if (isOutage && forMs < OUTAGE_MS) return 'unreachable';
  throw error;
}

/** An auto-reset event: `wait` resolves once for one or more `set` calls, also earlier ones. */
class AutoResetEvent {
  private isSet = false;
  private wake = (): void => undefined;

  set(): void {
    this.isSet = true;
    this.wake();
  }

  /** Resolves when it was set since the last wait, after `ms` milliseconds, or when the signal fires. */
  async wait(ms: number, signal?: AbortSignal): Promise<void> {
    if (!this.isSet && !signal?.aborted) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(() => this.wake(), ms);
        const stop = onAbort(signal, () => this.wake());
        this.wake = () => {
          clearTimeout(timer);
          stop();
          resolve();
        };
      });
    }
    this.isSet = false;
  }
}

/** The BullMQ events that may change a job's status. */
const EVENTS = ['waiting', 'active', 'progress', 'completed', 'failed', 'delayed', 'stalled', 'removed'] as const;

interface Events {
  close(): Promise<void>;
}

/** Notifies of changes of jobs. Each watched circuit takes a connection, which reads the circuit's stream of events. */
export class JobEvents {
  private readonly opened = new Map<string, Promise<Events>>();
  private readonly listeners = new Map<string, Set<() => void>>();

  constructor(
    private readonly client: Redis,
    private readonly prefix: string,
    private readonly onError: (error: Error) => void,
  ) {}

  /** Calls `listener` whenever the job may have changed, until the returned function is called. */
  watch(circuit: string, id: string, listener: () => void): () => void {
    const listeners = this.listeners.get(id) ?? new Set();
    this.listeners.set(id, listeners.add(listener));
    this.open(circuit).catch(this.onError);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.listeners.delete(id);
    };
  }

  async close(): Promise<void> {
    const all = await Promise.allSettled(this.opened.values());
    await Promise.all(all.map((opened) => opened.status === 'fulfilled' && opened.value.close()));
  }

  private open(circuit: string): Promise<Events> {
    const opened = this.opened.get(circuit) ?? this.opening(circuit);
    this.opened.set(circuit, opened);
    return opened;
  }

  private async opening(circuit: string): Promise<Events> {
    const connection = this.client.duplicate({ maxRetriesPerRequest: null });
    connection.on('error', this.onError);
    const events = new QueueEvents(circuit, { connection, prefix: this.prefix });
    events.on('error', this.onError);
    for (const event of EVENTS) events.on(event, ({ jobId }: { jobId: string }) => this.notify(jobId));
    return {
      close: async () => {
        const isThere = connection.status === 'ready';
        const closed = events.close().catch(this.onError);
        // BullMQ waits for the end of the connection, which never comes if Redis is gone.
        if (isThere) await closed;
        connection.disconnect();
      },
    };
  }

  private notify(id: string): void {
    for (const listener of this.listeners.get(id) ?? []) listener();
  }
}
