/** Reproducible random numbers of 32 bits: xorshift32. */
export function randomWords(seed = 0x9e3779b9): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
}

/** Reproducible random numbers below a bound of up to 448 bits. */
export function randomBelow(bound: bigint): () => bigint {
  const word = randomWords();
  return () => {
    let value = 0n;
    for (let i = 0; i < 16; i++) value = (value << 32n) | BigInt(word());
    return value % bound;
  };
}

/**
 * A large number below `bound`: its highest limb is that of the bound less 1, and all bits of its other limbs are ones.
 */
export function onesBelow(bound: bigint, limbBits: number): bigint {
  const top = highestLimb(bound, limbBits);
  return (bound / top) * top - 1n;
}

/** The weight of a number's highest limb: 2^limbBits to the power of the limb's index. */
export function highestLimb(value: bigint, limbBits: number): bigint {
  return 1n << BigInt(limbBits * Math.floor((value.toString(2).length - 1) / limbBits));
}
