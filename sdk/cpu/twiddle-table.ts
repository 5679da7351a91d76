import { SCALAR_BYTES, type ScalarFieldParameters } from '../curves/index.js';
import { bigintToBytes } from '../field/bytes.js';
import { power } from '../field/modular.js';
import type { CurveExports } from './exports.js';
import type { KernelMemory } from './memory.js';
import type { Steps } from './steps.js';

/** Products in one call into WASM: well under a millisecond's work. */
const CHUNK = 4096;

/**
 * The twiddle factors of a kernel, in the order that wasm/ntt.ts describes. One table serves every size, so it is kept, and made anew
 * only when a larger one is asked for.
 */
export class TwiddleTable {
  private table: { readonly at: number; readonly count: number } | undefined;

  constructor(
    private readonly fr: ScalarFieldParameters,
    private readonly exports: CurveExports,
    private readonly memory: KernelMemory,
  ) {}

  /** How many factors `withAtLeast(count)` would compute. */
  missing(count: number): number {
    return this.table !== undefined && this.table.count >= count ? 0 : count;
  }

  /** The address of a table of at least `count` factors, count being 2^k with k < twoAdicity. */
  async withAtLeast(count: number, steps: Steps): Promise<number> {
    if (this.table !== undefined) {
      if (this.table.count >= count) return this.table.at;
      this.memory.release(this.table.at);
      this.table = undefined;
    }
    const at = this.memory.allocate(count * this.exports.fr_size());
    try {
      await this.compute(at, count, steps);
    } catch (error) {
      this.memory.release(at);
      throw error;
    }
    this.table = { at, count };
    return at;
  }

  private async compute(at: number, count: number, steps: Steps): Promise<void> {
    await this.memory.scope(async (allocate) => {
      const root = allocate(SCALAR_BYTES);
      this.exports.fr_startTwiddles(at);
      for (let done = 1, k = 2; done < count; done *= 2, k++) {
        this.memory.write(root, bigintToBytes(rootOfUnity(this.fr, k), SCALAR_BYTES));
        await steps.run(done, CHUNK, (from, to) => this.exports.fr_extendTwiddles(at, done, root, from, to));
      }
    });
  }
}

/** A primitive 2^k-th root of unity, each the square of the next one's. */
function rootOfUnity(fr: ScalarFieldParameters, k: number): bigint {
  return power(fr.rootOfUnity, 1n << BigInt(fr.twoAdicity - k), fr.modulus);
}
