import type { Curve, GroupId } from '../../sdk/curves/index.js';
import { mod, power } from '../../sdk/field/modular.js';
import type { CoordinateValue } from '../../sdk/field/point-bytes.js';
import { multiplyAffine } from './curve-reference.js';
import { nobleCurve } from './noble-curves.js';

/** An affine point on a curve with a pairing, or on its twist, that is not in the subgroup of order r. Throws for a G1 of cofactor 1. */
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
  const { Fp2 } = nobleCurve(id).fields;
  const b = Fp2.fromBigTuple([...g2!.b]);
  for (let i = 1n; ; i++) {
    const x = Fp2.fromBigTuple([i, 1n]);
    const square = Fp2.add(Fp2.mul(Fp2.sqr(x), x), b);
    if (!Fp2.eql(Fp2.pow(square, (Fp2.ORDER - 1n) / 2n), Fp2.ONE)) continue;
    const y = Fp2.sqrt(square);
    return [
      [x.c0, x.c1],
      [y.c0, y.c1],
    ];
  }
}
