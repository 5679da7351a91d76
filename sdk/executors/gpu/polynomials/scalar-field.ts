import { writeBigint } from '../../../base/bytes.js';
import { CURVES, type CurveId, SCALAR_BYTES } from '../../../curves/index.js';
import { packedMontgomeryBits } from '../../../curves/limbs.js';
import { inverse, mod, power } from '../../../curves/modular.js';
import { rootOfUnity } from '../../../curves/root-of-unity.js';

/** The kernels' Montgomery R: their product is a b / R. */
export function kernelR(curve: CurveId): bigint {
  return 1n << BigInt(packedMontgomeryBits(CURVES[curve].fr.bits));
}

/** Integers modulo r in the kernels' format: 32 bytes each, below r. */
export function elementBytes(curve: CurveId, values: readonly bigint[]): Uint8Array {
  const { modulus } = CURVES[curve].fr;
  const bytes = new Uint8Array(values.length * SCALAR_BYTES);
  for (const [i, value] of values.entries()) writeBigint(bytes, i * SCALAR_BYTES, SCALAR_BYTES, mod(value, modulus));
  return bytes;
}

/** 1 / w_k for the primitive 2^k-th root w_k, where w_k = w_(k+1)^2. */
export function inverseRoot(curve: CurveId, k: number): bigint {
  const { fr } = CURVES[curve];
  const { modulus, twoAdicity } = fr;
  return inverse(power(rootOfUnity(fr), 1n << BigInt(twoAdicity - k), modulus), modulus);
}
