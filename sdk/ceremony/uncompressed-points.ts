import { bytesToBigint } from '../base/bytes.js';
import { PippinError } from '../base/errors.js';
import type { Curve, GroupId } from '../curves/index.js';
import { reverseCoordinates } from '../curves/point-bytes.js';
import type { ByteSource } from '../files/byte-source.js';
import { expectOnCurve } from '../files/snarkjs/curve-equation.js';

/** A bit of the first byte of a point in the uncompressed form: it is infinite, whatever its other bits are. */
const INFINITE = 0x40;

/**
 * Points of a source in the uncompressed form of ceremonies, which is canonical and big-endian, c1 before c0, as a
 * source in the boundary form. snarkjs writes infinity as zeros, bellman with a bit. Whole points are read.
 */
export function fromUncompressed(source: ByteSource, pointSize: number): ByteSource {
  return {
    size: source.size,
    async read(offset, length) {
      const points = await source.read(offset, length);
      for (let at = 0; at < length; at += pointSize) {
        if (points[at]! & INFINITE) points.fill(0, at, at + pointSize);
      }
      reverseCoordinates(points, pointSize);
      return points;
    },
  };
}

/** A point of the boundary form from the uncompressed form. `INVALID_POINT` unless it is finite and on its curve. */
export function readUncompressed(bytes: Uint8Array, curve: Curve, group: GroupId, name: string): Uint8Array {
  const { coordinateBytes, fq } = curve;
  const point = bytes.slice();
  reverseCoordinates(point, point.length);
  if (point.every((byte) => byte === 0)) {
    throw new PippinError('INVALID_POINT', `expected ${name} as a finite point, got infinity`);
  }
  for (let at = 0; at < point.length; at += coordinateBytes) {
    const value = bytesToBigint(point, at, coordinateBytes);
    if (value >= fq.modulus) {
      throw new PippinError('INVALID_POINT', `expected a coordinate of ${name} below p, got ${value}`);
    }
  }
  expectOnCurve(curve, group, point, name);
  return point;
}
