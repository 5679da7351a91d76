import { bytesToBigint, writeBigint } from '../base/bytes.js';
import { CURVES, type CurveId, type GroupId, pointBytes } from './index.js';

/** A coordinate: an integer below p, or the two integers c0 and c1 of a coordinate c0 + c1 u in F_p^2. */
export type CoordinateValue = bigint | readonly [c0: bigint, c1: bigint];

/**
 * Reads an affine point of the boundary form: x then y, little-endian; the neutral element is all zero. On a curve
 * whose boundary form is an Edwards form, the bytes of (0, 1) are read as the neutral element, too, and (0, 1) is the
 * result in both cases.
 */
export function decodePoint(
  curve: CurveId,
  group: GroupId,
  bytes: Uint8Array,
): { x: CoordinateValue; y: CoordinateValue; infinity: boolean } {
  const size = CURVES[curve].coordinateBytes;
  const at = (i: number): bigint => bytesToBigint(bytes, i * size, size);
  const infinity = bytes.every((byte) => byte === 0);
  if (CURVES[curve].boundary === 'edwards') {
    const isNeutral = infinity || (at(0) === 0n && at(1) === 1n);
    return { x: at(0), y: isNeutral ? 1n : at(1), infinity: isNeutral };
  }
  if (group === 'g1') return { x: at(0), y: at(1), infinity };
  return { x: [at(0), at(1)], y: [at(2), at(3)], infinity };
}

/** The boundary form of an affine point; `undefined` is the neutral element. */
export function encodePoint(
  curve: CurveId,
  group: GroupId,
  point: readonly [x: CoordinateValue, y: CoordinateValue] | undefined,
): Uint8Array {
  const bytes = new Uint8Array(pointBytes(curve, group));
  const size = CURVES[curve].coordinateBytes;
  const coordinates = (point ?? []).flatMap((c) => (typeof c === 'bigint' ? [c] : [...c]));
  for (const [i, value] of coordinates.entries()) writeBigint(bytes, i * size, size, value);
  return bytes;
}

/** Makes little-endian points big-endian in place: of each x and y, over F_p^2 c1 before c0. And back. */
export function reverseCoordinates(points: Uint8Array, pointSize: number): void {
  const half = pointSize / 2;
  for (let at = 0; at < points.length; at += half) points.subarray(at, at + half).reverse();
}
