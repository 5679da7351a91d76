import type { CurveParameters } from '../../sdk/curves/index.js';
import { inverse, mod } from '../../sdk/field/modular.js';

export type Affine = readonly [x: bigint, y: bigint];

/** The addition of affine points in the coordinates of a curve's boundary, apart from the inversion, which many additions may share. */
export interface AdditionLaw {
  /** What has to be inverted to add `b` to `a`; not 0 where the law gives the sum. */
  denominator(a: Affine, b: Affine): bigint;
  /** a + b, given the inverse of the denominator. */
  sum(a: Affine, b: Affine, inverted: bigint): Affine;
  double(a: Affine): Affine;
}

export function additionLaw(curve: CurveParameters): AdditionLaw {
  return curve.boundary === 'edwards' ? edwardsLaw(curve) : weierstrassLaw(curve);
}

/** Chord and tangent on y^2 = x^3 + a x + b, for points with different x. */
function weierstrassLaw({ fq, g1 }: CurveParameters): AdditionLaw {
  const p = fq.modulus;
  const through = (a: Affine, b: Affine, slope: bigint): Affine => {
    const x = mod(slope * slope - a[0] - b[0], p);
    return [x, mod(slope * (a[0] - x) - a[1], p)];
  };
  return {
    denominator: (a, b) => mod(b[0] - a[0], p),
    sum: (a, b, inverted) => through(a, b, (mod(b[1] - a[1], p) * inverted) % p),
    double: (a) => through(a, a, mod((3n * a[0] * a[0] + g1.a) * inverse(2n * a[1], p), p)),
  };
}

/** The unified law of -x^2 + y^2 = 1 + d x^2 y^2 (Bernstein, Birkner, Joye, Lange, Peters, "Twisted Edwards curves", 2008/013, section 6). */
function edwardsLaw({ fq, edwards }: CurveParameters): AdditionLaw {
  const p = fq.modulus;
  const { d } = edwards!;
  const crossed = (a: Affine, b: Affine): bigint => mod(d * a[0] * b[0] * ((a[1] * b[1]) % p), p);
  const denominator = (a: Affine, b: Affine): bigint => {
    const t = crossed(a, b);
    return mod((1n + t) * (1n - t), p);
  };
  const sum = (a: Affine, b: Affine, inverted: bigint): Affine => {
    const t = crossed(a, b);
    return [
      mod((a[0] * b[1] + a[1] * b[0]) * ((inverted * (1n - t)) % p), p),
      mod((a[1] * b[1] + a[0] * b[0]) * ((inverted * (1n + t)) % p), p),
    ];
  };
  return { denominator, sum, double: (a) => sum(a, a, inverse(denominator(a, a), p)) };
}
