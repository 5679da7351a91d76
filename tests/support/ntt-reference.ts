import type { ScalarFieldParameters } from '../../sdk/curves/index.js';
import { inverse, power } from '../../sdk/curves/modular.js';
import { rootOfUnity as largestRoot } from '../../sdk/curves/root-of-unity.js';

/** The primitive 2^k-th root of unity that the SDK uses. */
export function rootOfUnity(fr: ScalarFieldParameters, k: number): bigint {
  return power(largestRoot(fr), 1n << BigInt(fr.twoAdicity - k), fr.modulus);
}

/** sum_j values[j] root^(i j) for every i below the length, from the definition: n^2 products. */
export function transformByDefinition(values: readonly bigint[], root: bigint, modulus: bigint): bigint[] {
  return values.map((_, i) => {
    const x = power(root, BigInt(i), modulus);
    return values.reduceRight((sum, value) => (sum * x + value) % modulus, 0n);
  });
}

/** The same for 2^k values, by splitting them into those with even and with odd indices: n log n products. */
export function transform(values: readonly bigint[], root: bigint, modulus: bigint): bigint[] {
  const n = values.length;
  if (n === 1) return [values[0]! % modulus];
  const square = (root * root) % modulus;
  const halves = [0, 1].map((odd) =>
    transform(
      values.filter((_, i) => i % 2 === odd),
      square,
      modulus,
    ),
  );
  const result = new Array<bigint>(n);
  let x = 1n;
  for (let i = 0; i < n / 2; i++) {
    const even = halves[0]![i]!;
    const odd = (x * halves[1]![i]!) % modulus;
    result[i] = (even + odd) % modulus;
    result[i + n / 2] = (even - odd + modulus) % modulus;
    x = (x * root) % modulus;
  }
  return result;
}

/** The polynomial's coefficients from its values on the powers of root. */
export function inverseTransform(values: readonly bigint[], root: bigint, modulus: bigint): bigint[] {
  const scale = inverse(BigInt(values.length), modulus);
  return transform(values, inverse(root, modulus), modulus).map((value) => (value * scale) % modulus);
}

/** A polynomial's values at w_2n w_n^i from its values at w_n^i, where w_n is `rootOfUnity` of order n. */
export function shiftToCoset(fr: ScalarFieldParameters, values: readonly bigint[]): bigint[] {
  const k = Math.log2(values.length);
  const root = rootOfUnity(fr, k);
  const shift = rootOfUnity(fr, k + 1);
  let factor = 1n;
  const shifted = inverseTransform(values, root, fr.modulus).map((coefficient) => {
    const product = (coefficient * factor) % fr.modulus;
    factor = (factor * shift) % fr.modulus;
    return product;
  });
  return transform(shifted, root, fr.modulus);
}
