import type { CurveId } from '../../../../sdk/curves/index.js';
import { shippedShape } from '../../gpu-field/field-shape.js';
import { canonical, safegcd } from '../../gpu-field/inversions.js';

/**
 * WGSL of `field_inverse(a)` behind the shipped arithmetic by limbs: less than 2 p, for a < 8 p; 0 gives a multiple of
 * p. Kernels with it have the parameters `INVERSION_PARAMS`, which keep its loops from being unrolled.
 */
export function fieldInverse(curve: CurveId): string {
  const shape = shippedShape(curve);
  // The shipped function of the name `field_canonical` takes other limbs.
  const name = 'field_canonical_signed';
  return `${canonical(shape, name)}
${safegcd(shape, name).code}
// The product with 1 brings what field_inv gives, up to 70 p, below 2 p.
fn field_inverse(a: Field) -> Field {
  return field_mul(field_inv(a), field_one());
}
`;
}

export const INVERSION_PARAMS = ['steps', 'turns'] as const;

/** The values of `INVERSION_PARAMS`. */
export function inversionParams(curve: CurveId): { readonly steps: number; readonly turns: number } {
  return safegcd(shippedShape(curve)).params;
}
