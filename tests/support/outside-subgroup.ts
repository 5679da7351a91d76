import { Field } from '@noble/curves/abstract/modular.js';
import type { Curve, GroupId } from '../../sdk/curves/index.js';
import { mod, power } from '../../sdk/curves/modular.js';
import { type CoordinateValue, encodePoint } from '../../sdk/curves/point-bytes.js';
import { type AffinePoint, addAffine, multiplyAffine } from './curve-reference.js';
import { nobleG2 } from './noble-curves.js';
import { pointOfEvenOrder, pointOfOrderTwo } from './points.js';

/**
 * An affine point on a curve with a pairing, or on its twist, that is not in the subgroup of order r. Throws for a G1
 * of cofactor 1.
 */
export function outsideSubgroup(curve: Curve, group: GroupId): readonly [x: CoordinateValue, y: CoordinateValue] {
  return group === 'g1' ? outsideG1(curve) : outsideG2(curve);
}

/** Every curve with a pairing here has p = 3 mod 4, so y = s^((p + 1) / 4) is a square root of a square s. */
function outsideG1(curve: Curve): readonly [bigint, bigint] {
  const { modulus: p } = curve.fq;
  const { b, cofactor } = curve.g1;
  if (cofactor === 1n) throw new Error(`expected a G1 with a cofactor above 1, got ${curve.id}`);
  for (let x = 1n; ; x++) {
    const y = power(mod(x ** 3n + b, p), (p + 1n) / 4n, p);
    if (mod(y * y - x ** 3n - b, p) === 0n && multiplyAffine(curve, [x, y], curve.fr.modulus) !== undefined)
      return [x, y];
  }
}

function outsideG2({ id, g2 }: Curve): readonly [CoordinateValue, CoordinateValue] {
  const { Fp2 } = nobleG2(id);
  const [c0, c1] = g2!.b;
  const b = Fp2.create({ c0, c1 });
  for (let i = 1n; ; i++) {
    const x = Fp2.create({ c0: i, c1: 1n });
    const square = Fp2.add(Fp2.mul(Fp2.sqr(x), x), b);
    if (!Fp2.eql(Fp2.pow(square, (Fp2.ORDER - 1n) / 2n), Fp2.ONE)) continue;
    const y = Fp2.sqrt(square);
    return [
      [x.c0, x.c1],
      [y.c0, y.c1],
    ];
  }
}

/**
 * Points outside of the subgroup of order r in boundary bytes, by what they are: of an order that divides the cofactor,
 * and points of the subgroup moved by such a point. The group must have a cofactor above 1.
 */
export function pointsOutside(curve: Curve, group: GroupId): Readonly<Record<string, Uint8Array>> {
  return group === 'g1' ? pointsOutsideG1(curve) : pointsOutsideG2(curve);
}

function pointsOutsideG1(curve: Curve): Record<string, Uint8Array> {
  const { id, fr, g1, edwards } = curve;
  const bytes = (point: AffinePoint): Uint8Array => encodePoint(id, 'g1', point);
  const small =
    curve.boundary === 'edwards' ? pointOfEvenOrder(curve) : multiplyAffine(curve, anyG1(curve), fr.modulus);
  const outside = {
    'of an order that divides the cofactor': bytes(small),
    'a member and such a point': bytes(addAffine(curve, small, g1.generator)),
  };
  if (edwards === undefined) return outside;
  return {
    ...outside,
    'of order 2': bytes(pointOfOrderTwo(curve)),
    'a member and a point of order 2': bytes(addAffine(curve, pointOfOrderTwo(curve), g1.generator)),
    'of an order that is a power of 2': bytes(pointOfEvenOrder(curve)),
  };
}

/** A point of the curve whose multiple by r is not infinity. */
function anyG1(curve: Curve): readonly [bigint, bigint] {
  const field = Field(curve.fq.modulus);
  for (let x = 1n; ; x++) {
    const square = field.add(field.pow(x, 3n), curve.g1.b);
    if (field.pow(square, (field.ORDER - 1n) / 2n) !== 1n) continue;
    const point = [x, field.sqrt(square)] as const;
    if (multiplyAffine(curve, point, curve.fr.modulus) !== undefined) return point;
  }
}

function pointsOutsideG2(curve: Curve): Record<string, Uint8Array> {
  const { id, fr } = curve;
  const { Point } = nobleG2(id);
  const [[x0, x1], [y0, y1]] = outsideG2(curve) as [[bigint, bigint], [bigint, bigint]];
  const point = Point.fromAffine({ x: { c0: x0, c1: x1 }, y: { c0: y0, c1: y1 } });
  const small = point.multiplyUnsafe(fr.modulus - 1n).add(point);
  const bytes = (value: typeof point): Uint8Array => {
    const { x, y } = value.toAffine();
    return encodePoint(id, 'g2', [
      [x.c0, x.c1],
      [y.c0, y.c1],
    ]);
  };
  return {
    'of an order that divides the cofactor': bytes(small),
    'a member and such a point': bytes(small.add(Point.BASE)),
    'of another order': bytes(point),
  };
}
