import type { CurveId } from '../../../curves/index.js';
import type { ByteSource } from '../../../files/byte-source.js';
import { COEFFICIENT_BYTES, PIECE_ROWS } from '../../../files/snarkjs/zkey.js';
import { retryOnDeadWorker } from '../../../recovery/attempt.js';
import type { KernelPool } from './pool.js';
import { Resident } from './resident.js';
import { MATRIX_ENTRY_BYTES } from './workers-memory.js';

let nextId = 1;

/** The matrix of a constraint system in its file. */
export interface MatrixSource {
  readonly matrix: 0 | 1;
  /** The coefficient section of a .zkey, with the rows of both matrices, and the number of rows of this matrix. */
  readonly rows: ByteSource;
  readonly count: number;
  readonly domainSize: number;
}

/** The most bytes that a matrix with so many rows in its file takes in a worker. */
export function matrixBytes(count: number): number {
  return count * MATRIX_ENTRY_BYTES;
}

/** One matrix of a constraint system in the memory of a kernel worker. */
export class ConstraintMatrix {
  private readonly id = `matrix-${nextId++}`;
  private readonly resident: Resident;

  private onProgress: ((fraction: number) => void) | undefined;

  /**
   * @param source read piece by piece, and again for a worker that replaces a dead one.
   * @param worker the worker that keeps the matrix.
   */
  constructor(
    private readonly pool: KernelPool,
    private readonly curve: CurveId,
    { matrix, rows, count, domainSize }: MatrixSource,
    worker: number,
  ) {
    // Loading is urgent, because the whole proof waits for the evaluation. Releasing is urgent too, so that both start
    // in the order of the calls.
    const load = async (signal: AbortSignal | undefined): Promise<void> => {
      for (let from = 0, at = 0, isLast = false; !isLast; from += PIECE_ROWS) {
        const entries = await rows.read(at, Math.min(PIECE_ROWS * COEFFICIENT_BYTES, rows.size - at));
        at += entries.length;
        isLast = at === rows.size;
        const args = { id: this.id, matrix, entries, domainSize, piece: { from, count, isLast } };
        await pool.call(curve, 'loadConstraints', args, { worker, signal, urgent: true, moved: true });
        this.onProgress?.(isLast ? 1 : at / rows.size);
      }
    };
    const unload = () => pool.call(curve, 'releaseConstraints', { id: this.id }, { worker, urgent: true });
    this.resident = new Resident(pool, { worker, kind: 'matrix', bytes: matrixBytes(count), load, unload });
  }

  load(signal: AbortSignal | undefined, onProgress?: (fraction: number) => void): Promise<void> {
    this.onProgress = onProgress;
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
    const args = { id: this.id, witness, constantWork };
    return retryOnDeadWorker(() =>
      this.resident.use(() =>
        this.pool.call(this.curve, 'evaluateConstraints', args, { worker, urgent: true, ...options }),
      ),
    );
  }

  release(): void {
    this.resident.release();
  }
}
