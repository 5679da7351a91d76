import type { CurveId } from '../curves/index.js';
import type { KernelPool } from './pool.js';
import { redone } from './redo.js';

let nextId = 1;

/** One matrix of a constraint system, kept ready on a kernel worker. */
export class ConstraintMatrix {
  private readonly id = `matrix-${nextId++}`;
  /** The worker's generation when the matrix was loaded. */
  private generation = -1;

  /**
   * @param entries gives the rows of a .zkey's coefficient section, again for each worker that comes in the place of a dead one;
   * those of the other matrix are skipped.
   * @param worker where the matrix is to lie.
   */
  constructor(
    private readonly pool: KernelPool,
    private readonly curve: CurveId,
    private readonly matrix: 0 | 1,
    private readonly entries: () => Promise<Uint8Array>,
    private readonly domainSize: number,
    private readonly worker: number,
  ) {}

  load(signal: AbortSignal | undefined): Promise<void> {
    return redone(() => this.ensureLoaded(signal));
  }

  private async ensureLoaded(signal: AbortSignal | undefined): Promise<void> {
    const generation = this.pool.generation(this.worker);
    if (this.generation === generation) return;
    this.generation = generation;
    try {
      const entries = await this.entries();
      await this.pool.call(this.curve, 'loadConstraints', [this.id, this.matrix, entries, this.domainSize], {
        worker: this.worker,
        signal,
      });
    } catch (error) {
      this.generation = -1;
      throw error;
    }
  }

  /** The matrix times the witness: domainSize elements. */
  evaluate(
    witness: Uint8Array,
    options: { signal?: AbortSignal | undefined; onProgress?: ((fraction: number) => void) | undefined },
  ): Promise<Uint8Array> {
    return redone(async () => {
      await this.ensureLoaded(options.signal);
      return this.pool.call(this.curve, 'evaluateConstraints', [this.id, witness], {
        worker: this.worker,
        urgent: true,
        ...options,
      });
    });
  }

  release(): void {
    if (this.generation !== this.pool.generation(this.worker)) return;
    this.generation = -1;
    // The worker may be gone with the pool; then so is the matrix.
    this.pool.call(this.curve, 'releaseConstraints', [this.id], { worker: this.worker }).catch(() => undefined);
  }
}
