import type { VectorConstant } from './integer-lane-products.js';
import type { Constant } from './lane-products.js';

/** The vector constants of a module, in memory: V8 takes longer to build them from immediates. */
export class LaneConstants {
  /** The two words of each constant as text, with its name. */
  private readonly names = new Map<string, string>();

  /** The text that loads the vector with these bits in both lanes. */
  readonly load: Constant = (bits) => this.loadPair(bits, bits);

  /** The text that loads the vector of two words of 64 bits. */
  readonly loadPair: VectorConstant = (low, high) => {
    const words = [low, high].map((bits) => `0x${BigInt.asUintN(64, bits).toString(16)}`).join(', ');
    let name = this.names.get(words);
    if (name === undefined) {
      name = `K${this.names.size}`;
      this.names.set(words, name);
    }
    return `v128.load(${name})`;
  };

  /** Their declarations. */
  toText(): string {
    return [...this.names]
      .map(([words, name]) => `const ${name}: usize = memory.data<u64>([${words}], 16);`)
      .join('\n');
  }
}
