import { SCALAR_BYTES } from '../../curves/index.js';
import { PippinError } from '../../errors.js';
import type { ConstraintExports } from './exports.js';
import type { KernelTask } from './kernel-api.js';
import type { KernelMemory } from './memory.js';
import { Steps } from './steps.js';

/** Entries handled by one call into WASM: well under a millisecond's work, and few enough to be staged in a small buffer. */
const CHUNK = 4096;

/** Bytes of a row of a .zkey's coefficient section: matrix, constraint, signal (u32 each), coefficient. */
const ROW_BYTES = 12 + SCALAR_BYTES;

/** One matrix of a constraint system in a kernel's memory. */
interface Matrix {
  readonly at: number;
  readonly count: number;
  readonly domainSize: number;
}

/** The matrices of constraint systems, and their products with a witness. The methods are those of `KernelApi`. */
export class ConstraintKernel {
  private readonly matrices = new Map<string, Matrix>();

  constructor(
    private readonly exports: ConstraintExports,
    private readonly memory: KernelMemory,
  ) {}

  loadConstraints(id: string, matrix: 0 | 1, entries: Uint8Array, domainSize: number): void {
    this.releaseConstraints(id);
    if (entries.length % ROW_BYTES !== 0) {
      throw new PippinError(
        'MALFORMED_FILE',
        `expected coefficients of ${ROW_BYTES} bytes each, got ${entries.length} bytes`,
      );
    }
    const rows = entries.length / ROW_BYTES;
    const entryBytes = this.exports.r1cs_entrySize();
    const count = countRows(entries, matrix);
    // Coefficients follow the entries. How many there are besides 1 and -1 is known in the end.
    const coefficients = count * entryBytes;
    const at = this.memory.allocate(coefficients + count * this.exports.fr_size());
    let staged: number | undefined;
    try {
      staged = this.memory.allocate(4 + CHUNK * ROW_BYTES);
      const cursor = staged + CHUNK * ROW_BYTES;
      this.memory.writeUint32(cursor, at + coefficients);
      let kept = 0;
      for (let from = 0; from < rows; from += CHUNK) {
        const to = Math.min(rows, from + CHUNK);
        this.memory.write(staged, entries.subarray(from * ROW_BYTES, to * ROW_BYTES));
        const found = this.exports.r1cs_load(staged, to - from, matrix, domainSize, at + kept * entryBytes, cursor);
        if (found < 0) throw malformedRow(from - 1 - found, domainSize);
        kept += found;
      }
      this.memory.shrink(at, this.memory.readUint32(cursor) - at);
      this.matrices.set(id, { at, count, domainSize });
    } catch (error) {
      this.memory.release(at);
      throw error;
    } finally {
      if (staged !== undefined) this.memory.release(staged);
    }
  }

  releaseConstraints(id: string): void {
    const matrix = this.matrices.get(id);
    if (matrix === undefined) return;
    this.memory.release(matrix.at);
    this.matrices.delete(id);
  }

  async evaluateConstraints(id: string, witness: Uint8Array, task?: KernelTask): Promise<Uint8Array> {
    const matrix = this.matrices.get(id);
    if (matrix === undefined) throw new PippinError('INTERNAL', `expected a loaded constraint matrix, got ${id}`);
    const { at, count, domainSize } = matrix;
    const signals = witness.length / SCALAR_BYTES;
    if (!Number.isInteger(signals)) {
      throw new PippinError(
        'INVALID_LENGTH',
        `expected a witness of ${SCALAR_BYTES} bytes a signal, got ${witness.length} bytes`,
      );
    }
    const steps = new Steps(task, count + domainSize);
    const size = this.exports.fr_size();
    return this.memory.scope(async (allocate) => {
      const witnessAt = allocate(witness.length);
      this.memory.write(witnessAt, witness);
      const sums = allocate(domainSize * size);
      this.memory.clear(sums, domainSize * size);
      await steps.run(count, CHUNK, (from, to) => {
        const entry = this.exports.r1cs_evaluate(at, from, to, witnessAt, signals, sums);
        if (entry >= 0) throw missingSignal(signals);
      });
      const staged = allocate(Math.min(domainSize, CHUNK) * SCALAR_BYTES);
      const result = new Uint8Array(domainSize * SCALAR_BYTES);
      await steps.run(domainSize, CHUNK, (from, to) => {
        this.exports.r1cs_storeSums(sums + from * size, to - from, staged);
        result.set(this.memory.read(staged, (to - from) * SCALAR_BYTES), from * SCALAR_BYTES);
      });
      return result;
    });
  }
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
