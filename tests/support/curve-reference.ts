import type { CurveParameters } from '../../sdk/curves/index.js';
import { inverse, mod } from '../../sdk/field/modular.js';

/** An affine point; undefined is the point at infinity. */
export type AffinePoint = readonly [x: bigint, y: bigint] | undefined;

/** The group law of y^2 = x^3 + b over F_p in BigInt: the reference that kernels are held against. */
export function addAffine(curve: CurveParameters, p: AffinePoint, q: AffinePoint): AffinePoint {
  if (p === undefined) return q;
  if (q === undefined) return p;
  const m = curve.fq.modulus;
  if (p[0] === q[0] && mod(p[1] + q[1], m) === 0n) return undefined;
  const slope =
    p[0] === q[0] ? mod(3n * p[0] * p[0] * inverse(2n * p[1], m), m) : mod((q[1] - p[1]) * inverse(q[0] - p[0], m), m);
  const x = mod(slope * slope - p[0] - q[0], m);
  return [x, mod(slope * (p[0] - x) - p[1], m)];
}

/** k P by double-and-add, k >= 0. */
export function multiplyAffine(curve: CurveParameters, p: AffinePoint, k: bigint): AffinePoint {
  let result: AffinePoint;
  let base = p;
  for (let rest = k; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = addAffine(curve, result, base);
    base = addAffine(curve, base, base);
  }
  return result;
}
