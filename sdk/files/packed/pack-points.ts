import { equalBytes, newBytes } from '../../base/bytes.js';
import { type Curve, type GroupId, pointBytes } from '../../curves/index.js';
import { type ByteSource, SLICE_BYTES } from '../byte-source.js';
import { infinityBytes } from './infinities.js';
import { GROUPS } from './points.js';

/** The sign of y is the highest bit of x, which no modulus of a curve with proving keys has. */
const SIGN = 0x80;

/** A packed vector of points, and which of its points are at infinity. */
export interface PackedPoints {
  readonly parts: Uint8Array[];
  readonly parameters: [group: number, infinitiesOf: number];
  readonly bits: Uint8Array;
}

/**
 * The finite points of a vector, with x and a sign or as they are; undefined for bytes that are no whole number of
 * points, or have a coordinate of more bits than the curve's.
 *
 * @param others the infinities of vectors that stand before this one, by the numbers of their sections.
 */
export async function packPoints(
  section: ByteSource,
  { id, group, curve, isCompressed }: PointsOptions,
  others: ReadonlyMap<number, Uint8Array>,
): Promise<PackedPoints | undefined> {
  const size = pointBytes(curve.id, group);
  const count = section.size / size;
  if (!Number.isInteger(count) || count === 0) return undefined;
  const bits = new Uint8Array(infinityBytes(count));
  const parts: Uint8Array[] = [];
  let index = 0;
  const pointsAtOnce = Math.floor(SLICE_BYTES / size);
  for (let from = 0; from < count; from += pointsAtOnce) {
    const points = await section.read(from * size, Math.min(pointsAtOnce, count - from) * size);
    const packed = newBytes(points.length);
    let to = 0;
    for (let at = 0; at < points.length; at += size, index++) {
      const point = points.subarray(at, at + size);
      if (isZero(point)) {
        bits[index >> 3]! |= 1 << (index & 7);
        continue;
      }
      const written = isCompressed ? compressed(point, curve.coordinateBytes) : point;
      if (written === undefined) return undefined;
      packed.set(written, to);
      to += written.length;
    }
    parts.push(packed.slice(0, to));
  }
  const hasInfinities = bits.some((byte) => byte !== 0);
  const same = [...others].find(([, other]) => equalBytes(other, bits));
  const infinitiesOf = hasInfinities ? (same?.[0] ?? id) : 0;
  return {
    parts: infinitiesOf === id ? [bits, ...parts] : parts,
    parameters: [GROUPS.indexOf(group) + 1, infinitiesOf],
    bits,
  };
}

export interface PointsOptions {
  readonly id: number;
  readonly group: GroupId;
  readonly curve: Curve;
  readonly isCompressed: boolean;
}

/** x with the sign of y: the lowest bit of its first coefficient that is not 0; undefined for an x without room. */
function compressed(point: Uint8Array, coordinateBytes: number): Uint8Array | undefined {
  const half = point.length / 2;
  const x = point.slice(0, half);
  const y = point.subarray(half);
  if ((x[half - 1]! & SIGN) !== 0) return undefined;
  const deciding = isZero(y.subarray(0, coordinateBytes)) ? y.length - coordinateBytes : 0;
  if ((y[deciding]! & 1) !== 0) x[half - 1]! |= SIGN;
  return x;
}

function isZero(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0);
}
