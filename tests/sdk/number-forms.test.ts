import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Prover } from '../../sdk/api/index.js';
import { bigintToBytes, bytesToBigint, joinBytes } from '../../sdk/base/bytes.js';
import { bn254, CURVES, type CurveId } from '../../sdk/curves/index.js';
import { encodePoint } from '../../sdk/curves/point-bytes.js';
import { addAffine } from '../support/curve-reference.js';
import { FaultyStore } from '../support/faulty-store.js';
import { inPlaceProver } from '../support/in-place-prover.js';
import { NOBLE_GROUPS } from '../support/noble-groups.js';
import { dot, encodePoints, encodeScalars, multipleOf, pointOfOrderTwo, progression } from '../support/points.js';
import { edgeValues, Random } from '../support/random.js';
import { CURVES_WITH_EDWARDS } from '../support/registry.js';

let prover: Prover;
beforeAll(async () => {
  prover = await inPlaceProver({ backend: 'wasm', threads: 2 });
});
afterAll(() => prover.dispose());

/** Points in boundary form, with the coordinates in Montgomery form. */
function montgomeryPoints(curve: CurveId, points: Uint8Array): Uint8Array {
  const { fq, coordinateBytes: size } = CURVES[curve];
  const count = points.length / size;
  return joinBytes(
    Array.from({ length: count }, (_, i) =>
      bigintToBytes((bytesToBigint(points, i * size, size) << BigInt(8 * size)) % fq.modulus, size),
    ),
  );
}

function montgomeryScalars(curve: CurveId, scalars: readonly bigint[]): Uint8Array {
  const { fr, scalarBytes } = CURVES[curve];
  return encodeScalars(
    scalars.map((scalar) => (scalar << BigInt(8 * scalarBytes)) % fr.modulus),
    curve,
  );
}

describe.each(NOBLE_GROUPS)('Montgomery form on $curve $group', ({ curve, group, order, multiples, sumOf }) => {
  const random = new Random(31);
  const scalars = [
    ...edgeValues(order),
    ...[(order - 1n) / 2n, (order + 1n) / 2n, 2n ** 64n, order - 2n ** 64n],
    ...Array.from({ length: 20 }, () => random.below(order)),
  ];
  const logs = scalars.map((_, i) => [1n, 0n, order - 1n, BigInt(i) + 5n][i % 4]!);

  it('gives the sums that canonical form gives', async () => {
    const [points, expected] = [multiples(logs), sumOf(logs, scalars)];
    const bases = await prover.loadBases({ curve, group, points });
    const same = await prover.loadBases({
      curve,
      group,
      points: montgomeryPoints(curve, points),
      pointsForm: 'montgomery',
    });
    for (const some of [bases, same]) {
      expect((await prover.msm(some, encodeScalars(scalars, curve))).bytes).toEqual(expected);
      const given = montgomeryScalars(curve, scalars);
      expect((await prover.msm(some, given, { scalarsForm: 'montgomery' })).bytes).toEqual(expected);
      expect(given).toEqual(montgomeryScalars(curve, scalars));
      const twice = await prover.msmBatch(some, joinBytes([given, given]), { batchSize: 2, scalarsForm: 'montgomery' });
      expect(twice.points.map(({ bytes }) => bytes)).toEqual([expected, expected]);
    }
  });

  it('refuses numbers that are not below the prime, and bounds the scalars themselves', async () => {
    const { fq, coordinateBytes: size } = CURVES[curve];
    const points = montgomeryPoints(curve, multiples([1n, 2n]));
    const bad = points.slice();
    const second = points.length / 2;
    bad.set(bigintToBytes(bytesToBigint(points, second, size) + fq.modulus, size), second);
    await expect(prover.loadBases({ curve, group, points: bad, pointsForm: 'montgomery' })).rejects.toMatchObject({
      code: 'INVALID_POINT',
      message: expect.stringContaining('point 1 '),
    });
    const bases = await prover.loadBases({ curve, group, points, pointsForm: 'montgomery' });
    const msm = (bytes: Uint8Array, bitSize: number) =>
      prover.msm(bases, bytes, { scalarsForm: 'montgomery', bitSize });
    await expect(msm(encodeScalars([0n, order], curve), 64)).rejects.toMatchObject({
      code: 'INVALID_SCALAR',
      message: expect.stringContaining('scalar 1 '),
    });
    const short = [255n, 3n];
    expect((await msm(montgomeryScalars(curve, short), 8)).bytes).toEqual(sumOf([1n, 2n], short));
    await expect(msm(montgomeryScalars(curve, [255n, 256n]), 8)).rejects.toMatchObject({ code: 'INVALID_SCALAR' });
  });
});

describe.each(CURVES_WITH_EDWARDS)('Montgomery form of special points on $id', (curve) => {
  it('is known, also of points from the cache', async () => {
    const store = new FaultyStore();
    const { points, factors } = progression(curve, 3, 3n, 1n);
    const { id, boundary, coordinateBytes: size } = curve;
    const neutral =
      boundary === 'edwards' ? joinBytes([bigintToBytes(0n, size), bigintToBytes(1n, size)]) : new Uint8Array(2 * size);
    const two = pointOfOrderTwo(curve);
    const bytes = joinBytes([encodePoints(curve, points), neutral, encodePoint(id, 'g1', two)]);
    const scalars = [5n, 6n, 7n, 8n, 9n];
    const expected = addAffine(curve, multipleOf(curve, dot(factors, scalars.slice(0, 3))), two);
    for (const cached of [false, true]) {
      const some = await inPlaceProver({ backend: 'wasm', threads: 1, cache: true }, { openStore: async () => store });
      try {
        const form = {
          curve: id,
          points: montgomeryPoints(id, bytes),
          pointsForm: 'montgomery',
          checkSubgroup: false,
        } as const;
        const bases = await some.loadBases(form);
        expect(bases.report).toMatchObject({ cached, notices: [] });
        const { x, y } = await some.msm(bases, encodeScalars(scalars));
        expect([x, y]).toEqual(expected);
      } finally {
        await some.dispose();
      }
    }
  });
});

describe('forms of numbers', () => {
  it('have records of their own in the cache', async () => {
    const store = new FaultyStore();
    const points = montgomeryPoints('bn254', encodePoints(bn254, progression(bn254, 3, 2n, 1n).points));
    const load = async (pointsForm: 'canonical' | 'montgomery') => {
      const some = await inPlaceProver({ backend: 'wasm', threads: 1, cache: true }, { openStore: async () => store });
      try {
        return (await some.loadBases({ curve: 'bn254', points, pointsForm })).report.cached;
      } finally {
        await some.dispose();
      }
    };
    expect(await load('montgomery')).toBe(false);
    expect(await load('montgomery')).toBe(true);
    // In the other form these are no points.
    await expect(load('canonical')).rejects.toMatchObject({ code: 'INVALID_POINT' });
  });

  it.each(['Montgomery', 1, {}])('are canonical or montgomery, and not %j', async (form) => {
    const points = encodePoints(bn254, progression(bn254, 1, 2n, 1n).points);
    const wrong = { code: 'INVALID_ARGUMENT', message: expect.stringContaining('canonical or montgomery') };
    await expect(prover.loadBases({ curve: 'bn254', points, pointsForm: form as never })).rejects.toMatchObject(wrong);
    const bases = await prover.loadBases({ curve: 'bn254', points, pointsForm: undefined as never });
    await expect(prover.msm(bases, encodeScalars([1n]), { scalarsForm: form as never })).rejects.toMatchObject(wrong);
    expect(await prover.msm(bases, encodeScalars([1n]), { scalarsForm: null as never })).toMatchObject({
      bytes: points,
    });
  });
});
