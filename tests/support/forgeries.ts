import fc from 'fast-check';
import { CURVES, type CurveId } from '../../sdk/curves/index.js';
import { mod } from '../../sdk/curves/modular.js';
import { nobleCurve } from './noble-curves.js';

/** One change of a proof's points and scalars: the member, the kind of change, and what it takes. */
export interface Forgery {
  readonly member: number;
  readonly kind: number;
  readonly other: number;
  readonly number: bigint;
}

/** One to three changes. */
export const forgeries: fc.Arbitrary<Forgery[]> = fc.array(
  fc.record({
    member: fc.nat(1000),
    kind: fc.nat(1000),
    other: fc.nat(1000),
    number: fc.oneof(fc.bigInt(0n, 3n), fc.bigInt(0n, (1n << 256n) - 1n)),
  }),
  { minLength: 1, maxLength: 3 },
);

type Point = readonly string[];

/** The members of a proof, points of G1 and scalars in snarkjs' decimals, with the changes. */
export function forged(
  curve: CurveId,
  members: Readonly<Record<string, Point | string>>,
  changes: readonly Forgery[],
): Record<string, Point | string> {
  const copy = { ...members };
  const points = Object.keys(copy).filter((name) => typeof copy[name] !== 'string');
  const scalars = Object.keys(copy).filter((name) => typeof copy[name] === 'string');
  for (const { member, kind, other, number } of changes) {
    const name = [...points, ...scalars][member % (points.length + scalars.length)]!;
    if (points.includes(name)) {
      copy[name] = otherPoint(curve, copy[name] as Point, copy[points[other % points.length]!] as Point, kind, number);
    } else {
      copy[name] = otherScalar(
        curve,
        copy[name] as string,
        copy[scalars[other % scalars.length]!] as string,
        kind,
        number,
      );
    }
  }
  return copy;
}

function otherPoint(curve: CurveId, point: Point, other: Point, kind: number, number: bigint): Point {
  const { Point: Group } = nobleCurve(curve).G1;
  const parsed = (given: Point) =>
    given[2] === '0' ? Group.ZERO : Group.fromAffine({ x: BigInt(given[0]!), y: BigInt(given[1]!) });
  const written = (value: ReturnType<typeof parsed>): Point => {
    if (value.is0()) return ['0', '1', '0'];
    const { x, y } = value.toAffine();
    return [String(x), String(y), '1'];
  };
  const multiple = () => Group.BASE.multiplyUnsafe(mod(number, CURVES[curve].fr.modulus));
  switch (kind % 9) {
    case 0:
      return other;
    case 1:
      return ['0', '1', '0'];
    case 2:
      return ['0', '0', '1'];
    case 3:
      return [String((BigInt(point[0]!) + 1n) % CURVES[curve].fq.modulus), point[1]!, '1'];
    case 4:
      return [point[0]!, point[1]!];
    case 5:
      return isOnCurve(curve, point) ? written(parsed(point).negate()) : other;
    case 6:
      return isOnCurve(curve, point) ? written(parsed(point).add(multiple())) : other;
    case 7:
      return isOnCurve(curve, point) && isOnCurve(curve, other) ? written(parsed(point).add(parsed(other))) : other;
    default:
      return written(multiple());
  }
}

function isOnCurve(curve: CurveId, [x, y, z]: Point): boolean {
  const { fq, g1 } = CURVES[curve];
  return z === '0' || mod(BigInt(y!) ** 2n - BigInt(x!) ** 3n - g1.b, fq.modulus) === 0n;
}

function otherScalar(curve: CurveId, scalar: string, other: string, kind: number, number: bigint): string {
  const r = CURVES[curve].fr.modulus;
  switch (kind % 6) {
    case 0:
      return other;
    case 1:
      return String(BigInt(scalar) + r);
    case 2:
      return String(mod(-BigInt(scalar), r));
    case 3:
      return String(mod(BigInt(scalar) + number, r));
    case 4:
      return String(mod(BigInt(scalar) + BigInt(other), r));
    default:
      return String(mod(number, r));
  }
}
