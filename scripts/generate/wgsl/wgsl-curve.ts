import type { CurveParameters, EdwardsParameters } from '../../../sdk/curves/index.js';

/** What the WGSL of a curve's coordinate field depends on. */
export type WgslCurve = Pick<CurveParameters, 'id' | 'fq' | 'wgslLimbsPerTurn'> & {
  readonly edwards?: Pick<EdwardsParameters, 'd'>;
  readonly g2?: unknown;
};
