import { describe, expect, it } from 'vitest';
import { CURVES } from '../../../../sdk/curves/index.js';
import { type AffinePoint, addAffine, multiplyAffine } from '../../../support/curve-reference.js';
import {
  evaluateWindows,
  expectedSum,
  negate,
  packSum,
  randomPoints,
  unpackSum,
} from '../../../support/msm-reference.js';
import { Random } from '../../../support/random.js';

for (const curve of ['bn254', 'bls12-377'] as const) {
  describe(`the reference of ${curve}`, () => {
    const random = new Random(3);
    const { points, logs } = randomPoints(curve, 5, random);
    const { fq, fr } = CURVES[curve];

    it('knows the logarithms of its points', () => {
      const scalars = points.map(() => random.below(fr.modulus));
      let sum: AffinePoint;
      points.forEach((point, i) => {
        sum = addAffine(CURVES[curve], sum, multiplyAffine(CURVES[curve], point, scalars[i]!));
      });
      expect(expectedSum(curve, logs, scalars)).toEqual(sum);
      expect(addAffine(CURVES[curve], points[0], negate(curve, points[0]!))).toBeUndefined();
    });

    it('packs sums and reads them again', () => {
      for (const point of [...points, undefined]) {
        const z = 1n + random.below(fq.modulus - 1n);
        expect(unpackSum(curve, packSum(curve, point, z))).toEqual(point);
      }
    });

    it('puts windows together', () => {
      const sums = points.flatMap((point) => [...packSum(curve, point, 1n + random.below(fq.modulus - 1n))]);
      const weights = points.map((_, w) => 1n << BigInt(5 * w));
      const bytes = new Uint8Array(Uint32Array.from(sums).buffer);
      expect(evaluateWindows(curve, bytes, 5)).toEqual(expectedSum(curve, logs, weights));
    });
  });
}
