import { CURVES, type CurveId, SCALAR_BYTES, type ScalarFieldParameters } from '../curves/index.js';
import { PippinError } from '../errors.js';
import { bigintToBytes } from '../field/bytes.js';
import { inverse } from '../field/modular.js';
import type { CurveExports } from './exports.js';
import type { KernelTask } from './kernel-api.js';
import type { KernelMemory } from './memory.js';
import { Steps } from './steps.js';
import { TwiddleTable } from './twiddle-table.js';

/** Elements handled by one call into WASM: well under a millisecond's work, and few enough to be staged in a small buffer. */
const CHUNK = 4096;

/**
 * Butterflies of the blocks that are taken through all their stages at once: 2^12 elements, which with their twiddles stay in a
 * core's second-level cache, and some milliseconds' work on a slow phone.
 */
const BLOCK = 2048;

/** A transform's work: elements in WASM memory, and the table and the pace that go with them. */
interface Transform {
  readonly data: number;
  readonly logN: number;
  readonly twiddles: number;
  readonly steps: Steps;
}

/** Transforms and element-wise products over the scalar field of a curve. The methods are those of `KernelApi`. */
export class FieldKernel {
  private readonly fr: ScalarFieldParameters;
  private readonly table: TwiddleTable;

  constructor(
    curve: CurveId,
    private readonly exports: CurveExports,
    private readonly memory: KernelMemory,
  ) {
    this.fr = CURVES[curve].fr;
    this.table = new TwiddleTable(this.fr, exports, memory);
  }

  async transform(values: Uint8Array, direction: 'forward' | 'inverse', task?: KernelTask): Promise<Uint8Array> {
    const logN = logarithm(values, this.fr.twoAdicity);
    const options = { twiddles: 2 ** Math.max(0, logN - 1), passes: 1, divide: direction === 'inverse' };
    return this.inPlace(values, logN, options, task, async (transform) => {
      if (direction === 'forward') await this.forwardStages(transform);
      await this.reverseBits(transform);
      if (direction === 'inverse') await this.inverseStages(transform);
    });
  }

  /** Forward stages stand for the inverse transform here: they give n times its coefficients, in reverse (see wasm/ntt.ts). */
  async shiftToCoset(values: Uint8Array, task?: KernelTask): Promise<Uint8Array> {
    const logN = logarithm(values, this.fr.twoAdicity - 1);
    const options = { twiddles: 2 ** logN, passes: 2, divide: true };
    return this.inPlace(values, logN, options, task, async (transform) => {
      const { data, twiddles, steps } = transform;
      await this.forwardStages(transform);
      await steps.run(2 ** logN, CHUNK, (from, to) => this.exports.fr_shiftElements(data, twiddles, from, to));
      await this.inverseStages(transform);
    });
  }

  async multiplyElements(a: Uint8Array, b: Uint8Array): Promise<Uint8Array> {
    return this.elementwise([a, b], ([x, y], count, target) => this.exports.fr_multiplyElements(x!, y!, count, target));
  }

  async quotient(a: Uint8Array, b: Uint8Array, c: Uint8Array): Promise<Uint8Array> {
    return this.elementwise([a, b, c], ([x, y, z], count, target) =>
      this.exports.fr_quotient(x!, y!, z!, count, target),
    );
  }

  /**
   * Copies 2^logN elements into WASM memory, lets `work` change them in place, and gives them back.
   *
   * @param options.twiddles how many factors `work` needs.
   * @param options.passes how often it goes through all stages.
   * @param options.divide whether the results are to be divided by 2^logN.
   */
  private inPlace(
    values: Uint8Array,
    logN: number,
    options: { twiddles: number; passes: number; divide: boolean },
    task: KernelTask | undefined,
    work: (transform: Transform) => Promise<void>,
  ): Promise<Uint8Array> {
    const n = 2 ** logN;
    const copies = 3 * n;
    const steps = new Steps(task, copies + this.table.missing(options.twiddles) + (options.passes * logN * n) / 2);
    return this.memory.scope(async (allocate) => {
      const twiddles = await this.table.withAtLeast(options.twiddles, steps);
      const size = this.exports.fr_size();
      const data = allocate(n * size);
      const staged = allocate(Math.min(n, CHUNK) * SCALAR_BYTES);
      await steps.run(n, CHUNK, (from, to) => {
        this.memory.write(staged, values.subarray(from * SCALAR_BYTES, to * SCALAR_BYTES));
        this.exports.fr_loadElements(staged, to - from, data + from * size);
      });
      await work({ data, logN, twiddles, steps });
      const factor = allocate(SCALAR_BYTES);
      const scale = options.divide ? inverse(BigInt(n), this.fr.modulus) : 1n;
      this.memory.write(factor, bigintToBytes(scale, SCALAR_BYTES));
      const result = new Uint8Array(values.length);
      await steps.run(n, CHUNK, (from, to) => {
        this.exports.fr_storeElements(data + from * size, to - from, factor, staged);
        result.set(this.memory.read(staged, (to - from) * SCALAR_BYTES), from * SCALAR_BYTES);
      });
      return result;
    });
  }

  /** Stages that reach far one by one, the rest block by block. */
  private async forwardStages({ data, logN, twiddles, steps }: Transform): Promise<void> {
    if (logN === 0) return;
    const butterflies = 2 ** (logN - 1);
    const block = Math.min(BLOCK, butterflies);
    for (let half = butterflies; half > block; half /= 2) {
      await steps.run(butterflies, BLOCK, (from, to) =>
        this.exports.fr_forwardStages(data, twiddles, half, half, from, to),
      );
    }
    const weight = 1 + Math.log2(block);
    await steps.run(
      butterflies,
      block,
      (from, to) => this.exports.fr_forwardStages(data, twiddles, block, 1, from, to),
      weight,
    );
  }

  /** The same in the opposite order. */
  private async inverseStages({ data, logN, twiddles, steps }: Transform): Promise<void> {
    if (logN === 0) return;
    const butterflies = 2 ** (logN - 1);
    const block = Math.min(BLOCK, butterflies);
    const weight = 1 + Math.log2(block);
    await steps.run(
      butterflies,
      block,
      (from, to) => this.exports.fr_inverseStages(data, twiddles, 1, block, from, to),
      weight,
    );
    for (let half = 2 * block; half <= butterflies; half *= 2) {
      await steps.run(butterflies, BLOCK, (from, to) =>
        this.exports.fr_inverseStages(data, twiddles, half, half, from, to),
      );
    }
  }

  private reverseBits({ data, logN, steps }: Transform): Promise<void> {
    return steps.run(2 ** logN, CHUNK, (from, to) => this.exports.fr_reverseBits(data, logN, from, to));
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
        `expected operands of equal length in elements of ${SCALAR_BYTES} bytes, got ${lengths} bytes`,
      );
    }
    const count = bytes / SCALAR_BYTES;
    return this.memory.scope(async (allocate) => {
      const staged = operands.map(() => allocate(Math.min(count, CHUNK) * SCALAR_BYTES));
      const result = new Uint8Array(bytes);
      await new Steps(undefined, count).run(count, CHUNK, (from, to) => {
        const [begin, end] = [from * SCALAR_BYTES, to * SCALAR_BYTES];
        for (const [i, operand] of operands.entries()) this.memory.write(staged[i]!, operand.subarray(begin, end));
        // The first operand's place serves for the result: element i is read before it is written.
        compute(staged, to - from, staged[0]!);
        result.set(this.memory.read(staged[0]!, end - begin), begin);
      });
      return result;
    });
  }
}

/** k for 2^k elements; `INVALID_LENGTH` when there is no such k up to `most`. */
function logarithm(values: Uint8Array, most: number): number {
  const k = Math.log2(values.length / SCALAR_BYTES);
  if (!Number.isInteger(k) || k < 0 || k > most) {
    throw new PippinError(
      'INVALID_LENGTH',
      `expected 2^k elements of ${SCALAR_BYTES} bytes with k from 0 to ${most}, got ${values.length} bytes`,
    );
  }
  return k;
}
