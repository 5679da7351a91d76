import type { Lease } from '../../../base/memory-budget.js';
import type { KernelPool } from './pool.js';
import type { Evictable } from './workers-memory.js';

/** Data for a worker, such as a share of bases, and how they come there. */
export interface ResidentData {
  readonly worker: number;
  /** What they are, and the most bytes that they take there. */
  readonly kind: string;
  readonly bytes: number;
  /** The bytes that they take when they are loaded again after others took their room; `bytes` if it is left out. */
  readonly leastBytes?: number;
  /** Copies them to the worker. */
  load(signal: AbortSignal | undefined): Promise<unknown>;
  /** Removes them there; it is called after a failed or aborted loading, too, which may have left something behind. */
  unload(): Promise<unknown>;
}

/** Data that a worker has, or will have. */
interface Loading {
  /** Which of the workers in its place it is. */
  readonly generation: number;
  /** The lease, if it did not have to be waited for. */
  readonly granted: Lease | undefined;
  readonly lease: Promise<Lease>;
  readonly done: Promise<unknown>;
}

/**
 * Data that one worker keeps in its memory. They are loaded when they are first needed, and loaded again after the
 * worker has died and been replaced, or after other data took their room. Calls that need them at the same time share
 * one loading.
 */
export class Resident implements Evictable {
  private loaded: Loading | undefined;
  private users = 0;

  constructor(
    private readonly pool: KernelPool,
    private readonly data: ResidentData,
  ) {}

  get isShrunkByEviction(): boolean {
    const { bytes, leastBytes = bytes } = this.data;
    return leastBytes < bytes;
  }

  get worker(): number {
    return this.data.worker;
  }

  /**
   * Resolves when the worker has the data.
   *
   * @param signal stops the loading. Give it only where no other call can be waiting for the same loading.
   */
  ensure(signal?: AbortSignal): Promise<void> {
    return this.use(async () => undefined, signal);
  }

  /** Runs `work` when the worker has the data, which stay there until it has settled. */
  async use<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const { memory } = this.pool;
    this.users++;
    memory.setBusy(this);
    try {
      const generation = this.pool.generation(this.worker);
      const { done } = this.loaded?.generation === generation ? this.loaded : this.load(generation, signal);
      await done;
      return await work();
    } finally {
      if (--this.users === 0 && this.loaded !== undefined) memory.setIdle(this);
    }
  }

  /** Removes the data from the worker. If they are still being loaded, they are removed afterwards. */
  release(): void {
    void this.evict();
  }

  async evict(): Promise<void> {
    const { loaded } = this;
    this.loaded = undefined;
    this.pool.memory.setBusy(this);
    if (loaded === undefined) return;
    await loaded.done.catch(() => undefined);
    await this.remove(loaded);
  }

  private load(generation: number, signal: AbortSignal | undefined): Loading {
    const { memory } = this.pool;
    const { bytes, kind } = this.data;
    // The data of a dead worker had a lease.
    const known = this.loaded;
    const granted = known === undefined ? memory.tryLease(bytes, kind) : known.granted;
    const lease =
      granted === undefined ? (known?.lease ?? memory.lease(bytes, kind, signal)) : Promise.resolve(granted);
    const done = granted === undefined ? lease.then(() => this.data.load(signal)) : this.data.load(signal);
    const loaded: Loading = { generation, granted, lease, done };
    this.loaded = loaded;
    // After a failure the next call loads again, and data that may have reached the worker are removed.
    done.catch(() => {
      if (this.loaded !== loaded) return;
      this.loaded = undefined;
      void this.remove(loaded);
    });
    return loaded;
  }

  private async remove({ generation, lease }: Loading): Promise<void> {
    // A worker that was replaced has taken the data with it. One that cannot be called any more has lost them, or never
    // had them.
    if (this.pool.generation(this.worker) === generation) await this.data.unload().catch(() => undefined);
    await lease.then(
      (granted) => this.pool.memory.free(granted),
      () => undefined,
    );
  }
}
