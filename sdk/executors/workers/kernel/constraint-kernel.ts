import { newBytes } from '../../../base/bytes.js';
import { PippinError } from '../../../base/errors.js';
import { SCALAR_BYTES } from '../../../curves/index.js';
import { expectPart, type WholeInstance } from './kernel-instance.js';
import { type KernelTask, Steps } from './steps.js';

/**
 * Entries handled by one call into WASM: well under a millisecond's work, and few enough to be staged in a small
 * buffer.
 */
const CHUNK = 4096;

/** Bytes of a row of a .zkey's coefficient section: matrix, constraint, signal (u32 each), coefficient. */
const ROW_BYTES = 12 + SCALAR_BYTES;

/** Where some rows lie in their section. */
export interface SectionPiece {
  /** The number of the first of them; 0 begins the matrix anew. */
  readonly from: number;
  /** How many rows of the whole section belong to the matrix. */
  readonly count: number;
  /** Whether the section ends with them. */
  readonly isLast: boolean;
}

export interface LoadConstraintsArgs {
  readonly id: string;
  readonly matrix: 0 | 1;
  readonly entries: Uint8Array;
  readonly domainSize: number;
  /** Default: the entries are the whole section. */
  readonly piece?: SectionPiece;
}

/** One matrix of a constraint system in a kernel's memory. */
interface Matrix {
  readonly at: number;
  readonly count: number;
  readonly domainSize: number;
}

/** A matrix whose section comes in pieces. */
interface ArrivingMatrix extends Matrix {
  /** Rows received of the section, and rows kept for this matrix. */
  rows: number;
  kept: number;
  /**
   * Where the next coefficient goes. Coefficients follow the entries; how many there are besides 1 and -1 is known only
   * at the end.
   */
  cursor: number;
}

/** A kernel's methods for the matrices of constraint systems, and their products with a witness. */
export function constraintKernel(instance: WholeInstance) {
  const { curve, memory } = instance;
  const matrices = new Map<string, Matrix>();
  const arriving = new Map<string, ArrivingMatrix>();

  const release = (id: string): void => {
    for (const map of [matrices, arriving]) {
      const matrix = map.get(id);
      if (matrix === undefined) continue;
      memory.release(matrix.at);
      map.delete(id);
    }
  };

  const begin = (id: string, count: number, domainSize: number): ArrivingMatrix => {
    release(id);
    const { r1cs_entrySize, fr_size } = expectPart(curve, 'constraints', instance.constraints);
    const at = memory.allocate(count * (r1cs_entrySize() + fr_size()));
    const matrix = { at, count, domainSize, rows: 0, kept: 0, cursor: at + count * r1cs_entrySize() };
    arriving.set(id, matrix);
    return matrix;
  };

  const append = (entries: Uint8Array, matrix: 0 | 1, loading: ArrivingMatrix): void => {
    const exports = expectPart(curve, 'constraints', instance.constraints);
    const { at, domainSize } = loading;
    const rows = entries.length / ROW_BYTES;
    const staged = memory.allocate(4 + CHUNK * ROW_BYTES);
    try {
      const cursor = staged + CHUNK * ROW_BYTES;
      memory.writeUint32(cursor, loading.cursor);
      for (let from = 0; from < rows; from += CHUNK) {
        const to = Math.min(rows, from + CHUNK);
        memory.write(staged, entries.subarray(from * ROW_BYTES, to * ROW_BYTES));
        const entryAt = at + loading.kept * exports.r1cs_entrySize();
        const found = exports.r1cs_load(staged, to - from, matrix, domainSize, entryAt, cursor);
        if (found < 0) throw malformedRow(loading.rows + from - 1 - found, domainSize);
        loading.kept += found;
      }
      loading.rows += rows;
      loading.cursor = memory.readUint32(cursor);
    } finally {
      memory.release(staged);
    }
  };

  return {
    /**
     * Keeps one matrix of a constraint system under `id`, replacing what was there: `entries` are rows of a .zkey's
     * coefficient section, 12 bytes of indices (matrix, constraint, signal; u32 each) and the coefficient times 2^512
     * mod r. Entries of the other matrix are skipped. The section may come in pieces, one after another.
     * `MALFORMED_FILE` names the first row that is wrong, `OUT_OF_MEMORY` when the matrix does not fit.
     */
    loadConstraints({ id, matrix, entries, domainSize, piece }: LoadConstraintsArgs): void {
      try {
        if (entries.length % ROW_BYTES !== 0) {
          throw new PippinError(
            'MALFORMED_FILE',
            `expected coefficients of ${ROW_BYTES} bytes each, got ${entries.length} bytes`,
          );
        }
        const found = countRows(entries, matrix);
        const { from, count, isLast } = piece ?? { from: 0, count: found, isLast: true };
        const loading = from === 0 ? begin(id, count, domainSize) : arriving.get(id);
        if (loading?.rows !== from || loading.kept + found > count) {
          throw new PippinError('INTERNAL', 'expected the next rows of a section, got others');
        }
        append(entries, matrix, loading);
        if (!isLast) return;
        memory.shrink(loading.at, loading.cursor - loading.at);
        arriving.delete(id);
        matrices.set(id, loading);
      } catch (error) {
        release(id);
        throw error;
      }
    },

    releaseConstraints({ id }: { readonly id: string }): void {
      release(id);
    },

    /**
     * The matrix times the witness (32 bytes a signal): domainSize elements. With `constantWork` signals that are 0
     * take as long as others.
     */
    async evaluateConstraints(
      {
        id,
        witness,
        constantWork = false,
      }: { readonly id: string; readonly witness: Uint8Array; readonly constantWork?: boolean | undefined },
      task?: KernelTask,
    ): Promise<Uint8Array> {
      const matrix = matrices.get(id);
      if (matrix === undefined) throw new PippinError('INTERNAL', `expected a loaded constraint matrix, got ${id}`);
      const exports = expectPart(curve, 'constraints', instance.constraints);
      const { at, count, domainSize } = matrix;
      const signals = witness.length / SCALAR_BYTES;
      if (!Number.isInteger(signals)) {
        throw new PippinError(
          'INVALID_LENGTH',
          `expected a witness of ${SCALAR_BYTES} bytes a signal, got ${witness.length} bytes`,
        );
      }
      const steps = new Steps(task, count + domainSize);
      const size = exports.fr_size();
      return memory.scope(async (allocate) => {
        const witnessAt = allocate(witness.length);
        memory.write(witnessAt, witness);
        const sums = allocate(domainSize * size);
        memory.clear(sums, domainSize * size);
        await steps.run(count, CHUNK, (from, to) => {
          const entry = exports.r1cs_evaluate(at, from, to, witnessAt, signals, constantWork ? 0 : 1, sums);
          if (entry >= 0) throw missingSignal(signals);
        });
        const staged = allocate(Math.min(domainSize, CHUNK) * SCALAR_BYTES);
        const result = newBytes(domainSize * SCALAR_BYTES);
        await steps.run(domainSize, CHUNK, (from, to) => {
          exports.r1cs_storeSums(sums + from * size, to - from, staged);
          result.set(memory.view(staged, (to - from) * SCALAR_BYTES), from * SCALAR_BYTES);
        });
        return result;
      });
    },
  };
}

function countRows(entries: Uint8Array, matrix: 0 | 1): number {
  const view = new DataView(entries.buffer, entries.byteOffset, entries.length);
  let count = 0;
  for (let at = 0; at < entries.length; at += ROW_BYTES) if (view.getUint32(at, true) === matrix) count++;
  return count;
}

function malformedRow(row: number, domainSize: number): PippinError {
  return new PippinError(
    'MALFORMED_FILE',
    `expected coefficient ${row} to name matrix 0 or 1 and a constraint below ${domainSize}, with a value below r; got one that does not`,
  );
}

function missingSignal(signals: number): PippinError {
  return new PippinError(
    'INVALID_LENGTH',
    `expected a witness with every signal of the constraints, got one of ${signals} signals`,
  );
}
