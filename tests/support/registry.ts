import { isWgslCurve } from '../../scripts/generate/wgsl/wgsl-curve.js';
import { ENDOMORPHISMS } from '../../sdk/curves/endomorphisms.js';
import { CURVES, type Curve } from '../../sdk/curves/index.js';

/**
 * All curves of the registry, and then those that have something besides sums in G1. The suites about it run for each
 * of these.
 */
export const ALL_CURVES: readonly Curve[] = Object.values(CURVES);
export const CURVES_ON_GPU = ALL_CURVES.filter(isWgslCurve);
export const CURVES_WITH_G2 = ALL_CURVES.filter(({ g2 }) => g2 !== undefined);
export const CURVES_WITH_EDWARDS = ALL_CURVES.filter(({ edwards }) => edwards !== undefined);
export const CURVES_WITH_ENDOMORPHISM = ALL_CURVES.filter(({ id }) => ENDOMORPHISMS[id] !== undefined);
export const CURVES_WITH_TRANSFORMS = ALL_CURVES.filter(({ transforms }) => transforms !== undefined);
export const CURVES_WITH_PAIRING = ALL_CURVES.filter(({ pairing }) => pairing !== undefined);

/** A curve for each size of scalars. */
export const CURVE_OF_EACH_SCALAR_SIZE = [...new Map(ALL_CURVES.map((curve) => [curve.scalarBytes, curve])).values()];
