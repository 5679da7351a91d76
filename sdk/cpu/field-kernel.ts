import { CURVES, type CurveId, SCALAR_BYTES, type ScalarFieldParameters } from '../curves/index.js';
import { PippinError } from '../errors.js';
import { bigintToBytes } from '../field/bytes.js';
import { inverse, power } from '../field/modular.js';
import type { CurveExports } from './exports.js';
import type { KernelTask } from './kernel-api.js';
import type { KernelMemory } from './memory.js';
import { Steps } from './steps.js';

/** Butterflies, elements or entries handled by one call into WASM: well under a millisecond's work. */
const CHUNK = 4096;

/** A power of w for every butterfly position of a transform of `size` elements. */
interface TwiddleTable {
  readonly size: number;
  readonly at: number;
}

/** One matrix of a constraint system in a kernel's memory. */
interface Matrix {
  readonly at: number;
  readonly count: number;
  readonly domainSize: number;
}

/** The half of a kernel that works on the scalar field: transforms, products, and the constraint system at a witness. */
export class FieldKernel {
  private readonly matrices = new Map<string, Matrix>();
  /** Kept from the last transform; a prover's transforms are all of one size. */
  private table: TwiddleTable | undefined;
  private readonly fr: ScalarFieldParameters;

  constructor(
    curve: CurveId,
    private readonly exports: CurveExports,
    private readonly memory: KernelMemory,
  ) {
    this.fr = CURVES[curve].fr;
  }

  async transform(values: Uint8Array, direction: 'forward' | 'inverse', task?: KernelTask): Promise<Uint8Array> {
    return this.withElements(values, async (data, logN, allocate) => {
      const steps = new Steps(task, Math.max(1, logN * 2 ** logN));
      if (direction === 'forward') {
        this.exports.fr_reverseBits(data, logN);
        await this.forwardStages(data, logN, steps);
      } else {
        await this.inverseStages(data, logN, steps);
        this.scale(data, logN, 1n, allocate);
        this.exports.fr_reverseBits(data, logN);
      }
    });
  }

  async shiftToCoset(values: Uint8Array, task?: KernelTask): Promise<Uint8Array> {
    return this.withElements(values, async (data, logN, allocate) => {
      const steps = new Steps(task, Math.max(1, 2 * logN * 2 ** logN));
      await this.inverseStages(data, logN, steps);
      this.scale(data, logN, this.cosetShift(logN), allocate);
      await this.forwardStages(data, logN, steps);
    });
  }

  async multiplyElements(a: Uint8Array, b: Uint8Array): Promise<Uint8Array> {
    return this.elementwise([a, b], (at, count, target) =>
      this.exports.fr_multiplyElements(at[0]!, at[1]!, count, target),
    );
  }

  async quotient(a: Uint8Array, b: Uint8Array, c: Uint8Array): Promise<Uint8Array> {
    return this.elementwise([a, b, c], (at, count, target) =>
      this.exports.fr_quotient(at[0]!, at[1]!, at[2]!, count, target),
    );
  }

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
    const inMatrix = countRows(entries, matrix);
    const at = this.memory.allocate(inMatrix * entryBytes);
    let source: number | undefined;
    try {
      source = this.memory.allocate(CHUNK * ROW_BYTES);
      let kept = 0;
      for (let from = 0; from < rows; from += CHUNK) {
        const to = Math.min(rows, from + CHUNK);
        this.memory.write(source, entries.subarray(from * ROW_BYTES, to * ROW_BYTES));
        const found = this.exports.r1cs_load(source, to - from, matrix, domainSize, at + kept * entryBytes);
        if (found < 0) throw malformedRow(from - 1 - found, domainSize);
        kept += found;
      }
      this.matrices.set(id, { at, count: kept, domainSize });
    } catch (error) {
      this.memory.release(at);
      throw error;
    } finally {
      if (source !== undefined) this.memory.release(source);
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
    return this.memory.scope(async (allocate) => {
      const { at, count, domainSize } = matrix;
      const witnessAt = allocate(witness.length);
      this.memory.write(witnessAt, witness);
      const sums = allocate(domainSize * this.exports.fr_size());
      this.memory.clear(sums, domainSize * this.exports.fr_size());
      const signals = witness.length / SCALAR_BYTES;
      await new Steps(task, Math.max(1, count)).run(count, CHUNK, (from, to) => {
        const missing = this.exports.r1cs_evaluate(at, from, to, witnessAt, signals, sums);
        if (missing >= 0) {
          throw new PippinError(
            'INVALID_LENGTH',
            `expected a witness with every signal of the constraints, got ${signals} values`,
          );
        }
      });
      const target = allocate(domainSize * SCALAR_BYTES);
      this.exports.r1cs_storeSums(sums, domainSize, target);
      return this.memory.read(target, domainSize * SCALAR_BYTES);
    });
  }

  /** w_2n, or the non-residue where the field has no 2n-th root: the coset on which snarkjs evaluates the quotient. */
  private cosetShift(logN: number): bigint {
    return logN < this.fr.twoAdicity ? this.rootOfUnity(logN + 1) : power(this.fr.nonResidue, 2n, this.fr.modulus);
  }

  private rootOfUnity(logN: number): bigint {
    return power(this.fr.rootOfUnity, 1n << BigInt(this.fr.twoAdicity - logN), this.fr.modulus);
  }

  /** Loads 2^logN canonical elements, lets `work` change them in place, and gives them back. */
  private async withElements(
    values: Uint8Array,
    work: (data: number, logN: number, allocate: (bytes: number) => number) => Promise<void>,
  ): Promise<Uint8Array> {
    const count = values.length / SCALAR_BYTES;
    const logN = Math.log2(count);
    if (!Number.isInteger(logN) || logN > this.fr.twoAdicity) {
      throw new PippinError(
        'INVALID_LENGTH',
        `expected 2^k elements of ${SCALAR_BYTES} bytes with k from 0 to ${this.fr.twoAdicity}, got ${values.length} bytes`,
      );
    }
    return this.memory.scope(async (allocate) => {
      const bytes = allocate(values.length);
      this.memory.write(bytes, values);
      const data = allocate(count * this.exports.fr_size());
      this.exports.fr_loadElements(bytes, count, data);
      await work(data, logN, allocate);
      this.exports.fr_storeElements(data, count, bytes);
      return this.memory.read(bytes, values.length);
    });
  }

  private async forwardStages(data: number, logN: number, steps: Steps): Promise<void> {
    const n = 2 ** logN;
    const twiddles = this.twiddles(logN);
    for (let half = 1; half < n; half *= 2) {
      await steps.run(n / 2, CHUNK, (from, to) => this.exports.fr_forwardStage(data, n, half, twiddles, from, to), 2);
    }
  }

  private async inverseStages(data: number, logN: number, steps: Steps): Promise<void> {
    const n = 2 ** logN;
    const twiddles = this.twiddles(logN);
    for (let half = n / 2; half >= 1; half /= 2) {
      await steps.run(n / 2, CHUNK, (from, to) => this.exports.fr_inverseStage(data, n, half, twiddles, from, to), 2);
    }
  }

  /** Divides by n and multiplies coefficient i, in bit-reversed order, by shift^i. */
  private scale(data: number, logN: number, shift: bigint, allocate: (bytes: number) => number): void {
    const factors = allocate(2 * SCALAR_BYTES);
    this.memory.write(factors, bigintToBytes(inverse(1n << BigInt(logN), this.fr.modulus), SCALAR_BYTES));
    this.memory.write(factors + SCALAR_BYTES, bigintToBytes(shift, SCALAR_BYTES));
    this.exports.fr_scaleReversed(data, logN, factors, factors + SCALAR_BYTES);
  }

  private twiddles(logN: number): number {
    const size = 2 ** logN;
    if (this.table?.size === size) return this.table.at;
    if (this.table !== undefined) this.memory.release(this.table.at);
    this.table = undefined;
    const count = Math.max(1, size / 2);
    const root = this.memory.allocate(SCALAR_BYTES);
    this.memory.write(root, bigintToBytes(this.rootOfUnity(logN), SCALAR_BYTES));
    const at = this.memory.allocate(count * this.exports.fr_size());
    this.exports.fr_fillPowers(root, count, at);
    this.memory.release(root);
    this.table = { size, at };
    return at;
  }

  private async elementwise(
    operands: readonly Uint8Array[],
    compute: (at: readonly number[], count: number, target: number) => void,
  ): Promise<Uint8Array> {
    const bytes = operands[0]!.length;
    if (bytes % SCALAR_BYTES !== 0 || operands.some((operand) => operand.length !== bytes)) {
      const lengths = operands.map((operand) => operand.length).join(', ');
      throw new PippinError(
        'INVALID_LENGTH',
        `expected operands of equal length in elements of ${SCALAR_BYTES} bytes, got ${lengths}`,
      );
    }
    return this.memory.scope((allocate) => {
      const at = operands.map((operand) => {
        const address = allocate(bytes);
        this.memory.write(address, operand);
        return address;
      });
      // The first operand's place serves for the result: element i is read before it is written.
      compute(at, bytes / SCALAR_BYTES, at[0]!);
      return this.memory.read(at[0]!, bytes);
    });
  }
}

/** Bytes of a row of a .zkey's coefficient section. */
const ROW_BYTES = 44;

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
