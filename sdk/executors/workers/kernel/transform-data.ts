import { bigintToBytes, newBytes } from '../../../base/bytes.js';
import { SCALAR_BYTES } from '../../../curves/index.js';
import type { TransformExports } from './exports.js';
import type { KernelMemory } from './memory.js';
import type { Steps } from './steps.js';
import type { Twiddles } from './twiddle-table.js';

/**
 * Elements handled by one call into WASM: well under a millisecond's work, and few enough to be staged in a small
 * buffer.
 */
const CHUNK = 4096;

/**
 * Butterflies of a block, which is taken through all its stages at once. Its 2^12 elements and their twiddles stay in a
 * core's second-level cache, and it takes a few milliseconds on a slow phone.
 */
const BLOCK = 2048;

/**
 * Elements are brought from bit-reversed to natural order in squares of 2^TILE_BITS rows, which stay in a first-level
 * cache.
 */
const TILE_BITS = 3;

/** 2^logN elements of the scalar field in WASM memory while they are transformed. */
export class TransformData {
  private readonly n: number;

  /** @param data the address of the elements, n * ntt_elementSize() bytes. */
  constructor(
    private readonly exports: TransformExports,
    private readonly memory: KernelMemory,
    private readonly steps: Steps,
    private readonly data: number,
    private readonly logN: number,
  ) {
    this.n = 2 ** logN;
  }

  /** Takes the elements from their canonical bytes. */
  load(values: Uint8Array): Promise<void> {
    const { n, data, steps } = this;
    return this.memory.scope((allocate) => {
      const staged = allocate(CHUNK * SCALAR_BYTES);
      return steps.run(n, CHUNK, (from, to) => {
        this.memory.write(staged, values.subarray(from * SCALAR_BYTES, to * SCALAR_BYTES));
        this.exports.ntt_loadElements(staged, from, to, data);
      });
    });
  }

  /** The elements as canonical bytes, in the order in which they are in memory. */
  store(): Promise<Uint8Array> {
    const { n, data, steps } = this;
    return this.memory.scope(async (allocate) => {
      const staged = allocate(CHUNK * SCALAR_BYTES);
      const result = newBytes(n * SCALAR_BYTES);
      await steps.run(n, CHUNK, (from, to) => {
        this.exports.ntt_storeElements(data, from, to, staged);
        result.set(this.memory.view(staged, (to - from) * SCALAR_BYTES), from * SCALAR_BYTES);
      });
      return result;
    });
  }

  /** The elements as canonical bytes, brought from bit-reversed to natural order. */
  storeReversed(): Promise<Uint8Array> {
    const { n, logN, data, steps } = this;
    const bits = Math.min(TILE_BITS, logN >> 1);
    const side = 2 ** bits;
    const run = 2 ** (logN - bits) * SCALAR_BYTES;
    const chunk = CHUNK / side ** 2;
    const stride = chunk * side * SCALAR_BYTES;
    return this.memory.scope(async (allocate) => {
      const staged = allocate(CHUNK * SCALAR_BYTES);
      const result = newBytes(n * SCALAR_BYTES);
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

  /**
   * Multiplies elements from..to (both even): at even positions by the first factor, at odd positions by the second.
   */
  scale([even, odd]: readonly [bigint, bigint], from: number, to: number): Promise<void> {
    const { data, steps } = this;
    return this.memory.scope((allocate) => {
      const factors = allocate(2 * SCALAR_BYTES);
      this.memory.write(factors, bigintToBytes(even, SCALAR_BYTES));
      this.memory.write(factors + SCALAR_BYTES, bigintToBytes(odd, SCALAR_BYTES));
      return steps.run(to - from, CHUNK, (begin, end) =>
        this.exports.ntt_scaleElements(data, factors, from + begin, from + end),
      );
    });
  }

  /**
   * All stages from natural to bit-reversed order: stages with distant partners one by one over all elements, the rest
   * block by block.
   */
  async forwardStages({ factors, spread, spreadCount }: Twiddles): Promise<void> {
    const { n, data, steps } = this;
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

  /**
   * All stages to the coset, from bit-reversed to natural order: block by block first, then the stages with distant
   * partners.
   */
  async cosetStages({ factors, spread, spreadCount }: Twiddles): Promise<void> {
    const { n, data, steps } = this;
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
}
