import { toMontgomery } from '../../sdk/ceremony/contributions.js';
import { CURVES, type CurveId, type GroupId, pointBytes } from '../../sdk/curves/index.js';
import { type CoordinateValue, decodePoint, encodePoint } from '../../sdk/curves/point-bytes.js';
import { montgomeryReader } from '../../sdk/files/snarkjs/zkey-header.js';
import { nobleCurve, nobleG2 } from '../support/noble-curves.js';

// biome-ignore lint/suspicious/noExplicitAny: noble's points of both groups differ by their coordinates' type alone.
type NoblePoint = any;

function pointsOf(curve: CurveId, group: GroupId): NoblePoint {
  return group === 'g1' ? nobleCurve(curve).G1.Point : nobleG2(curve).Point;
}

/** Points of a .zkey, one after another, each with `change` applied; what is no point stays. */
export function mapPoints(
  curve: CurveId,
  group: GroupId,
  bytes: Uint8Array,
  change: (point: NoblePoint, index: number) => NoblePoint,
): Uint8Array {
  const size = pointBytes(curve, group);
  const changed = bytes.slice();
  for (let at = 0; at + size <= bytes.length; at += size) {
    const point = read(curve, group, bytes.subarray(at, at + size));
    if (point !== undefined) changed.set(write(curve, group, change(point, at / size)), at);
  }
  return changed;
}

/** Each point times a scalar from 1 to r - 1. */
export const timesPoints = (curve: CurveId, group: GroupId, bytes: Uint8Array, scalar: bigint): Uint8Array =>
  mapPoints(curve, group, bytes, (point) => point.multiplyUnsafe(scalar));

export const generatorOf = (curve: CurveId, group: GroupId): NoblePoint => pointsOf(curve, group).BASE;

function read(curve: CurveId, group: GroupId, written: Uint8Array): NoblePoint | undefined {
  const Point = pointsOf(curve, group);
  try {
    const { x, y, infinity } = decodePoint(curve, group, montgomeryReader(CURVES[curve])(written, 'a point'));
    if (infinity) return Point.ZERO;
    const point = Point.fromAffine({ x: coordinate(x), y: coordinate(y) });
    point.assertValidity();
    return point;
  } catch {
    return undefined;
  }
}

function write(curve: CurveId, group: GroupId, point: NoblePoint): Uint8Array {
  if (point.is0()) return new Uint8Array(pointBytes(curve, group));
  const { x, y } = point.toAffine();
  return toMontgomery(CURVES[curve], encodePoint(curve, group, [value(x), value(y)]));
}

const coordinate = (given: CoordinateValue) => (typeof given === 'bigint' ? given : { c0: given[0], c1: given[1] });

const value = (given: bigint | { readonly c0: bigint; readonly c1: bigint }): CoordinateValue =>
  typeof given === 'bigint' ? given : [given.c0, given.c1];
