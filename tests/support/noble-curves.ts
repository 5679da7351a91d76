import { bn254 } from '@noble/curves/bn254.js';
import type { CurveId } from '../../sdk/curves/index.js';

/** The curves of @noble/curves that have a pairing, by our ids. */
const NOBLE_CURVES = { bn254 };

export type NobleCurve = (typeof NOBLE_CURVES)[keyof typeof NOBLE_CURVES];

export function nobleCurve(id: CurveId): NobleCurve {
  const found: NobleCurve | undefined = (NOBLE_CURVES as Partial<Record<CurveId, NobleCurve>>)[id];
  if (found === undefined) throw new Error(`expected a curve of @noble/curves with a pairing, got ${id}`);
  return found;
}
