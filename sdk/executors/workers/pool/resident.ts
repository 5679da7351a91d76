import type { KernelPool } from './pool.js';

/**
 * Data that one worker keeps in its memory, such as a share of the bases. It is loaded when it is first needed, and loaded again after
 * the worker has died and been replaced. Calls that need it at the same time share one loading.
 */
export class Resident {
  private loaded: { readonly generation: number; readonly done: Promise<unknown> } | undefined;

  /**
   * @param load copies the data to the worker.
   * @param unload removes it there; it is called after a failed or aborted loading, too, which may have left something behind.
   */
  constructor(
    private readonly pool: KernelPool,
    readonly worker: number,
    private readonly load: (signal: AbortSignal | undefined) => Promise<unknown>,
    private readonly unload: () => Promise<unknown>,
  ) {}

  /**
   * Resolves when the worker has the data.
   *
   * @param signal stops the loading. Give it only where no other call can be waiting for the same loading.
   */
  async ensure(signal?: AbortSignal): Promise<void> {
    const generation = this.pool.generation(this.worker);
    if (this.loaded?.generation !== generation) {
      const loaded = { generation, done: this.load(signal) };
      this.loaded = loaded;
      // After a failure the next call loads again, and data that may have reached the worker is removed.
      loaded.done.catch(() => {
        if (this.loaded === loaded) this.loaded = undefined;
        this.unloadFrom(generation);
      });
    }
    await this.loaded.done;
  }

  /** Removes the data from the worker. If it is still being loaded, it is removed afterwards. */
  release(): void {
    const { loaded } = this;
    this.loaded = undefined;
    loaded?.done.then(
      () => this.unloadFrom(loaded.generation),
      () => undefined,
    );
  }

  private unloadFrom(generation: number): void {
    // A worker that was replaced has taken the data with it. One that cannot be called any more has lost it, or never had it.
    if (this.pool.generation(this.worker) === generation) this.unload().catch(() => undefined);
  }
}
