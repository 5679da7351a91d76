import { bigintToBytes } from '../../../base/bytes.js';
import { SCALAR_BYTES, type ScalarFieldParameters } from '../../../curves/index.js';
import { inverse, power } from '../../../curves/modular.js';
import { rootOfUnity } from '../../../curves/root-of-unity.js';
import type { TransformExports } from './exports.js';
import type { KernelMemory } from './memory.js';
import type { Steps } from './steps.js';

/** Products that one call into WASM computes: well under a millisecond's work. */
const CHUNK = 4096;

/**
 * How many factors are also stored spread into rows. Spread factors make the products of 12 stages of a forward
 * transform, and of 11 stages of a transform to the coset, cheaper by a third. They take 0.4 MB in SIMD lanes and 0.7
 * MB in i64 limbs. With twice as many, transforms took 1 to 3% less time, with eight times as many 5% less.
 */
const SPREAD = 2048;

/** The addresses of a table: `count` factors, and the first `spreadCount` of them again, spread into rows. */
export interface Twiddles {
  readonly factors: number;
  readonly count: number;
  readonly spread: number;
  readonly spreadCount: number;
}

/**
 * The factors of one kind of stages, in the order that wasm/ntt/ntt.ts describes. A table serves every smaller size,
 * too, so it is kept, and computed again only when a larger one is needed.
 */
export class TwiddleTable {
  private table: Twiddles | undefined;
  /**
   * Entry k is a primitive 2^k-th root of unity, the square of entry k + 1; for the coset it is the inverse of the
   * forward transform's.
   */
  private readonly roots: readonly bigint[];

  constructor(
    private readonly kind: 'forward' | 'coset',
    private readonly fr: ScalarFieldParameters,
    private readonly exports: TransformExports,
    private readonly memory: KernelMemory,
  ) {
    const { modulus, twoAdicity } = fr;
    const root = rootOfUnity(fr);
    this.roots = repeatedSquares(kind === 'forward' ? root : inverse(root, modulus), twoAdicity, modulus);
  }

  /** How many factors `withAtLeast(count)` would compute. */
  missing(count: number): number {
    return this.table !== undefined && this.table.count >= count ? 0 : count;
  }

  /** A table of at least `count` factors, count being 2^k with 0 < k < twoAdicity. */
  async withAtLeast(count: number, steps: Steps): Promise<Twiddles> {
    if (this.table !== undefined) {
      if (this.table.count >= count) return this.table;
      this.memory.release(this.table.factors);
      this.memory.release(this.table.spread);
      this.table = undefined;
    }
    const spreadCount = Math.min(count, SPREAD);
    const factors = this.memory.allocate(count * this.exports.ntt_elementSize());
    let spread: number | undefined;
    try {
      spread = this.memory.allocate(spreadCount * this.exports.ntt_spreadSize());
      if (this.kind === 'forward') await this.computeForward(factors, count, steps);
      else await this.computeCoset(factors, count, steps);
      this.exports.ntt_spreadFactors(factors, 0, spreadCount, spread);
    } catch (error) {
      this.memory.release(factors);
      if (spread !== undefined) this.memory.release(spread);
      throw error;
    }
    this.table = { factors, count, spread, spreadCount };
    return this.table;
  }

  /** t_0, t_1, then t_(done + i) = t_i w for a primitive (4 done)-th root w. */
  private computeForward(at: number, count: number, steps: Steps): Promise<void> {
    return this.memory.scope(async (allocate) => {
      const staged = allocate(2 * SCALAR_BYTES);
      this.load(at, 1n, this.roots[2]!, staged);
      for (let done = 2, k = 3; done < count; done *= 2, k++) {
        await this.extend(at, done, this.roots[k]!, staged, steps);
      }
    });
  }

  /**
   * For each stage the odd powers of a primitive (4 half)-th root w: w and w^3, then the first `done` powers times w^(2
   * done).
   */
  private computeCoset(at: number, count: number, steps: Steps): Promise<void> {
    return this.memory.scope(async (allocate) => {
      const staged = allocate(2 * SCALAR_BYTES);
      this.load(at, 1n, this.roots[2]!, staged);
      for (let half = 2, k = 3; half < count; half *= 2, k++) {
        const stage = at + half * this.exports.ntt_elementSize();
        const root = this.roots[k]!;
        this.load(stage, root, power(root, 3n, this.fr.modulus), staged);
        for (let done = 2, order = k - 2; done < half; done *= 2, order--) {
          await this.extend(stage, done, this.roots[order]!, staged, steps);
        }
      }
    });
  }

  private load(at: number, first: bigint, second: bigint, staged: number): void {
    this.stage(first, second, staged);
    this.exports.ntt_loadFactors(staged, at);
  }

  /** Computes factors done..2 done of a run: its first `done` factors times `by`. */
  private extend(at: number, done: number, by: bigint, staged: number, steps: Steps): Promise<void> {
    this.stage(by, by, staged);
    const target = at + done * this.exports.ntt_elementSize();
    return steps.run(done, CHUNK, (from, to) => this.exports.ntt_multiplyFactors(at, staged, from, to, target));
  }

  private stage(first: bigint, second: bigint, at: number): void {
    this.memory.write(at, bigintToBytes(first, SCALAR_BYTES));
    this.memory.write(at + SCALAR_BYTES, bigintToBytes(second, SCALAR_BYTES));
  }
}

/**
 * The list whose last entry, at `last`, is `value`, and in which each other entry is the square of the one after it.
 */
function repeatedSquares(value: bigint, last: number, modulus: bigint): bigint[] {
  const squares = new Array<bigint>(last + 1);
  squares[last] = value;
  for (let k = last; k > 0; k--) squares[k - 1] = squares[k]! ** 2n % modulus;
  return squares;
}
