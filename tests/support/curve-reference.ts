import type { CurveParameters } from '../../sdk/curves/index.js';
import { inverse, mod } from '../../sdk/curves/modular.js';

/**
 * An affine point in the coordinates that callers give (`CurveParameters.boundary`); undefined is the neutral element.
 */
export type AffinePoint = readonly [x: bigint, y: bigint] | undefined;

/** p + q by the curve's group law in BigInt: the reference for kernels. */
export function addAffine(curve: CurveParameters, p: AffinePoint, q: AffinePoint): AffinePoint {
  if (p === undefined) return q;
  if (q === undefined) return p;
  return curve.boundary === 'edwards' ? addOnEdwards(curve, p, q) : addOnWeierstrass(curve, p, q);
}

type FinitePoint = NonNullable<AffinePoint>;

/** On -X^2 + Y^2 = 1 + d X^2 Y^2. One formula holds for all points, because d is not a square. */
function addOnEdwards({ fq, edwards }: CurveParameters, [x1, y1]: FinitePoint, [x2, y2]: FinitePoint): AffinePoint {
  const m = fq.modulus;
  const t = mod(edwards!.d * x1 * x2 * y1 * y2, m);
  const x = mod((x1 * y2 + y1 * x2) * inverse(1n + t, m), m);
  const y = mod((y1 * y2 + x1 * x2) * inverse(mod(1n - t, m), m), m);
  return x === 0n && y === 1n ? undefined : [x, y];
}

/** On y^2 = x^3 + a x + b. */
function addOnWeierstrass(curve: CurveParameters, p: FinitePoint, q: FinitePoint): AffinePoint {
  const m = curve.fq.modulus;
  if (p[0] === q[0] && mod(p[1] + q[1], m) === 0n) return undefined;
  const slope =
    p[0] === q[0]
      ? mod((3n * p[0] * p[0] + curve.g1.a) * inverse(2n * p[1], m), m)
      : mod((q[1] - p[1]) * inverse(q[0] - p[0], m), m);
  const x = mod(slope * slope - p[0] - q[0], m);
  return [x, mod(slope * (p[0] - x) - p[1], m)];
}

/** Whether a point satisfies the curve's equation in these coordinates. */
export function isOnCurve({ boundary, edwards, fq, g1 }: CurveParameters, point: AffinePoint): boolean {
  if (point === undefined) return true;
  const [x, y] = point;
  const difference =
    boundary === 'edwards' ? y * y - x * x - 1n - edwards!.d * x * x * y * y : y * y - x ** 3n - g1.a * x - g1.b;
  return mod(difference, fq.modulus) === 0n;
}

/** -P. */
export function negateAffine({ boundary, fq }: CurveParameters, point: FinitePoint): FinitePoint {
  const [x, y] = point;
  return boundary === 'edwards' ? [mod(-x, fq.modulus), y] : [x, mod(-y, fq.modulus)];
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
