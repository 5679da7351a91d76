import type { CurveParameters } from '../../../sdk/curves/index.js';
import { expectBound } from '../bounds.js';

/**
 * How many p the Montgomery factor R must exceed, in tenths, for the bounds of the point arithmetic in shaders/point/ to hold: those of the
 * files weierstrass.wgsl, weierstrass-bytes.wgsl, edwards.wgsl and edwards-bytes.wgsl.
 */
const LEAST_TENTHS = {
  weierstrass: { limbs: 840n, bytes: 52n },
  edwards: { limbs: 81920n, bytes: 1520n },
} as const;

/** Throws where the field of a curve's coordinates leaves its shaders less room than they rely on. */
export function checkPointBounds({ fq, edwards }: CurveParameters, products: 'limbs' | 'bytes', r: bigint): void {
  const form = edwards === undefined ? 'weierstrass' : 'edwards';
  const least = LEAST_TENTHS[form][products];
  const what = `${Number(least) / 10} p, which the ${form} point arithmetic by ${products} leaves unreduced,`;
  expectBound(fq.name, what, least * fq.modulus, 10n * r);
}
