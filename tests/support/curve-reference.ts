import { type CurveParameters, EDWARDS_FORMS } from '../../sdk/curves/index.js';
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
function addOnEdwards({ id, fq }: CurveParameters, [x1, y1]: FinitePoint, [x2, y2]: FinitePoint): AffinePoint {
  const m = fq.modulus;
  const t = mod(EDWARDS_FORMS[id]!.d * x1 * x2 * y1 * y2, m);
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
export function isOnCurve({ id, boundary, fq, g1 }: CurveParameters, point: AffinePoint): boolean {
  if (point === undefined) return true;
  const [x, y] = point;
  const difference =
    boundary === 'edwards'
      ? y * y - x * x - 1n - EDWARDS_FORMS[id]!.d * x * x * y * y
      : y * y - x ** 3n - g1.a * x - g1.b;
  return mod(difference, fq.modulus) === 0n;
}

/** -P. */
export function negateAffine({ boundary, fq }: CurveParameters, point: FinitePoint): FinitePoint {
  const [x, y] = point;
  return boundary === 'edwards' ? [mod(-x, fq.modulus), y] : [x, mod(-y, fq.modulus)];
}

/** k P by double-and-add, k >= 0. */
export function multiplyAffine(curve: CurveParameters, p: AffinePoint, k: bigint): AffinePoint {
  if (p === undefined) return undefined;
  const law = projectiveLaw(curve);
  let sum = law.neutral;
  for (const bit of k.toString(2)) {
    sum = law.double(sum);
    if (bit === '1') sum = law.add(sum, p);
  }
  return law.toAffine(sum);
}

/** The sum of any number of points. */
export function sumAffine(curve: CurveParameters, points: readonly AffinePoint[]): AffinePoint {
  const law = projectiveLaw(curve);
  return law.toAffine(points.reduce((sum, point) => (point === undefined ? sum : law.add(sum, point)), law.neutral));
}

/**
 * The group law on three coordinates, so that a chain of sums takes one inversion, which by BigInt takes as long as a
 * hundred products.
 */
interface ProjectiveLaw {
  readonly neutral: Projective;
  double(p: Projective): Projective;
  add(p: Projective, q: FinitePoint): Projective;
  toAffine(p: Projective): AffinePoint;
}
type Projective = readonly [x: bigint, y: bigint, z: bigint];

function projectiveLaw(curve: CurveParameters): ProjectiveLaw {
  return curve.boundary === 'edwards' ? projectiveEdwards(curve) : jacobian(curve);
}

/** x = X / Z, y = Y / Z. One formula holds for all points. */
function projectiveEdwards({ id, fq }: CurveParameters): ProjectiveLaw {
  const { d } = EDWARDS_FORMS[id]!;
  const m = fq.modulus;
  const add = ([x1, y1, z1]: Projective, [x2, y2, z2]: Projective): Projective => {
    const z = mod(z1 * z2, m);
    const [xx, yy] = [mod(x1 * x2, m), mod(y1 * y2, m)];
    const t = mod(d * xx * yy, m);
    const [minus, plus] = [mod(z * z - t, m), mod(z * z + t, m)];
    return [mod(z * minus * (x1 * y2 + y1 * x2), m), mod(z * plus * (yy + xx), m), mod(minus * plus, m)];
  };
  return {
    neutral: [0n, 1n, 1n],
    double: (p) => add(p, p),
    add: (p, [x, y]) => add(p, [x, y, 1n]),
    toAffine: ([X, Y, Z]) => {
      const unscale = inverse(Z, m);
      const [x, y] = [mod(X * unscale, m), mod(Y * unscale, m)];
      return x === 0n && y === 1n ? undefined : [x, y];
    },
  };
}

/** x = X / Z^2, y = Y / Z^3; Z = 0 is infinity. */
function jacobian({ fq, g1 }: CurveParameters): ProjectiveLaw {
  const m = fq.modulus;
  const neutral: Projective = [1n, 1n, 0n];
  const double = ([x, y, z]: Projective): Projective => {
    const yy = mod(y * y, m);
    const s = mod(4n * x * yy, m);
    const slope = mod(3n * x * x + (g1.a === 0n ? 0n : g1.a * mod(z * z, m) ** 2n), m);
    const x3 = mod(slope * slope - 2n * s, m);
    return [x3, mod(slope * (s - x3) - 8n * yy * yy, m), mod(2n * y * z, m)];
  };
  return {
    neutral,
    double,
    add: (p, [x2, y2]) => {
      const [x1, y1, z1] = p;
      if (z1 === 0n) return [x2, y2, 1n];
      const zz = mod(z1 * z1, m);
      const h = mod(x2 * zz - x1, m);
      const r = mod(y2 * mod(zz * z1, m) - y1, m);
      if (h === 0n) return r === 0n ? double(p) : neutral;
      const hh = mod(h * h, m);
      const hhh = mod(hh * h, m);
      const v = mod(x1 * hh, m);
      const x3 = mod(r * r - hhh - 2n * v, m);
      return [x3, mod(r * (v - x3) - y1 * hhh, m), mod(z1 * h, m)];
    },
    toAffine: ([x, y, z]) => {
      if (z === 0n) return undefined;
      const unscale = inverse(z, m);
      const squared = mod(unscale * unscale, m);
      return [mod(x * squared, m), mod(y * squared * unscale, m)];
    },
  };
}
