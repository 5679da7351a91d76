import { PippinError } from 'pippin-prover';
import type { Phase, ProgressListener } from '../../api/progress.js';
import { throwIfAborted } from '../../base/abort.js';

/** How far work is. */
export interface WorkProgress {
  /** The part of the work that is done, from 0 to 1 in steps of a hundredth. It never falls. */
  readonly progress: number;
  /** What is being done; undefined before the first event. */
  readonly phase: Phase | undefined;
}

export const NO_PROGRESS: WorkProgress = { progress: 0, phase: undefined };

/** What a component sees of something that several components share. A new object for every change. */
export type Shown<T> =
  | ({ readonly status: 'loading'; readonly value: undefined; readonly error: undefined } & WorkProgress)
  | ({ readonly status: 'ready'; readonly value: T; readonly error: undefined } & WorkProgress)
  | ({ readonly status: 'failed'; readonly value: undefined; readonly error: PippinError } & WorkProgress);

/** How something is started and ended. */
export interface SharedLifetime<T> {
  start(signal: AbortSignal, onProgress: ProgressListener): Promise<T>;
  /** Errors are ignored: nobody is left to see them. */
  end(value: T): Promise<void>;
  /** Nobody uses it any more. */
  left?(): void;
}

/**
 * Milliseconds that something stays after its last component has gone. StrictMode unmounts and mounts again at once,
 * and the next page of an application may be mounted a moment after the last one.
 */
const LINGER_MS = 500;

const LOADING = { status: 'loading', value: undefined, error: undefined, ...NO_PROGRESS } as const;

/**
 * Something that components share by reference counting: it is started when the first component is mounted, and aborted
 * or ended a moment after the last was unmounted. It is a store for `useSyncExternalStore`, so that all of this happens
 * in effects, and nothing in a render or on a server.
 */
export class Shared<T> {
  private shown: Shown<T> = LOADING;
  private readonly listeners = new Set<() => void>();
  private run: { readonly abort: AbortController; readonly outcome: Promise<T> } | undefined;
  /** Fulfilled when what was started before has ended, so that there are never two at once. */
  private ended: Promise<unknown> = Promise.resolve();
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly lifetime: SharedLifetime<T>) {}

  /** The number of components that use it. */
  get users(): number {
    return this.listeners.size;
  }

  /** Counts a component in, until the function that is returned is called. */
  readonly subscribe = (listener: () => void): (() => void) => {
    clearTimeout(this.timer);
    // React may give one function twice.
    const own = (): void => listener();
    this.listeners.add(own);
    if (this.run === undefined) this.begin();
    return () => {
      this.listeners.delete(own);
      if (this.listeners.size === 0) this.timer = setTimeout(() => void this.end(), LINGER_MS);
    };
  };

  readonly snapshot = (): Shown<T> => this.shown;

  /** What a server renders, and a page at its hydration. */
  readonly serverSnapshot = (): Shown<T> => LOADING;

  /** Starts again what has failed. */
  readonly retry = (): void => {
    if (this.shown.status === 'failed' && this.listeners.size > 0) this.begin();
  };

  /** Ends it at once, whoever uses it. The next component starts it again. */
  async end(): Promise<void> {
    clearTimeout(this.timer);
    const { run } = this;
    if (run !== undefined) {
      this.run = undefined;
      this.show(LOADING);
      run.abort.abort();
      this.lifetime.left?.();
      this.ended = run.outcome.then((value) => this.lifetime.end(value)).catch(() => undefined);
    }
    await this.ended;
  }

  private begin(): void {
    const abort = new AbortController();
    const isCurrent = (): boolean => this.run?.abort === abort;
    this.show(LOADING);
    const onProgress = progressOf((progress) => isCurrent() && this.show({ ...LOADING, ...progress }));
    const outcome = this.ended.then(() => {
      throwIfAborted(abort.signal);
      return this.lifetime.start(abort.signal, onProgress);
    });
    this.run = { abort, outcome };
    outcome.then(
      (value) =>
        isCurrent() && this.show({ status: 'ready', value, error: undefined, progress: 1, phase: this.shown.phase }),
      (error: unknown) => {
        const { progress, phase } = this.shown;
        if (isCurrent()) this.show({ status: 'failed', value: undefined, error: pippinError(error), progress, phase });
      },
    );
  }

  private show(shown: Shown<T>): void {
    this.shown = shown;
    for (const listener of [...this.listeners]) listener();
  }
}

/**
 * A listener of a call's events that passes on its progress when the phase or the hundredth changes: a component is
 * drawn again for each.
 */
export function progressOf(pass: (progress: WorkProgress) => void): ProgressListener {
  let last = NO_PROGRESS;
  return (event) => {
    if (event.kind !== 'progress') return;
    const { phase } = event;
    const progress = Math.floor((100 * event.done) / event.total) / 100;
    if (progress === last.progress && phase === last.phase) return;
    last = { progress, phase };
    pass(last);
  };
}

/** An error as the state of a component holds it. */
export function pippinError(error: unknown): PippinError {
  if (error instanceof PippinError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new PippinError('INTERNAL', message, { cause: error });
}
