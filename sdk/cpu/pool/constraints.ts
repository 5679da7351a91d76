import type { CurveId } from '../../curves/index.js';
import type { KernelPool } from './pool.js';
import { redone } from './redo.js';
import type { Remade } from './remade.js';
import { Resident } from './resident.js';

let nextId = 1;

/** One matrix of a constraint system, kept ready on a kernel worker. */
export class ConstraintMatrix {
  private readonly id = `matrix-${nextId++}`;
  private readonly resident: Resident;

  /**
   * @param entries the rows of a .zkey's coefficient section, asked for again for a worker in the place of a dead one; those of the
   * other matrix are skipped.
   * @param worker where the matrix is to lie.
   */
  constructor(
    private readonly pool: KernelPool,
    private readonly curve: CurveId,
    matrix: 0 | 1,
    entries: Remade,
    domainSize: number,
    worker: number,
  ) {
    // Urgent, because the whole proof waits for what follows; and so the opposite, to stay in order.
    const load = async (signal: AbortSignal | undefined): Promise<void> => {
      const options = { worker, signal, urgent: true };
      const args = { id: this.id, matrix, entries: await entries.get(), domainSize };
      await pool.call(curve, 'loadConstraints', args, options);
    };
    const unload = () => pool.call(curve, 'releaseConstraints', { id: this.id }, { worker, urgent: true });
    this.resident = new Resident(pool, worker, load, unload);
  }

  load(signal: AbortSignal | undefined): Promise<void> {
    return redone(() => this.resident.ensure(signal));
  }

  /** The matrix times the witness: domainSize elements. */
  evaluate(
    witness: Uint8Array,
    options: { signal?: AbortSignal | undefined; onProgress?: ((fraction: number) => void) | undefined },
  ): Promise<Uint8Array> {
    const { worker } = this.resident;
    return redone(async () => {
      await this.resident.ensure();
      const args = { id: this.id, witness };
      return this.pool.call(this.curve, 'evaluateConstraints', args, { worker, urgent: true, ...options });
    });
  }

  release(): void {
    this.resident.release();
  }
}
