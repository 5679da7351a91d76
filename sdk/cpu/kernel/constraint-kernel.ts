import { SCALAR_BYTES } from '../../curves/index.js';
import { PippinError } from '../../errors.js';
import { newBytes } from '../../field/bytes.js';
import { expectPart, type WholeInstance } from './kernel-instance.js';
import type { KernelTask } from './kernel-task.js';
import { Steps } from './steps.js';

/** Entries handled by one call into WASM: well under a millisecond's work, and few enough to be staged in a small buffer. */
const CHUNK = 4096;

/** Bytes of a row of a .zkey's coefficient section: matrix, constraint, signal (u32 each), coefficient. */
const ROW_BYTES = 12 + SCALAR_BYTES;

export interface LoadConstraintsArgs {
  readonly id: string;
  readonly matrix: 0 | 1;
  readonly entries: Uint8Array;
  readonly domainSize: number;
}

/** One matrix of a constraint system in a kernel's memory. */
interface Matrix {
  readonly at: number;
  readonly count: number;
  readonly domainSize: number;
}

/** A kernel's methods for the matrices of constraint systems, and their products with a witness. */
export function constraintKernel(instance: WholeInstance) {
  const { curve, memory } = instance;
  const matrices = new Map<string, Matrix>();

  const release = (id: string): void => {
    const matrix = matrices.get(id);
    if (matrix === undefined) return;
    memory.release(matrix.at);
    matrices.delete(id);
  };

  return {
    /**
     * Keeps one matrix of a constraint system under `id`, replacing what was there: `entries` are rows of a .zkey's coefficient section,
     * 12 bytes of indices (matrix, constraint, signal; u32 each) and the coefficient times 2^512 mod r. Entries of the other matrix are
     * skipped. `MALFORMED_FILE` names the first row that is wrong, `OUT_OF_MEMORY` when the matrix does not fit.
     */
    loadConstraints({ id, matrix, entries, domainSize }: LoadConstraintsArgs): void {
      release(id);
      if (entries.length % ROW_BYTES !== 0) {
        throw new PippinError(
          'MALFORMED_FILE',
          `expected coefficients of ${ROW_BYTES} bytes each, got ${entries.length} bytes`,
        );
      }
      const exports = expectPart(curve, 'constraints', instance.constraints);
      const rows = entries.length / ROW_BYTES;
      const entryBytes = exports.r1cs_entrySize();
      const count = countRows(entries, matrix);
      // Coefficients follow the entries. How many there are besides 1 and -1 is known only at the end.
      const coefficients = count * entryBytes;
      const at = memory.allocate(coefficients + count * exports.fr_size());
      let staged: number | undefined;
      try {
        staged = memory.allocate(4 + CHUNK * ROW_BYTES);
        const cursor = staged + CHUNK * ROW_BYTES;
        memory.writeUint32(cursor, at + coefficients);
        let kept = 0;
        for (let from = 0; from < rows; from += CHUNK) {
          const to = Math.min(rows, from + CHUNK);
          memory.write(staged, entries.subarray(from * ROW_BYTES, to * ROW_BYTES));
          const found = exports.r1cs_load(staged, to - from, matrix, domainSize, at + kept * entryBytes, cursor);
          if (found < 0) throw malformedRow(from - 1 - found, domainSize);
          kept += found;
        }
        memory.shrink(at, memory.readUint32(cursor) - at);
        matrices.set(id, { at, count, domainSize });
      } catch (error) {
        memory.release(at);
        throw error;
      } finally {
        if (staged !== undefined) memory.release(staged);
      }
    },

    releaseConstraints({ id }: { readonly id: string }): void {
      release(id);
    },

    /** The matrix times the witness (32 bytes a signal): domainSize elements. With `constantWork` signals that are 0 take as long as others. */
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
