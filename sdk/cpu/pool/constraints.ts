import type { CurveId } from '../../curves/index.js';
import type { KernelPool } from './pool.js';
import { Resident } from './resident.js';
import type { RestorableBytes } from './restorable-bytes.js';
import { retryOnDeadWorker } from './retry-on-dead-worker.js';

let nextId = 1;

/** One matrix of a constraint system in the memory of a kernel worker. */
export class ConstraintMatrix {
  private readonly id = `matrix-${nextId++}`;
  private readonly resident: Resident;

  /**
   * @param entries the rows of a .zkey's coefficient section, read again for a worker that replaces a dead one; rows of the other matrix
   * are skipped.
   * @param worker the worker that keeps the matrix.
   */
  constructor(
    private readonly pool: KernelPool,
    private readonly curve: CurveId,
    matrix: 0 | 1,
    entries: RestorableBytes,
    domainSize: number,
    worker: number,
  ) {
    // Loading is urgent, because the whole proof waits for the evaluation. Releasing is urgent too, so that both start in the order of the calls.
    const load = async (signal: AbortSignal | undefined): Promise<void> => {
      const options = { worker, signal, urgent: true };
      await entries.use((rows) =>
        pool.call(curve, 'loadConstraints', { id: this.id, matrix, entries: rows, domainSize }, options),
      );
    };
    const unload = () => pool.call(curve, 'releaseConstraints', { id: this.id }, { worker, urgent: true });
    this.resident = new Resident(pool, worker, load, unload);
  }

  load(signal: AbortSignal | undefined): Promise<void> {
    return retryOnDeadWorker(() => this.resident.ensure(signal));
  }

  /** The matrix times the witness: domainSize elements. */
  evaluate(
    witness: Uint8Array,
    {
      constantWork,
      ...options
    }: {
      signal?: AbortSignal | undefined;
      onProgress?: ((fraction: number) => void) | undefined;
      constantWork?: boolean | undefined;
    },
  ): Promise<Uint8Array> {
    const { worker } = this.resident;
    return retryOnDeadWorker(async () => {
      await this.resident.ensure();
      const args = { id: this.id, witness, constantWork };
      return this.pool.call(this.curve, 'evaluateConstraints', args, { worker, urgent: true, ...options });
    });
  }

  release(): void {
    this.resident.release();
  }
}
