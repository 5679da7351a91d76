import { CURVES, type CurveId, type GroupId } from '../../sdk/curves/index.js';
import { type CoordinateValue, decodePoint } from '../../sdk/curves/point-bytes.js';
import { nobleCurve } from '../support/noble-curves.js';
import { pointsOutside } from '../support/outside-subgroup.js';
import type { Random } from '../support/random.js';
import { pick } from './mutated-bytes.js';
import { otherText } from './verify-changes.js';
import {
  anyPlace,
  each,
  modulusOf,
  negatePoint,
  onNumber,
  onPoint,
  type Verification,
  valueAt,
} from './verify-places.js';

/** Changes of one point of a key or a proof. */

export function negated(random: Random, from: Verification): Verification {
  return onPoint(random, from, (point) => negatePoint(from, point));
}

export function swapped(random: Random, from: Verification): Verification {
  return onPoint(random, from, (point) => {
    const [x, y, ...rest] = point;
    if (Array.isArray(x) && random.integer(2) === 0) return [x.toReversed(), (y as unknown[]).toReversed(), ...rest];
    return [y, x, ...rest];
  });
}

export function atInfinity(random: Random, from: Verification): Verification {
  return onPoint(random, from, (_, { group }) =>
    group === 'g1'
      ? pick(random, [
          ['0', '1', '0'],
          ['0', '0'],
          ['0', '0', '1'],
          ['5', '7', '0'],
          ['0', '0', '0'],
        ])
      : pick(random, [
          [
            ['0', '0'],
            ['1', '0'],
            ['0', '0'],
          ],
          [
            ['0', '0'],
            ['0', '0'],
          ],
          [
            ['0', '0'],
            ['0', '0'],
            ['1', '0'],
          ],
          [
            ['5', '6'],
            ['7', '8'],
            ['0', '0'],
          ],
        ]),
  );
}

export function offCurve(random: Random, from: Verification): Verification {
  const p = modulusOf(from);
  return onPoint(random, from, (point) =>
    point.with(
      random.integer(2),
      each(point[0], (x) => (x + 1n) % p),
    ),
  );
}

const toJson = (value: CoordinateValue): unknown => (typeof value === 'bigint' ? String(value) : value.map(String));

/** The points outside of a group, in snarkjs' form. */
function outside(curve: CurveId, group: GroupId): unknown[][] {
  const key = `${curve}/${group}`;
  let points = outsideKnown.get(key);
  if (points === undefined) {
    const has = group === 'g2' || CURVES[curve].g1.cofactor !== 1n;
    points = Object.values(has ? pointsOutside(CURVES[curve], group) : {}).map((bytes) => {
      const { x, y } = decodePoint(curve, group, bytes);
      return [toJson(x), toJson(y), group === 'g1' ? '1' : ['1', '0']];
    });
    outsideKnown.set(key, points);
  }
  return points;
}
const outsideKnown = new Map<string, unknown[][]>();

export function offSubgroup(random: Random, from: Verification): Verification {
  return onPoint(random, from, (point, { group }) => {
    const points = outside(from.curve, group);
    return points.length === 0 ? point : pick(random, points);
  });
}

// biome-ignore lint/suspicious/noExplicitAny: noble's point constructors differ by their coordinates' type alone.
const nobleGroup = (curve: CurveId, group: GroupId): any =>
  group === 'g1' ? nobleCurve(curve).G1.Point : nobleCurve(curve).G2.Point;

// biome-ignore lint/suspicious/noExplicitAny: see above.
export function toNoble(curve: CurveId, group: GroupId, [x, y]: unknown[]): any {
  const value = (c: unknown): unknown =>
    Array.isArray(c) ? { c0: BigInt(c[0]), c1: BigInt(c[1]) } : BigInt(c as string);
  return nobleGroup(curve, group).fromAffine({ x: value(x), y: value(y) });
}

// biome-ignore lint/suspicious/noExplicitAny: see above.
export function fromNoble(group: GroupId, point: any): unknown[] {
  const { x, y } = point.toAffine();
  const value = (c: bigint | { c0: bigint; c1: bigint }): unknown =>
    typeof c === 'bigint' ? String(c) : [String(c.c0), String(c.c1)];
  return [value(x), value(y), group === 'g1' ? '1' : ['1', '0']];
}

/** A point plus one whose order divides the cofactor, which a pairing may not see. */
export function movedOffSubgroup(random: Random, from: Verification): Verification {
  const { curve } = from;
  return onPoint(random, from, (point, { group }) => {
    const [small] = outside(curve, group);
    if (small === undefined) return point;
    return fromNoble(group, toNoble(curve, group, point).add(toNoble(curve, group, small)));
  });
}

/** The same point in Jacobian coordinates (x z^2, y z^3, z), which snarkjs reads. */
export function projective(random: Random, from: Verification): Verification {
  const p = modulusOf(from);
  const z = BigInt(2 + random.integer(5));
  return onPoint(random, from, ([x, y]) => [
    each(x, (value) => (value * z * z) % p),
    each(y, (value) => (value * z * z * z) % p),
    Array.isArray(x) ? [String(z), '0'] : String(z),
  ]);
}

export function otherLength(random: Random, from: Verification): Verification {
  return onPoint(random, from, (point) => {
    const kind = random.integer(4);
    if (kind < 2) return point.slice(0, kind + 1);
    if (kind === 2) return [...point, point[0]];
    return point.map((coordinate) => (Array.isArray(coordinate) ? [...coordinate, '1'] : coordinate));
  });
}

export function ofAnother(random: Random, from: Verification, other: Verification): Verification {
  return onPoint(random, from, () => valueAt(other, anyPlace(random, other)));
}

export function plusModulus(random: Random, from: Verification): Verification {
  const p = modulusOf(from);
  return onNumber(random, from, (value) => String(BigInt(value as string) + p * BigInt(1 + random.integer(4))));
}

export function writtenOtherwise(random: Random, from: Verification): Verification {
  return onNumber(random, from, (value) => otherText(random, value));
}

export function neighbour(random: Random, from: Verification): Verification {
  return onNumber(random, from, (value) => String(BigInt(value as string) + 1n));
}
