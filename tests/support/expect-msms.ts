import { expect } from 'vitest';
import type { Prover } from '../../sdk/api/index.js';
import type { Curve } from '../../sdk/curves/index.js';
import { encodePoint } from '../../sdk/curves/point-bytes.js';
import { dot, encodePoints, encodeScalars, multipleOf, progression } from './points.js';
import { adversarialScalars } from './scalars.js';

/** Points with an infinity among them, so that some scalars are left out, and what their sums must be. */
export function operands(curve: Curve, count: number) {
  const { points, factors } = progression(curve, count, 11n ** 50n, 13n ** 40n);
  points[3] = undefined;
  factors[3] = 0n;
  const expected = (scalars: readonly bigint[]) =>
    encodePoint(curve.id, 'g1', multipleOf(curve, dot(factors, scalars)));
  return { bytes: encodePoints(curve, points), expected };
}

/** Expects the right sums over so many points for each kind of scalars, alone and as a batch, from these executors. */
export async function expectMsms(
  prover: Prover,
  curve: Curve,
  count: number,
  executors: readonly string[],
): Promise<void> {
  const { bytes, expected } = operands(curve, count);
  const bases = await prover.loadBases({ curve: curve.id, points: bytes });
  const kinds = Object.values(adversarialScalars(count, curve.fr.modulus));
  for (const [i, scalars] of kinds.entries()) {
    const result = await prover.msm(bases, encodeScalars(scalars));
    expect(result.bytes).toEqual(expected(scalars));
    // In later sums one that has shown to be slow may have no share.
    if (i === 0) expect(result.report.executors.msm).toEqual(executors);
  }
  const batch = await prover.msmBatch(bases, encodeScalars(kinds.flat()), { batchSize: kinds.length });
  expect(batch.points.map((point) => point.bytes)).toEqual(kinds.map(expected));
  await bases.dispose();
}
