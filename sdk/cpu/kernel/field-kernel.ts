import { CURVES, type CurveId, SCALAR_BYTES, type ScalarFieldParameters } from '../../curves/index.js';
import { PippinError } from '../../errors.js';
import { bigintToBytes } from '../../field/bytes.js';
import { inverse } from '../../field/modular.js';
import type { TransformExports } from './exports.js';
import type { KernelTask } from './kernel-api.js';
import type { KernelMemory } from './memory.js';
import { transformSmall } from './small-transform.js';
import { Steps } from './steps.js';
import { type Twiddles, TwiddleTable } from './twiddle-table.js';

/** Elements handled by one call into WASM: well under a millisecond's work, and few enough to be staged in a small buffer. */
const CHUNK = 4096;

/**
 * Butterflies of the blocks that are taken through all their stages at once: 2^12 elements, which with their twiddles stay in a
 * core's second-level cache, and some milliseconds' work on a slow phone.
 */
const BLOCK = 2048;

/** Elements are brought from bit-reversed to natural order in squares of 2^TILE_BITS rows, which stay in a first-level cache. */
const TILE_BITS = 3;

/** A transform's work: elements in WASM memory, and the pace that goes with them. */
interface Transform {
  readonly data: number;
  readonly logN: number;
  readonly steps: Steps;
}

/** Transforms and element-wise products over the scalar field of a curve. The methods are those of `KernelApi`. */
export class FieldKernel {
  private readonly fr: ScalarFieldParameters;
  private readonly forward: TwiddleTable;
  private readonly coset: TwiddleTable;

  constructor(
    curve: CurveId,
    private readonly exports: TransformExports,
    private readonly memory: KernelMemory,
  ) {
    this.fr = CURVES[curve].fr;
    this.forward = new TwiddleTable('forward', this.fr, exports, memory);
    this.coset = new TwiddleTable('coset', this.fr, exports, memory);
  }

  async transform(values: Uint8Array, direction: 'forward' | 'inverse', task?: KernelTask): Promise<Uint8Array> {
    const logN = logarithm(values, this.fr.twoAdicity);
    if (logN < 2) return transformSmall(values, direction, this.fr);
    const n = 2 ** logN;
    const copies = (direction === 'forward' ? 2 : 3) * n;
    const steps = new Steps(task, copies + this.forward.missing(n / 2) + (logN * n) / 2);
    const twiddles = await this.forward.withAtLeast(n / 2, steps);
    return this.memory.scope(async (allocate) => {
      const transform = { data: allocate(n * this.exports.ntt_elementSize()), logN, steps };
      await this.load(values, transform);
      await this.forwardStages(transform, twiddles);
      if (direction === 'forward') return this.storeReversed(transform);
      const scale = inverse(BigInt(n), this.fr.modulus);
      await this.scale(transform, [scale, scale], 0, n);
      return withOppositeIndices(await this.storeReversed(transform));
    });
  }

  async shiftToCoset(values: Uint8Array, task?: KernelTask): Promise<Uint8Array> {
    const logN = logarithm(values, this.fr.twoAdicity - 1);
    if (logN < 2) return transformSmall(values, 'coset', this.fr);
    const n = 2 ** logN;
    const steps = new Steps(task, 3 * n + this.forward.missing(n / 2) + this.coset.missing(n) + logN * n);
    const forward = await this.forward.withAtLeast(n / 2, steps);
    const coset = await this.coset.withAtLeast(n, steps);
    return this.memory.scope(async (allocate) => {
      const transform = { data: allocate(n * this.exports.ntt_elementSize()), logN, steps };
      await this.load(values, transform);
      await this.forwardStages(transform, forward);
      // All but the first are divided by -n (see wasm/ntt/ntt.ts).
      const scale = inverse(BigInt(n), this.fr.modulus);
      const negative = this.fr.modulus - scale;
      await this.scale(transform, [scale, negative], 0, 2);
      await this.scale(transform, [negative, negative], 2, n);
      await this.cosetStages(transform, coset);
      return this.store(transform);
    });
  }

  async multiplyElements(a: Uint8Array, b: Uint8Array): Promise<Uint8Array> {
    return this.elementwise([a, b], ([x, y], count, target) =>
      this.exports.ntt_multiplyElements(x!, y!, count, target),
    );
  }

  async quotient(a: Uint8Array, b: Uint8Array, c: Uint8Array): Promise<Uint8Array> {
    return this.elementwise([a, b, c], ([x, y, z], count, target) =>
      this.exports.ntt_quotient(x!, y!, z!, count, target),
    );
  }

  private load(values: Uint8Array, { data, logN, steps }: Transform): Promise<void> {
    return this.memory.scope((allocate) => {
      const staged = allocate(CHUNK * SCALAR_BYTES);
      return steps.run(2 ** logN, CHUNK, (from, to) => {
        this.memory.write(staged, values.subarray(from * SCALAR_BYTES, to * SCALAR_BYTES));
        this.exports.ntt_loadElements(staged, from, to, data);
      });
    });
  }

  private store({ data, logN, steps }: Transform): Promise<Uint8Array> {
    return this.memory.scope(async (allocate) => {
      const staged = allocate(CHUNK * SCALAR_BYTES);
      const result = new Uint8Array(2 ** logN * SCALAR_BYTES);
      await steps.run(2 ** logN, CHUNK, (from, to) => {
        this.exports.ntt_storeElements(data, from, to, staged);
        result.set(this.memory.view(staged, (to - from) * SCALAR_BYTES), from * SCALAR_BYTES);
      });
      return result;
    });
  }

  /** Brings elements from bit-reversed to natural order as well. */
  private storeReversed({ data, logN, steps }: Transform): Promise<Uint8Array> {
    const bits = Math.min(TILE_BITS, logN >> 1);
    const side = 2 ** bits;
    const run = 2 ** (logN - bits) * SCALAR_BYTES;
    const chunk = CHUNK / side ** 2;
    const stride = chunk * side * SCALAR_BYTES;
    return this.memory.scope(async (allocate) => {
      const staged = allocate(CHUNK * SCALAR_BYTES);
      const result = new Uint8Array(2 ** logN * SCALAR_BYTES);
      const store = (from: number, to: number): void => {
        this.exports.ntt_storeReversed(data, logN, bits, from, to, staged, stride);
        const bytes = (to - from) * side * SCALAR_BYTES;
        for (let h = 0; h < side; h++) {
          result.set(this.memory.view(staged + h * stride, bytes), h * run + from * side * SCALAR_BYTES);
        }
      };
      await steps.run(2 ** (logN - 2 * bits), chunk, store, side ** 2);
      return result;
    });
  }

  /** Multiplies elements from..to, both even, by a factor for those of even and one for those of odd number. */
  private scale({ data, steps }: Transform, [even, odd]: readonly [bigint, bigint], from: number, to: number) {
    return this.memory.scope((allocate) => {
      const factors = allocate(2 * SCALAR_BYTES);
      this.memory.write(factors, bigintToBytes(even, SCALAR_BYTES));
      this.memory.write(factors + SCALAR_BYTES, bigintToBytes(odd, SCALAR_BYTES));
      return steps.run(to - from, CHUNK, (begin, end) =>
        this.exports.ntt_scaleElements(data, factors, from + begin, from + end),
      );
    });
  }

  /** Stages that reach far one by one, the rest block by block. */
  private async forwardStages({ data, logN, steps }: Transform, twiddles: Twiddles): Promise<void> {
    const n = 2 ** logN;
    const { factors, spread, spreadCount } = twiddles;
    const run = (first: number, last: number, chunk: number): Promise<void> =>
      steps.run(
        n / 2,
        chunk,
        (from, to) => this.exports.ntt_forwardStages(data, n, factors, spread, spreadCount, first, last, from, to),
        1 + Math.log2(first / last),
      );
    const block = Math.min(BLOCK, n / 2);
    for (let half = n / 2; half > block; half /= 2) await run(half, half, BLOCK);
    await run(block, 1, block);
  }

  /** The same in the opposite order. */
  private async cosetStages({ data, logN, steps }: Transform, twiddles: Twiddles): Promise<void> {
    const n = 2 ** logN;
    const { factors, spread, spreadCount } = twiddles;
    const run = (first: number, last: number, chunk: number): Promise<void> =>
      steps.run(
        n / 2,
        chunk,
        (from, to) => this.exports.ntt_cosetStages(data, factors, spread, spreadCount, first, last, from, to),
        1 + Math.log2(last / first),
      );
    const block = Math.min(BLOCK, n / 2);
    await run(1, block, block);
    for (let half = 2 * block; half < n; half *= 2) await run(half, half, BLOCK);
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
      // Room for one more than an odd count: WASM takes elements two at a time.
      const staged = operands.map(() => allocate(Math.min(count + 1, CHUNK) * SCALAR_BYTES));
      const result = new Uint8Array(bytes);
      await new Steps(undefined, count).run(count, CHUNK, (from, to) => {
        const [begin, end] = [from * SCALAR_BYTES, to * SCALAR_BYTES];
        for (const [i, operand] of operands.entries()) this.memory.write(staged[i]!, operand.subarray(begin, end));
        // The first operand's place serves for the result: element i is read before it is written.
        compute(staged, to - from, staged[0]!);
        result.set(this.memory.view(staged[0]!, end - begin), begin);
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

/** Elements 0, n - 1, n - 2, .. 1 of an array with a buffer of its own: in place. */
function withOppositeIndices(bytes: Uint8Array): Uint8Array {
  const words = new Uint32Array(bytes.buffer);
  const size = SCALAR_BYTES / 4;
  for (let low = size, high = words.length - size; low < high; low += size, high -= size) {
    for (let w = 0; w < size; w++) {
      const kept = words[low + w]!;
      words[low + w] = words[high + w]!;
      words[high + w] = kept;
    }
  }
  return bytes;
}
