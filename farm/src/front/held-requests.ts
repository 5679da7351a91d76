import type { FastifyReply } from 'fastify';
import type { ApiKey } from './api-keys.js';
import { RequestError } from './problem.js';

const STANDARD_WAITING = 100;

/** A request that waits for a job. */
interface HeldRequest {
  /** Fires when the client is gone, or the server closes. */
  readonly signal: AbortSignal;
  /** Ends the wait of the request. */
  release(): void;
}

/** The requests that wait for jobs: bounded for each API key, and ended when the server closes. */
export class HeldRequests {
  private readonly held = new Set<AbortController>();
  private readonly counts = new Map<string, number>();
  private closed = false;

  get isClosing(): boolean {
    return this.closed;
  }

  hold({ name, waiting = STANDARD_WAITING }: ApiKey, reply: FastifyReply): HeldRequest {
    const count = this.counts.get(name) ?? 0;
    if (count >= waiting) {
      throw new RequestError(
        'TOO_MANY_WAITING',
        `expected at most ${waiting} requests of a key that wait, got one more`,
        {
          hint: 'follow fewer jobs at a time, or ask for their status',
          retryAfter: 1,
        },
      );
    }
    this.counts.set(name, count + 1);
    const controller = new AbortController();
    const end = (): void => controller.abort();
    if (this.closed) end();
    this.held.add(controller);
    reply.raw.once('close', end);
    return {
      signal: controller.signal,
      release: () => {
        if (!this.held.delete(controller)) return;
        reply.raw.off('close', end);
        const left = this.counts.get(name)! - 1;
        if (left > 0) this.counts.set(name, left);
        else this.counts.delete(name);
      },
    };
  }

  close(): void {
    this.closed = true;
    for (const controller of this.held) controller.abort();
  }
}
