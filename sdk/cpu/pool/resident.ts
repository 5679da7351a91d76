import type { KernelPool } from './pool.js';

/**
 * Something that one worker keeps: loaded when it is first wanted, and again when another worker has come in the place of that one.
 * All who want it meanwhile wait for the same loading.
 */
export class Resident {
  private loaded: { readonly generation: number; readonly done: Promise<unknown> } | undefined;

  /** @param load gives it to the worker, @param unload takes it away again, also what of it came after `load` was given up. */
  constructor(
    private readonly pool: KernelPool,
    readonly worker: number,
    private readonly load: (signal: AbortSignal | undefined) => Promise<unknown>,
    private readonly unload: () => Promise<unknown>,
  ) {}

  /** Fulfilled when the worker has it. A signal is for where nobody else can be waiting for the same loading. */
  async ensure(signal?: AbortSignal): Promise<void> {
    const generation = this.pool.generation(this.worker);
    if (this.loaded?.generation !== generation) {
      const loaded = { generation, done: this.load(signal) };
      this.loaded = loaded;
      // A failure is not kept, nor what the worker may have by then.
      loaded.done.catch(() => {
        if (this.loaded === loaded) this.loaded = undefined;
        this.unloadFrom(generation);
      });
    }
    await this.loaded.done;
  }

  /** Takes it from the worker, once it is there. A worker that is gone has taken it along. */
  release(): void {
    const { loaded } = this;
    this.loaded = undefined;
    loaded?.done.then(
      () => this.unloadFrom(loaded.generation),
      () => undefined,
    );
  }

  private unloadFrom(generation: number): void {
    // The worker may be gone with the pool; then so is what it had.
    if (this.pool.generation(this.worker) === generation) this.unload().catch(() => undefined);
  }
}
