import { bigintToBytes, bytesToBigint } from '../../../base/bytes.js';
import { SCALAR_BYTES, type ScalarFieldParameters } from '../../../curves/index.js';
import { inverse, mod, power } from '../../../curves/modular.js';
import { rootOfUnity } from '../../../curves/root-of-unity.js';

export type TransformKind = 'forward' | 'inverse' | 'coset';

/**
 * The transforms of one or two elements, which the stages of wasm/ntt/ntt.ts do not handle. 'coset' returns the values at i and -i, where i
 * is a primitive 4th root of unity, from those at 1 and -1.
 */
export function transformSmall(values: Uint8Array, kind: TransformKind, fr: ScalarFieldParameters): Uint8Array {
  if (values.length === SCALAR_BYTES) return values.slice();
  const p = fr.modulus;
  const x = bytesToBigint(values, 0, SCALAR_BYTES);
  const y = bytesToBigint(values, SCALAR_BYTES, SCALAR_BYTES);
  let [a, b] = [x + y, x - y];
  if (kind !== 'forward') {
    const half = inverse(2n, p);
    [a, b] = [a * half, b * half];
  }
  if (kind === 'coset') {
    const shifted = b * power(rootOfUnity(fr), 1n << BigInt(fr.twoAdicity - 2), p);
    [a, b] = [a + shifted, a - shifted];
  }
  const result = new Uint8Array(2 * SCALAR_BYTES);
  result.set(bigintToBytes(mod(a, p), SCALAR_BYTES));
  result.set(bigintToBytes(mod(b, p), SCALAR_BYTES), SCALAR_BYTES);
  return result;
}
