/**
 * How a field element is cut into limbs for the kernels. The generators of WGSL and WASM and the packed form depend on
 * it.
 */

/**
 * Bits of a limb in WGSL, the most for which columns of products stay below 2^32 without carries in between: a product
 * and its reduction put two products of limbs into a column for each limb. 13 bits up to 32 limbs, since 2 * 32 *
 * (2^13 - 1)^2 and a carry of 19 bits are below 2^32, otherwise 12, which serve up to 128 limbs.
 */
export function wgslLimbBits(bits: number): 12 | 13 {
  return bits + 3 <= 32 * 13 ? 13 : 12;
}

/** Bits of a limb in the i64 kernels of WASM: a sum of 2 * 14 products of 58 bits fits in 64 bits. */
export const WASM_LIMB_BITS = 29;

/**
 * WGSL limbs for a modulus of `bits` bits: 20 for 254 bits, 30 for 377, 64 for 753. They have at least 3 bits to spare
 * for lazy sums, and as many bits as the packed words.
 */
export function wgslLimbs(bits: number): number {
  return Math.ceil(Math.max(bits + 3, 32 * packedWords(bits)) / wgslLimbBits(bits));
}

/** WASM limbs for a modulus of `bits` bits, with at least 3 bits to spare for lazy sums: 9 for 254 bits, 14 for 377. */
export function wasmLimbs(bits: number): number {
  return Math.ceil((bits + 3) / WASM_LIMB_BITS);
}

/**
 * The exponent k of the packed Montgomery form a * 2^k mod p, in which prepared bases are kept and points pass between
 * WASM and WGSL. It is the exponent of the WGSL kernels, so that the GPU reads packed elements without converting them.
 */
export function packedMontgomeryBits(bits: number): number {
  return wgslLimbs(bits) * wgslLimbBits(bits);
}

/** 32-bit words of a packed element: 8 for 254 bits, 12 for 377, 24 for 753. */
export function packedWords(bits: number): number {
  return Math.ceil(bits / 32);
}

/**
 * Words of a packed element up to which a product may be unrolled on the GPU: its code grows with the square of their
 * number.
 */
export const MAX_UNROLLED_WORDS = 12;

/** The `count` limbs of `limbBits` bits of `value`, lowest first. */
export function toLimbs(value: bigint, count: number, limbBits: number): number[] {
  const mask = (1n << BigInt(limbBits)) - 1n;
  return Array.from({ length: count }, (_, i) => Number((value >> BigInt(i * limbBits)) & mask));
}

/** The inverse of `toLimbs`; limbs may exceed their width. */
export function fromLimbs(limbs: ArrayLike<number | bigint>, limbBits: number): bigint {
  let value = 0n;
  for (let i = limbs.length - 1; i >= 0; i--) value = (value << BigInt(limbBits)) + BigInt(limbs[i]!);
  return value;
}
