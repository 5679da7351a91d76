import type { Prover } from '../../api/index.js';
import { untilAborted } from '../../base/abort.js';
import { PippinError } from '../../base/errors.js';
import { KeptKeys, type KeyLimits } from './kept-keys.js';

export interface SessionLimits extends KeyLimits {
  /** Milliseconds without a call after which the prover is disposed of. Default: it stays. */
  readonly idleMs?: number;
}

interface Opened {
  readonly prover: Promise<Prover>;
  readonly keys: KeptKeys;
  /** The calls that use it at present. */
  calls: number;
  isDisposed: boolean;
}

/**
 * A prover and its loaded keys, kept between calls. It is opened by the first call that needs it, and another one by
 * the next call after it failed, was idle or was closed.
 */
export class KeptProver {
  private opened: Opened | undefined;
  /** While provers are being disposed of: their memory is free when it has settled. */
  private closing: Promise<void> | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** @param limits asked when a prover is opened, and `idleMs` after each call. */
  constructor(
    private readonly open: () => Promise<Prover>,
    private readonly limits: () => SessionLimits,
  ) {}

  /** The keys of the prover; undefined while there is none. */
  get keys(): KeptKeys | undefined {
    return this.opened?.keys;
  }

  /**
   * Calls `work` with the prover and its keys. Rejects with its errors, with the errors of opening a prover, and with
   * `PROVER_LOST` when the prover was closed because of another call. A prover whose worker has failed is given up: its
   * other calls go on as far as they can.
   *
   * @param signal ends the wait for a prover; `work` looks after its own abort.
   */
  async use<T>(work: (prover: Prover, keys: KeptKeys) => Promise<T> | T, signal?: AbortSignal): Promise<T> {
    clearTimeout(this.timer);
    if (this.closing !== undefined) await untilAborted(this.closing, signal);
    this.opened ??= this.start();
    const { opened } = this;
    opened.calls++;
    try {
      return await work(await untilAborted(opened.prover, signal), opened.keys);
    } catch (error) {
      const code = error instanceof PippinError ? error.code : undefined;
      if (this.opened === opened && (code === 'WORKER_FAILED' || code === 'DISPOSED')) this.retire();
      else if (this.opened !== opened && code === 'DISPOSED') throw lostWithAnother(error);
      throw error;
    } finally {
      opened.calls--;
      if (this.opened === opened) this.retireAfter(this.limits().idleMs);
      else this.disposeIfUnused(opened);
    }
  }

  /** Lets the next call open another prover. This one is disposed of when its calls have ended. */
  retire(): void {
    const { opened } = this;
    this.opened = undefined;
    clearTimeout(this.timer);
    if (opened !== undefined) this.disposeIfUnused(opened);
  }

  /** The same in some milliseconds, unless it is used again before. */
  retireAfter(ms: number | undefined): void {
    clearTimeout(this.timer);
    if (ms === undefined || this.opened === undefined || this.opened.calls > 0) return;
    this.timer = setTimeout(() => this.retire(), ms);
    // In Node, where a timer keeps the process alive.
    (this.timer as { unref?: () => void }).unref?.();
  }

  /** Disposes of the prover at once, whatever its calls do. The next call opens another. */
  async close(): Promise<void> {
    const { opened } = this;
    this.opened = undefined;
    clearTimeout(this.timer);
    if (opened !== undefined) this.dispose(opened);
    await this.closing;
  }

  private start(): Opened {
    const opened: Opened = { prover: this.open(), keys: new KeptKeys(this.limits()), calls: 0, isDisposed: false };
    // One that could not be opened is tried again by the next call.
    opened.prover.catch(() => {
      if (this.opened === opened) this.retire();
    });
    return opened;
  }

  private disposeIfUnused(opened: Opened): void {
    if (opened.calls === 0) this.dispose(opened);
  }

  private dispose(opened: Opened): void {
    if (opened.isDisposed) return;
    opened.isDisposed = true;
    const disposed = opened.prover.then((it) => it.dispose()).catch(() => undefined);
    const closing: Promise<void> = Promise.all([this.closing, disposed]).then(() => {
      if (this.closing === closing) this.closing = undefined;
    });
    this.closing = closing;
  }
}

/** The error of a call whose prover was closed because of another call. */
function lostWithAnother(cause: unknown): PippinError {
  return new PippinError(
    'PROVER_LOST',
    'expected the prover to go on, got its end because another call lost its worker',
    {
      cause,
      hint: 'call again: another prover is made',
    },
  );
}
