import { CURVES, type CurveId } from '../../curves/index.js';
import { packedWords, wgslLimbs } from '../../field/limbs.js';
import { type PointForm, pointForm, preparedCoordinates } from '../../msm/prepared.js';

/** How a curve's points lie in GPU buffers. */
export interface PointLayout {
  /** Limbs of a coordinate in a kernel's registers. */
  readonly limbs: number;
  /** 32-bit words of a packed coordinate. */
  readonly words: number;
  readonly baseCoordinates: number;
  readonly baseBytes: number;
  /** Bytes of a sum: four coordinates on either form. */
  readonly sumBytes: number;
}

export function pointLayout(curve: CurveId): PointLayout {
  return layoutOf(CURVES[curve].fq.bits, pointForm(curve));
}

/** The layout of points of a form, with coordinates of `bits` bits. */
export function layoutOf(bits: number, form: PointForm): PointLayout {
  const words = packedWords(bits);
  const baseCoordinates = preparedCoordinates(form, 'g1');
  return {
    limbs: wgslLimbs(bits),
    words,
    baseCoordinates,
    baseBytes: 4 * words * baseCoordinates,
    sumBytes: 4 * words * 4,
  };
}
