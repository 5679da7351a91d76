import { type PointForm, pointForm, preparedCoordinates } from '../../../bases/prepared.js';
import { CURVES, type CurveId, type GroupId, withoutG2 } from '../../../curves/index.js';
import { packedWords, wgslLimbs } from '../../../curves/limbs.js';

/** How a group's points are stored in GPU buffers. A coordinate is an element of F_p or, in G2, two such elements. */
export interface PointLayout {
  readonly form: PointForm;
  /** F_p elements per coordinate: the degree of the coordinate field. */
  readonly degree: 1 | 2;
  /** Limbs of an F_p element in a kernel's registers. */
  readonly limbs: number;
  /** 32-bit words of a packed F_p element. */
  readonly words: number;
  /** F_p elements per base. */
  readonly baseCoordinates: number;
  readonly baseBytes: number;
  /** Bytes of an accumulator: four coordinates in either form. */
  readonly sumBytes: number;
}

/** `CURVE_MISMATCH` for G2 of a curve without it. */
export function pointLayout(curve: CurveId, group: GroupId): PointLayout {
  if (group === 'g2' && CURVES[curve].g2 === undefined) throw withoutG2(curve);
  return layoutOf(CURVES[curve].fq.bits, pointForm(curve, group), group);
}

/** The layout of points in a form, over a field of `bits` bits. */
export function layoutOf(bits: number, form: PointForm, group: GroupId = 'g1'): PointLayout {
  const words = packedWords(bits);
  const baseCoordinates = preparedCoordinates(form, group);
  const degree = group === 'g2' ? 2 : 1;
  return {
    form,
    degree,
    limbs: wgslLimbs(bits),
    words,
    baseCoordinates,
    baseBytes: 4 * words * baseCoordinates,
    sumBytes: 4 * words * 4 * degree,
  };
}
