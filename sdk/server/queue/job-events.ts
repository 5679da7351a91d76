import type { Redis } from 'ioredis';
import { loadBullmq } from '../peers.js';

/** The events of BullMQ after which a job's status may be another one. */
const EVENTS = ['waiting', 'active', 'progress', 'completed', 'failed', 'delayed', 'stalled', 'removed'] as const;

interface Events {
  close(): Promise<void>;
}

/** Tells when jobs change. Each circuit that somebody watches takes a connection, which reads the circuit's stream of events. */
export class JobEvents {
  private readonly opened = new Map<string, Promise<Events>>();
  private readonly listeners = new Map<string, Set<() => void>>();

  constructor(
    private readonly client: Redis,
    private readonly prefix: string,
    private readonly onError: (error: Error) => void,
  ) {}

  /** Calls `listener` whenever the job may have changed, until the function that is returned was called. */
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
    const { QueueEvents } = await loadBullmq();
    const connection = this.client.duplicate({ maxRetriesPerRequest: null });
    connection.on('error', this.onError);
    const events = new QueueEvents(circuit, { connection, prefix: this.prefix });
    events.on('error', this.onError);
    for (const event of EVENTS) events.on(event, ({ jobId }: { jobId: string }) => this.tell(jobId));
    return {
      close: async () => {
        const isThere = connection.status === 'ready';
        const closed = events.close().catch(this.onError);
        // BullMQ waits for the end of the connection, which never comes where Redis is gone.
        if (isThere) await closed;
        connection.disconnect();
      },
    };
  }

  private tell(id: string): void {
    for (const listener of this.listeners.get(id) ?? []) listener();
  }
}
