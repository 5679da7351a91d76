import type { Constant } from './lane-products.js';

/** The vector constants of a module, both lanes alike, in memory: V8 takes longer to build them from immediates. */
export class LaneConstants {
  private readonly names = new Map<bigint, string>();

  /** The text that loads the vector with these bits in both lanes. */
  readonly load: Constant = (bits) => {
    const unsigned = BigInt.asUintN(64, bits);
    let name = this.names.get(unsigned);
    if (name === undefined) {
      name = `K${this.names.size}`;
      this.names.set(unsigned, name);
    }
    return `v128.load(${name})`;
  };

  /** Their declarations. */
  toText(): string {
    return [...this.names]
      .map(([bits, name]) => {
        const hex = `0x${bits.toString(16)}`;
        return `const ${name}: usize = memory.data<u64>([${hex}, ${hex}], 16);`;
      })
      .join('\n');
  }
}
