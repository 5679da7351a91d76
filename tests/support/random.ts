/** A small deterministic generator of random numbers (SplitMix64), so that a test that fails does so again. */
export class Random {
  private state: bigint;

  constructor(seed: number | bigint) {
    this.state = BigInt(seed);
  }

  private next64(): bigint {
    this.state = (this.state + 0x9e3779b97f4a7c15n) & 0xffffffffffffffffn;
    let z = this.state;
    z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & 0xffffffffffffffffn;
    z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & 0xffffffffffffffffn;
    return z ^ (z >> 31n);
  }

  /** Uniform in 0..bound-1, up to a bias below 2^-64. */
  below(bound: bigint): bigint {
    let value = this.next64();
    for (let rest = bound; rest > 0n; rest >>= 64n) value = (value << 64n) | this.next64();
    return value % bound;
  }

  integer(bound: number): number {
    return Number(this.below(BigInt(bound)));
  }
}

/**
 * Values below `modulus` at which carries, borrows and reductions happen: around 0, the modulus, its half, and powers
 * of 2.
 */
export function edgeValues(modulus: bigint): bigint[] {
  const values = new Set<bigint>([0n, 1n, 2n, modulus - 1n, modulus - 2n, modulus / 2n, modulus / 2n + 1n]);
  for (const k of [
    12, 13, 14, 26, 29, 30, 31, 32, 51, 58, 63, 64, 127, 128, 192, 252, 253, 254, 255, 256, 376, 448, 511, 512, 725,
    751,
  ]) {
    for (const d of [-1n, 0n, 1n]) {
      const value = (1n << BigInt(k)) + d;
      if (value < modulus) values.add(value).add(modulus - value);
    }
  }
  return [...values];
}
