import { normalizeZ, pippenger } from '@noble/curves/abstract/curve.js';
import { edwards } from '@noble/curves/abstract/edwards.js';
import { Field } from '@noble/curves/abstract/modular.js';
import { weierstrass } from '@noble/curves/abstract/weierstrass.js';
import type { MsmPoint } from '../../sdk/api/index.js';
import { joinBytes } from '../../sdk/base/bytes.js';
import { type Curve, type CurveId, EDWARDS_FORMS, type GroupId, pointBytes } from '../../sdk/curves/index.js';
import { type CoordinateValue, encodePoint } from '../../sdk/curves/point-bytes.js';
import { nobleCurve, nobleG2 } from './noble-curves.js';
import { ALL_CURVES, CURVES_WITH_PAIRING } from './registry.js';

/** A group of @noble/curves. Its points are given in boundary form. */
export interface NobleGroup {
  readonly curve: CurveId;
  readonly group: GroupId;
  readonly order: bigint;
  /** log * G. */
  multiple(log: bigint): Uint8Array;
  /** logs[i] G, one after the other. */
  multiples(logs: readonly bigint[]): Uint8Array;
  /** sum scalars[i] logs[i] G by noble's own bucket method. */
  sumOf(logs: readonly bigint[], scalars: readonly bigint[]): Uint8Array;
  /** log G, 2 log G, ..., count log G, one after the other. None of them may be infinity. */
  line(log: bigint, count: number): Uint8Array;
  /** Whether the affine point is log * G. Unlike `multiple` it keeps nothing, and computes no inverse. */
  isMultiple(point: MsmPoint, log: bigint): boolean;
}

// biome-ignore lint/suspicious/noExplicitAny: noble's point constructors differ by their coordinates' type alone.
function nobleGroup(curve: CurveId, group: GroupId, order: bigint, Point: any): NobleGroup {
  type NoblePoint = ReturnType<typeof Point.fromAffine>;
  const coordinate = (value: bigint | { c0: bigint; c1: bigint }): CoordinateValue =>
    typeof value === 'bigint' ? value : [value.c0, value.c1];
  const bytesOf = (point: NoblePoint): Uint8Array => {
    if (point.is0()) return encodePoint(curve, group, undefined);
    const { x, y } = point.toAffine();
    return encodePoint(curve, group, [coordinate(x), coordinate(y)]);
  };
  const known = new Map<bigint, NoblePoint>();
  const at = (log: bigint): NoblePoint => {
    const reduced = log % order;
    let point = known.get(reduced);
    if (point === undefined) {
      point = reduced === 0n ? Point.ZERO : Point.fromAffine(Point.BASE.multiplyUnsafe(reduced).toAffine());
      known.set(reduced, point);
    }
    return point;
  };
  return {
    curve,
    group,
    order,
    multiple: (log) => bytesOf(at(log)),
    multiples: (logs) => {
      const size = pointBytes(curve, group);
      const bytes = new Uint8Array(logs.length * size);
      for (const [i, log] of logs.entries()) bytes.set(bytesOf(at(log)), i * size);
      return bytes;
    },
    sumOf: (logs, scalars) => bytesOf(pippenger(Point, logs.map(at), [...scalars])),
    line: (log, count) => {
      const step = Point.BASE.multiplyUnsafe(log);
      const points: NoblePoint[] = [step];
      while (points.length < count) points.push(points.at(-1)!.add(step));
      return joinBytes(normalizeZ(Point, points).map(bytesOf));
    },
    isMultiple: ({ x, y, infinity }, log) => {
      const reduced = log % order;
      if (infinity || reduced === 0n) return infinity && reduced === 0n;
      const expected = Point.BASE.multiplyUnsafe(reduced);
      return expected.equals(Point.fromAffine({ x: nobleCoordinate(x), y: nobleCoordinate(y) }));
    },
  };
}

function nobleCoordinate(value: CoordinateValue): bigint | { c0: bigint; c1: bigint } {
  return typeof value === 'bigint' ? value : { c0: value[0], c1: value[1] };
}

/** A curve's G1 by the generic arithmetic of @noble/curves, for curves that it does not have itself. */
const weierstrassPoint = ({ fq, fr, g1 }: Curve) =>
  weierstrass(
    {
      p: fq.modulus,
      n: fr.modulus,
      h: g1.cofactor,
      a: g1.a,
      b: g1.b,
      Gx: g1.generator[0],
      Gy: g1.generator[1],
    },
    { Fp: Field(fq.modulus) },
  );

/** A curve's group in Edwards form, by the same generic arithmetic. */
const edwardsPoint = ({ id, fq, fr, g1 }: Curve) =>
  edwards({
    p: fq.modulus,
    n: fr.modulus,
    h: g1.cofactor,
    a: fq.modulus - 1n,
    d: EDWARDS_FORMS[id]!.d,
    Gx: g1.generator[0],
    Gy: g1.generator[1],
  });

/** All groups in which tests compare multiplications with @noble/curves. */
export const NOBLE_GROUPS = [
  ...CURVES_WITH_PAIRING.flatMap((curve) => [
    nobleGroup(curve.id, 'g1', curve.fr.modulus, nobleCurve(curve.id).G1.Point),
    nobleGroup(curve.id, 'g2', curve.fr.modulus, nobleG2(curve.id).Point),
  ]),
  ...ALL_CURVES.filter(({ pairing }) => pairing === undefined).flatMap((curve) => [
    nobleGroup(
      curve.id,
      'g1',
      curve.fr.modulus,
      curve.boundary === 'edwards' ? edwardsPoint(curve) : weierstrassPoint(curve),
    ),
    ...(curve.g2 === undefined ? [] : [nobleGroup(curve.id, 'g2', curve.fr.modulus, nobleG2(curve.id).Point)]),
  ]),
];
