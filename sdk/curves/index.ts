import { PippinError } from '../base/errors.js';
import { bls12377, bls12377Edwards } from './bls12-377.js';
import { bls12381 } from './bls12-381.js';
import { bn254 } from './bn254.js';
import { edwardsBls12, edwardsBls12Edwards } from './edwards-bls12.js';
import { grumpkin } from './grumpkin.js';
import { mnt4753 } from './mnt4-753.js';
import { mod } from './modular.js';
import type { CurveParameters, EdwardsParameters, GroupId } from './types.js';

export * from './types.js';
export { bls12377, bls12381, bn254, edwardsBls12, grumpkin, mnt4753 };

/** The curves by their ids. */
const REGISTRY = {
  bn254,
  'bls12-377': bls12377,
  'bls12-381': bls12381,
  'edwards-bls12': edwardsBls12,
  grumpkin,
  'mnt4-753': mnt4753,
} as const satisfies Readonly<Record<string, CurveParameters>>;

/**
 * The curves, by the names that options and results use. `bn254` and `bls12-381` have proofs of every system; each has
 * MSMs over G1, these two and `bls12-377` over G2 too.
 */
export type CurveId = keyof typeof REGISTRY;

/** A curve of the registry. */
export type Curve = CurveParameters<CurveId>;

export const CURVES: Readonly<Record<CurveId, Curve>> = REGISTRY;

/** The Edwards forms of G1, for generators and tests. */
export const EDWARDS_FORMS: Readonly<Record<string, EdwardsParameters>> = {
  'bls12-377': bls12377Edwards,
  'edwards-bls12': edwardsBls12Edwards,
};

/** Bytes of one affine point at the boundary: x then y, each little-endian; G2 as c0, c1 of each. */
export function pointBytes(curve: CurveId, group: GroupId): number {
  const parameters = CURVES[curve];
  if (group === 'g1') return 2 * parameters.coordinateBytes;
  if (parameters.g2 === undefined) throw withoutG2(curve);
  return 4 * parameters.coordinateBytes;
}

/** Whether there are kernels for the curve on the GPU. Elsewhere the workers compute its MSMs. */
export function hasGpuKernels(curve: CurveId): boolean {
  return CURVES[curve].wgslLimbsPerTurn !== undefined;
}

/** Whether the curve of a group has points outside of the subgroup of prime order: G1 by its cofactor, G2 always. */
export function hasCofactor(curve: CurveId, group: GroupId): boolean {
  return group === 'g2' || CURVES[curve].g1.cofactor !== 1n;
}

/** The error when G2 is asked for on a curve without G2 arithmetic. */
export function withoutG2(curve: CurveId): PippinError {
  const able = Object.values(CURVES).flatMap(({ id, g2 }) => (g2 === undefined ? [] : [id]));
  return new PippinError('CURVE_MISMATCH', `expected a curve with G2 (${able.join(', ')}), got ${curve}`);
}

/**
 * lambda of the endomorphism (x, y) -> (beta x, y) of G1 that the kernels of a pairing use. On a BLS12 curve of
 * parameter x it is -x^2, with which the endomorphism also tells G1 from the whole curve; on a Barreto-Naehrig curve
 * 36 x^3 + 18 x^2 + 6 x + 1, a cube root of unity modulo r. The numbers a + b lambda with a and b from 0 to 2^64 - 1
 * are different modulo r: a point's multiple by such a number of 128 random bits takes 64 doublings. undefined
 * without a pairing.
 */
export function pairingLambda({ fr, pairing }: CurveParameters): bigint | undefined {
  if (pairing === undefined) return undefined;
  const { family, parameter: x } = pairing;
  return mod(family === 'bls12' ? -x * x : ((36n * x + 18n) * x + 6n) * x + 1n, fr.modulus);
}
