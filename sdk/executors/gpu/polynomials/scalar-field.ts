import { writeBigint } from '../../../base/bytes.js';
import { CURVES, type CurveId, SCALAR_BYTES } from '../../../curves/index.js';
import { packedMontgomeryBits } from '../../../curves/limbs.js';
import { inverse, mod, power } from '../../../curves/modular.js';
import { rootOfUnity } from '../../../curves/root-of-unity.js';

/** R of the kernels: a product of theirs is a b / R. */
export function kernelR(curve: CurveId): bigint {
  return 1n << BigInt(packedMontgomeryBits(CURVES[curve].fr.bits));
}

/** Integers modulo r as the kernels read them: 32 bytes each, below r. */
export function elementBytes(curve: CurveId, values: readonly bigint[]): Uint8Array {
  const { modulus } = CURVES[curve].fr;
  const bytes = new Uint8Array(values.length * SCALAR_BYTES);
  for (const [i, value] of values.entries()) writeBigint(bytes, i * SCALAR_BYTES, SCALAR_BYTES, mod(value, modulus));
  return bytes;
}

/** 1 / w for the primitive 2^k-th root w; that for k is the square of that for k + 1. */
export function inverseRoot(curve: CurveId, k: number): bigint {
  const { fr } = CURVES[curve];
  const { modulus, twoAdicity } = fr;
  return inverse(power(rootOfUnity(fr), 1n << BigInt(twoAdicity - k), modulus), modulus);
}
