import type { CurveParameters, G2Parameters } from '../../../sdk/curves/index.js';

/** What the WGSL of a curve's coordinate field depends on. */
export type WgslCurve = Pick<CurveParameters, 'id' | 'fq'> & {
  readonly g1: Pick<CurveParameters['g1'], 'a'>;
  readonly wgslLimbsPerTurn: number;
  readonly edwards?: true;
  readonly g2?: Pick<G2Parameters, 'nonResidue'>;
};

/** Whether there are kernels for the curve on the GPU. */
export function isWgslCurve<Curve extends CurveParameters>(curve: Curve): curve is Curve & WgslCurve {
  return curve.wgslLimbsPerTurn !== undefined;
}
