import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Prover } from '../../../sdk/api.js';
import { encodePoint } from '../../../sdk/field/point-bytes.js';
import { negateAffine } from '../../support/curve-reference.js';
import { inPlaceProver } from '../../support/in-place-prover.js';
import { dot, encodePoints, encodeScalars, multipleOf, progression } from '../../support/points.js';
import { ALL_CURVES } from '../../support/registry.js';
import { adversarialScalars } from '../../support/scalars.js';

describe.each(ALL_CURVES)('a prover on the workers multiplies on $id', (curve) => {
  let prover: Prover;
  beforeAll(async () => {
    prover = await inPlaceProver({ backend: 'wasm', threads: 2 });
  });
  afterAll(() => prover.dispose());

  it('for adversarial scalars', async () => {
    const { points, factors } = progression(curve, 150, 11n ** 50n, 13n ** 40n);
    // A neutral element, a repeated point and an opposite one.
    [points[3], factors[3]] = [undefined, 0n];
    [points[20], factors[20]] = [points[21], factors[21]!];
    [points[22], factors[22]] = [negateAffine(curve, points[21]!), curve.fr.modulus - factors[21]!];
    const bases = await prover.loadBases({ curve: curve.id, points: encodePoints(curve, points) });
    for (const [name, scalars] of Object.entries(adversarialScalars(150, curve.fr.modulus))) {
      const { x, y, infinity, bytes } = await prover.msm(bases, encodeScalars(scalars));
      const expected = multipleOf(curve, dot(factors, scalars));
      const [nx, ny] = [0n, curve.boundary === 'edwards' ? 1n : 0n];
      expect({ name, x, y, infinity }).toEqual({
        name,
        x: expected?.[0] ?? nx,
        y: expected?.[1] ?? ny,
        infinity: expected === undefined,
      });
      expect(bytes).toEqual(encodePoint(curve.id, 'g1', expected));
    }
    await bases.dispose();
  });
});
