import { describe, expect, it } from 'vitest';
import {
  type AffinePoint,
  addAffine,
  isOnCurve,
  multiplyAffine,
  negateAffine,
  sumAffine,
} from '../support/curve-reference.js';
import { pointOfOrderTwo } from '../support/points.js';
import { Random } from '../support/random.js';
import { ALL_CURVES } from '../support/registry.js';

describe.each(ALL_CURVES)('the reference of the group law on $id', (curve) => {
  const { generator } = curve.g1;
  const multiples = (point: NonNullable<AffinePoint>, count: number): AffinePoint[] => {
    const found: AffinePoint[] = [undefined];
    while (found.length <= count) found.push(addAffine(curve, found.at(-1), point));
    return found;
  };

  it('multiplies as it adds', () => {
    for (const [k, expected] of multiples(generator, 20).entries()) {
      expect(isOnCurve(curve, expected)).toBe(true);
      expect(multiplyAffine(curve, generator, BigInt(k))).toEqual(expected);
      expect(multiplyAffine(curve, undefined, BigInt(k))).toBeUndefined();
    }
    let [expected, base, rest]: [AffinePoint, AffinePoint, bigint] = [
      undefined,
      generator,
      new Random(3).below(curve.fr.modulus),
    ];
    const scalar = rest;
    for (; rest > 0n; rest >>= 1n) {
      if (rest & 1n) expected = addAffine(curve, expected, base);
      base = addAffine(curve, base, base);
    }
    expect(multiplyAffine(curve, generator, scalar)).toEqual(expected);
    expect(multiplyAffine(curve, generator, curve.fr.modulus)).toBeUndefined();
  });

  it('sums as it adds, with infinite, equal and opposite points, and such of order 2', () => {
    const [, p, q] = multiples(generator, 2) as NonNullable<AffinePoint>[];
    const minusP = negateAffine(curve, p!);
    const two = curve.edwards === undefined ? [] : [pointOfOrderTwo(curve), p!, pointOfOrderTwo(curve)];
    for (const points of [[], [p], [undefined, q], [p, p], [p, minusP, q], [p, q, p, minusP], two, two.slice(2)]) {
      expect(sumAffine(curve, points)).toEqual(points.reduce((sum, point) => addAffine(curve, sum, point), undefined));
    }
    for (const [k, expected] of two.length === 0 ? [] : multiples(two[0]!, 3).entries()) {
      expect(multiplyAffine(curve, two[0], BigInt(k))).toEqual(expected);
    }
  });
});
