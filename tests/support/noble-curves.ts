import type { IField } from '@noble/curves/abstract/modular.js';
import { type WeierstrassPointCons, weierstrass } from '@noble/curves/abstract/weierstrass.js';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { bn254 } from '@noble/curves/bn254.js';
import { ALL_G2_GENERATORS } from '../../sdk/curves/g2-generators.js';
import { CURVES, type CurveId } from '../../sdk/curves/index.js';
import { type Fp2Element, QuadraticField } from './quadratic-field.js';

/** The curves of @noble/curves that have a pairing, by our ids. */
const NOBLE_CURVES = { bn254, 'bls12-381': bls12_381 };

export type NobleCurve = (typeof NOBLE_CURVES)[keyof typeof NOBLE_CURVES];

export function nobleCurve(id: CurveId): NobleCurve {
  const found: NobleCurve | undefined = (NOBLE_CURVES as Partial<Record<CurveId, NobleCurve>>)[id];
  if (found === undefined) throw new Error(`expected a curve of @noble/curves with a pairing, got ${id}`);
  return found;
}

/** G2 of a curve and its coordinate field. */
interface NobleG2 {
  readonly Point: WeierstrassPointCons<Fp2Element>;
  readonly Fp2: IField<Fp2Element>;
}

const known = new Map<CurveId, NobleG2>();

/** G2 of @noble/curves, or by its generic arithmetic for a curve that it does not have. */
export function nobleG2(id: CurveId): NobleG2 {
  const found = known.get(id) ?? (id in NOBLE_CURVES ? ownG2(id) : genericG2(id));
  known.set(id, found);
  return found;
}

function ownG2(id: CurveId): NobleG2 {
  const { G2, fields } = nobleCurve(id);
  return { Point: G2.Point, Fp2: fields.Fp2 };
}

function genericG2(id: CurveId): NobleG2 {
  const { fq, fr, g2 } = CURVES[id];
  const { nonResidue, b } = g2!;
  const Fp2 = new QuadraticField(fq.modulus, nonResidue);
  const element = ([c0, c1]: readonly [bigint, bigint]): Fp2Element => ({ c0, c1 });
  const [x, y] = ALL_G2_GENERATORS[id]!;
  // No test takes the cofactor from here.
  const curve = { p: Fp2.ORDER, n: fr.modulus, h: 1n, a: Fp2.ZERO, b: element(b), Gx: element(x), Gy: element(y) };
  return { Point: weierstrass(curve, { Fp: Fp2 }), Fp2 };
}
