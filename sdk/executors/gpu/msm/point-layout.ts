import { type PointForm, pointForm, preparedCoordinates } from '../../../bases/prepared.js';
import { CURVES, type CurveId, type GroupId, withoutG2 } from '../../../curves/index.js';
import { packedWords, wgslLimbs } from '../../../curves/limbs.js';

/** How a group's points lie in GPU buffers. Their coordinates are numbers of F_p or, in G2, two such numbers each. */
export interface PointLayout {
  readonly form: PointForm;
  /** The numbers of F_p that make a coordinate: the degree of the coordinates' field. */
  readonly degree: 1 | 2;
  /** Limbs of a number in a kernel's registers. */
  readonly limbs: number;
  /** 32-bit words of a packed number. */
  readonly words: number;
  /** Numbers of a base. */
  readonly baseCoordinates: number;
  readonly baseBytes: number;
  /** Bytes of a sum: four coordinates on either form. */
  readonly sumBytes: number;
}

/** `CURVE_MISMATCH` for G2 of a curve without it. */
export function pointLayout(curve: CurveId, group: GroupId): PointLayout {
  if (group === 'g2' && CURVES[curve].g2 === undefined) throw withoutG2(curve);
  return layoutOf(CURVES[curve].fq.bits, pointForm(curve), group);
}

/** The layout of points of a form, with numbers of `bits` bits. */
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
