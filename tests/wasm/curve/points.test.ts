import { beforeAll, describe, expect, it } from 'vitest';
import type { WasmModuleName } from '../../../sdk/api/index.js';
import { bigintToBytes, joinBytes } from '../../../sdk/base/bytes.js';
import { pointForm } from '../../../sdk/bases/prepared.js';
import { ENDOMORPHISMS } from '../../../sdk/curves/endomorphisms.js';
import { bls12377, CURVES, type Curve, EDWARDS_FORMS } from '../../../sdk/curves/index.js';
import { decodePoint, encodePoint } from '../../../sdk/curves/point-bytes.js';
import type { Kernel } from '../../../sdk/executors/workers/kernel/kernel.js';
import { formsOf, formsOfCurve } from '../../support/combinations.js';
import { type AffinePoint, negateAffine } from '../../support/curve-reference.js';
import { nobleG2 } from '../../support/noble-curves.js';
import { dot, encodePoints, encodeScalars, multipleOf, progression } from '../../support/points.js';
import { Random } from '../../support/random.js';
import { ALL_CURVES, CURVES_WITH_G2 } from '../../support/registry.js';
import { adversarialScalars } from '../../support/scalars.js';
import { loadKernel } from '../../support/wasm.js';

const kernels = {} as Record<WasmModuleName, Kernel>;
beforeAll(async () => {
  for (const { id } of ALL_CURVES) {
    for (const name of formsOfCurve(id)) kernels[name] = await loadKernel(id, name);
  }
});

function expectPoint(curve: Curve, bytes: Uint8Array, expected: AffinePoint): void {
  const { x, y, infinity } = decodePoint(curve.id, 'g1', bytes);
  expect({ x, y, infinity }).toEqual({
    x: expected?.[0] ?? 0n,
    y: expected?.[1] ?? (curve.boundary === 'edwards' ? 1n : 0n),
    infinity: expected === undefined,
  });
}

/** Prepares, loads and multiplies; infinities among the points are dropped with their scalars. */
async function msm(
  kernel: Kernel,
  curve: Curve,
  points: readonly AffinePoint[],
  scalars: readonly bigint[],
  windowBits?: number,
): Promise<Uint8Array> {
  const form = pointForm(curve.id, 'g1');
  const part = await kernel.prepareBases({
    group: 'g1',
    form,
    encoding: 'canonical',
    points: encodePoints(curve, points),
  });
  kernel.loadShard({ id: 'test', group: 'g1', form, points: part.points });
  const kept = part.indices === undefined ? scalars : [...part.indices].map((i) => scalars[i]!);
  return kernel.multiply({ id: 'test', scalars: encodeScalars(kept, curve.id), windowBits });
}

const MODULES = ALL_CURVES.flatMap((curve) => formsOf(curve.id, 'g1').map((name) => ({ name, curve })));

describe.each(MODULES)('points by $name', ({ name, curve }) => {
  let kernel: Kernel;
  beforeAll(() => {
    kernel = kernels[name];
  });
  const n = curve.fr.modulus;
  const at = (factor: bigint): AffinePoint => multipleOf(curve, factor);

  it('multiplies 0, 1, 2 and 3 points', async () => {
    const { points, factors } = progression(curve, 3, 12345678901234567890n, 987654321n);
    const scalars = [n - 1n, 2n ** 128n + 7n, 5n];
    for (let count = 0; count <= 3; count++) {
      const expected = factors.slice(0, count).reduce((sum, factor, i) => sum + factor * scalars[i]!, 0n);
      expectPoint(curve, await msm(kernel, curve, points.slice(0, count), scalars.slice(0, count)), at(expected));
    }
  });

  it.each(Object.keys(adversarialScalars(4, 17n)))('multiplies 300 points by scalars that are %s', async (kind) => {
    const { points, factors } = progression(curve, 300, 3n ** 100n, 7n ** 60n);
    const scalars = adversarialScalars(300, n)[kind]!;
    const expected = dot(factors, scalars);
    for (const windowBits of [undefined, 4, 13]) {
      expectPoint(curve, await msm(kernel, curve, points, scalars, windowBits), at(expected));
    }
  });

  it('is right for repeated, opposite and infinite points', async () => {
    const [p, q] = progression(curve, 2, 31n ** 40n, 1n).points as [AffinePoint, AffinePoint];
    const minusP: AffinePoint = negateAffine(curve, p!);
    const points = [p, p, minusP, undefined, q, p, minusP, minusP, undefined, q];
    const random = new Random(5);
    for (const scalars of [
      points.map(() => 9n),
      points.map(() => 1n),
      points.map(() => random.below(n)),
      [5n, 5n, 10n, 1n, 0n, 0n, 0n, 0n, 9n, 0n],
    ]) {
      const p1 =
        [0, 1, 5].reduce((sum, i) => sum + scalars[i]!, 0n) - [2, 6, 7].reduce((sum, i) => sum + scalars[i]!, 0n);
      const q1 = scalars[4]! + scalars[9]!;
      expectPoint(curve, await msm(kernel, curve, points, scalars, 4), at(p1 * 31n ** 40n + q1 * (31n ** 40n + 1n)));
    }
  });

  it('combines affine points and scalars', async () => {
    const { points, factors } = progression(curve, 4, 77n, 1000n);
    const scalars = [0n, 1n, n - 1n, 2n ** 200n];
    const sum = dot(factors, scalars);
    expectPoint(
      curve,
      await kernel.combine({
        group: 'g1',
        points: encodePoints(curve, points),
        scalars: encodeScalars(scalars, curve.id),
      }),
      at(sum),
    );
    expectPoint(
      curve,
      await kernel.combine({ group: 'g1', points: encodePoints(curve, points) }),
      at(factors.reduce((a, b) => a + b)),
    );
    expectPoint(
      curve,
      await kernel.combine({ group: 'g1', points: encodePoints(curve, [points[0], undefined, points[0]]) }),
      at(2n * factors[0]!),
    );
    expectPoint(curve, await kernel.combine({ group: 'g1', points: new Uint8Array(0) }), undefined);
  });

  it('takes points in the form of a .zkey', async () => {
    const { points } = progression(curve, 5, 99n, 3n);
    const r = 1n << BigInt(8 * curve.coordinateBytes);
    const shifted = points.map(
      (point): AffinePoint => [(point![0] * r) % curve.fq.modulus, (point![1] * r) % curve.fq.modulus],
    );
    const form = pointForm(curve.id, 'g1');
    const canonical = await kernel.prepareBases({
      group: 'g1',
      form,
      encoding: 'canonical',
      points: encodePoints(curve, points),
    });
    expect(
      await kernel.prepareBases({
        group: 'g1',
        form,
        encoding: 'montgomery',
        points: encodePoints(curve, shifted),
      }),
    ).toEqual(canonical);
  });

  it('names the first point that is off the curve or not below p', async () => {
    const form = pointForm(curve.id, 'g1');
    const { points } = progression(curve, 600, 5n, 1n);
    const off: AffinePoint = [points[570]![0], points[570]![1] ^ 1n];
    const bytes = encodePoints(curve, points.with(570, off));
    await expect(
      kernel.prepareBases({ group: 'g1', form, encoding: 'canonical', points: bytes, firstIndex: 1000 }),
    ).rejects.toMatchObject({
      code: 'INVALID_POINT',
      message: expect.stringContaining('point 1570 '),
    });
    const large = encodePoints(curve, points);
    large.set(bigintToBytes(points[3]![0] + curve.fq.modulus, curve.coordinateBytes), 3 * 2 * curve.coordinateBytes);
    await expect(
      kernel.prepareBases({ group: 'g1', form, encoding: 'canonical', points: large }),
    ).rejects.toMatchObject({
      code: 'INVALID_POINT',
      message: expect.stringContaining('point 3 '),
    });
    await expect(
      kernel.prepareBases({ group: 'g1', form, encoding: 'canonical', points: bytes.subarray(1) }),
    ).rejects.toMatchObject({
      code: 'INVALID_LENGTH',
    });
  });

  it('tells points on the curve from others', async () => {
    const [point] = progression(curve, 1, 1234n, 1n).points;
    const infinity = encodePoint(curve.id, 'g1', undefined);
    const on = encodePoint(curve.id, 'g1', point);
    const off = encodePoint(curve.id, 'g1', [point![0], point![1] ^ 1n]);
    const finish = (sums: Uint8Array) => kernel.finish({ group: 'g1', form: pointForm(curve.id, 'g1'), sums });
    expect(await Promise.all([on, infinity, joinBytes([on, infinity])].map(finish))).toEqual([on, infinity, on]);
    expect(await Promise.all([off, joinBytes([off, infinity])].map(finish))).toEqual([undefined, undefined]);
  });
});

describe('exceptional points of BLS12-377', () => {
  it('sets points of order 2 aside with their indices', async () => {
    const kernel = await loadKernel('bls12-377');
    const { fq } = CURVES['bls12-377'];
    const { alpha } = EDWARDS_FORMS['bls12-377']!;
    // The three roots of x^3 + 1: alpha and the two roots of x^2 - x + 1.
    const { beta } = ENDOMORPHISMS['bls12-377']!;
    const roots = [alpha, alpha * beta, alpha * beta * beta].map((x) => ((x % fq.modulus) + fq.modulus) % fq.modulus);
    const [p, q] = progression(bls12377, 2, 55n, 1n).points;
    const points: AffinePoint[] = [p, [roots[0]!, 0n], undefined, [roots[1]!, 0n], q, [roots[2]!, 0n]];
    const part = await kernel.prepareBases({
      group: 'g1',
      form: 'edwards',
      encoding: 'canonical',
      points: encodePoints(bls12377, points),
    });
    expect(part.kept).toBe(2);
    expect([...part.indices!]).toEqual([0, 4]);
    expect(part.exceptional.map(({ index }) => index)).toEqual([1, 3, 5]);
    for (const { index, point } of part.exceptional)
      expect(point).toEqual(encodePoint('bls12-377', 'g1', points[index]));
    const rest = await kernel.prepareBases({
      group: 'g1',
      form: 'edwards',
      encoding: 'canonical',
      points: encodePoints(bls12377, [p, q]),
    });
    expect(part.points).toEqual(rest.points);
  });
});

const G2_MODULES = CURVES_WITH_G2.flatMap((curve) => formsOf(curve.id, 'g2').map((name) => ({ name, curve })));

describe.each(G2_MODULES)('G2 by $name', ({ name, curve }) => {
  const { id, fr } = curve;
  const { Point } = nobleG2(id);
  const encode = (point: InstanceType<typeof Point>): Uint8Array => {
    if (point.is0()) return encodePoint(id, 'g2', undefined);
    const { x, y } = point.toAffine();
    return encodePoint(id, 'g2', [
      [x.c0, x.c1],
      [y.c0, y.c1],
    ]);
  };

  it.each(Object.keys(adversarialScalars(4, 17n)))('multiplies by scalars that are %s', async (kind) => {
    const random = new Random(9);
    const factors = Array.from({ length: 40 }, () => random.below(fr.modulus));
    factors[7] = factors[6]!;
    factors[8] = fr.modulus - factors[6]!;
    const scalars = adversarialScalars(40, fr.modulus)[kind]!;
    const bytes = Uint8Array.from(factors.flatMap((factor) => [...encode(Point.BASE.multiply(factor))]));
    const kernel = kernels[name];
    const part = await kernel.prepareBases({
      group: 'g2',
      form: 'weierstrass',
      encoding: 'canonical',
      points: bytes,
    });
    kernel.loadShard({ id: 'g2', group: 'g2', form: 'weierstrass', points: part.points });
    const expected = dot(factors, scalars) % fr.modulus;
    const point = expected === 0n ? Point.ZERO : Point.BASE.multiply(expected);
    for (const windowBits of [undefined, 5]) {
      expect(await kernel.multiply({ id: 'g2', scalars: encodeScalars(scalars), windowBits })).toEqual(encode(point));
    }
    expect(await kernel.combine({ group: 'g2', points: bytes, scalars: encodeScalars(scalars) })).toEqual(
      encode(point),
    );
  });
});
