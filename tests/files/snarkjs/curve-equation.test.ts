import { bls12_381 } from '@noble/curves/bls12-381.js';
import { bn254 as noble } from '@noble/curves/bn254.js';
import { describe, expect, it } from 'vitest';
import { bigintToBytes, joinBytes } from '../../../sdk/base/bytes.js';
import { bn254 } from '../../../sdk/curves/index.js';
import { expectOnCurve } from '../../../sdk/files/snarkjs/curve-equation.js';
import { failureOf } from '../../support/section-bytes.js';

/** BLS12-381's equations: y^2 = x^3 + 4, and y^2 = x^3 + 4 (1 + u) for its twist. */
const bls12381 = {
  coordinateBytes: 48,
  fq: { name: 'bls12_381_fq', modulus: bls12_381.fields.Fp.ORDER, bits: 381 },
  g1: { ...bn254.g1, b: 4n },
  g2: { ...bn254.g2!, b: [4n, 4n] },
} as const;

describe.each([
  ['BN254', bn254, noble],
  ['BLS12-381', bls12381, bls12_381],
] as const)('expectOnCurve for %s', (_, curve, { G1, G2 }) => {
  const size = curve.coordinateBytes;
  const bytes = (...coordinates: bigint[]): Uint8Array =>
    joinBytes(coordinates.map((coordinate) => bigintToBytes(coordinate, size)));
  const g1 = (k: bigint): bigint[] => {
    const { x, y } = G1.Point.BASE.multiply(k).toAffine();
    return [x, y];
  };
  const g2 = (k: bigint): bigint[] => {
    const { x, y } = G2.Point.BASE.multiply(k).toAffine();
    return [x.c0, x.c1, y.c0, y.c1];
  };

  it('takes points of both groups, and infinity', () => {
    for (const k of [1n, 2n, 12345n]) {
      expectOnCurve(curve, 'g1', bytes(...g1(k)), 'P');
      expectOnCurve(curve, 'g2', bytes(...g2(k)), 'P');
    }
    expectOnCurve(curve, 'g1', new Uint8Array(2 * size), 'P');
    expectOnCurve(curve, 'g2', new Uint8Array(4 * size), 'P');
  });

  it('names a point of G2 for which one half of the equation holds alone', async () => {
    const [b0, b1] = curve.g2!.b;
    for (const b of [
      [b0 + 1n, b1],
      [b0, b1 + 1n],
    ] as const) {
      const other = { ...curve, g2: { ...curve.g2!, b } };
      expect((await failureOf(() => expectOnCurve(other, 'g2', bytes(...g2(7n)), 'P'))).code).toBe('INVALID_POINT');
    }
  });

  it.each([0, 1, 2, 3])('names a point whose coordinate %i was changed', async (i) => {
    for (const [group, point] of [
      ['g1', g1(7n)],
      ['g2', g2(7n)],
    ] as const) {
      if (i >= point.length) continue;
      const changed = bytes(...point.with(i, (point[i]! + 1n) % curve.fq.modulus));
      expect(await failureOf(() => expectOnCurve(curve, group, changed, 'beta2'))).toMatchObject({
        code: 'INVALID_POINT',
        message: expect.stringContaining('beta2'),
      });
    }
  });
});
