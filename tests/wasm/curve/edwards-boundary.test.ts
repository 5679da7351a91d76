import { beforeAll, describe, expect, it } from 'vitest';
import { bigintToBytes, joinBytes } from '../../../sdk/base/bytes.js';
import { pointForm } from '../../../sdk/bases/prepared.js';
import { mod, power } from '../../../sdk/curves/modular.js';
import { decodePoint, encodePoint } from '../../../sdk/curves/point-bytes.js';
import type { Kernel } from '../../../sdk/executors/workers/kernel/kernel.js';
import { type AffinePoint, addAffine, isOnCurve, multiplyAffine, negateAffine } from '../../support/curve-reference.js';
import { encodePoints, encodeScalars, progression } from '../../support/points.js';
import { ALL_CURVES } from '../../support/registry.js';
import { loadKernel, WASM_MODULES } from '../../support/wasm.js';

const CASES = ALL_CURVES.filter(({ boundary }) => boundary === 'edwards').flatMap((curve) =>
  WASM_MODULES[curve.id].map((module) => ({ curve, module })),
);

describe.each(CASES)('points of the Edwards form by $module', ({ curve, module }) => {
  const { id, fq, fr, g1, coordinateBytes: size } = curve;
  const p = fq.modulus;
  let kernel: Kernel;
  beforeAll(async () => {
    kernel = await loadKernel(id, module);
  });

  const zeros = new Uint8Array(2 * size);
  const bytesOf = (x: bigint, y: bigint): Uint8Array => joinBytes([bigintToBytes(x, size), bigintToBytes(y, size)]);
  const neutral = bytesOf(0n, 1n);
  const half = bytesOf(0n, p - 1n);
  let nonResidue = 2n;
  while (power(nonResidue, (p - 1n) / 2n, p) === 1n) nonResidue++;
  /** A point of order 4: (1 / sqrt(-1), 0). */
  const quarter: AffinePoint = [power(nonResidue, (p - 1n) / 4n, p), 0n];
  const prepare = (points: Uint8Array, encoding: 'canonical' | 'montgomery' = 'canonical') =>
    kernel.prepareBases({ group: 'g1', form: 'edwards', encoding, points, firstIndex: 0 });

  it('leave out the neutral element, written as zeros or as (0, 1)', async () => {
    const some = encodePoints(curve, progression(curve, 2, 5n, 3n).points);
    const part = await prepare(joinBytes([zeros, some.subarray(0, 2 * size), neutral, some.subarray(2 * size), zeros]));
    expect([...part.indices!]).toEqual([1, 3]);
    expect(part.exceptional).toEqual([]);
    expect(part.points).toEqual((await prepare(some)).points);
    const r = mod(1n << BigInt(8 * size), p);
    expect(await prepare(bytesOf(0n, r), 'montgomery')).toMatchObject({ kept: 0, exceptional: [] });
  });

  it('set (0, -1) aside, whose share is added on the Edwards form', async () => {
    expect(isOnCurve(curve, [0n, p - 1n])).toBe(true);
    const part = await prepare(joinBytes([half, encodePoints(curve, [g1.generator]), half]));
    expect([...part.indices!]).toEqual([1]);
    expect(part.exceptional).toEqual([
      { index: 0, point: half },
      { index: 2, point: half },
    ]);
    const sum = (factor: bigint): Promise<Uint8Array> =>
      kernel.combine({
        group: 'g1',
        points: joinBytes([half, encodePoints(curve, [g1.generator])]),
        scalars: encodeScalars([factor, 7n]),
      });
    const seven = multiplyAffine(curve, g1.generator, 7n)!;
    expect(await sum(2n)).toEqual(encodePoint(id, 'g1', seven));
    expect(await sum(5n)).toEqual(encodePoint(id, 'g1', addAffine(curve, seven, [0n, p - 1n])));
  });

  it('are added completely, whatever their order', async () => {
    expect(isOnCurve(curve, quarter)).toBe(true);
    const opposite = negateAffine(curve, quarter!);
    const points: AffinePoint[] = [
      undefined,
      g1.generator,
      negateAffine(curve, g1.generator),
      quarter,
      opposite,
      [0n, p - 1n],
    ];
    for (const a of points) {
      for (const b of points) {
        expect(await kernel.combine({ group: 'g1', points: encodePoints(curve, [a, b]) })).toEqual(
          encodePoint(id, 'g1', addAffine(curve, a, b)),
        );
      }
    }
    expect(await kernel.combine({ group: 'g1', points: joinBytes([neutral, neutral]) })).toEqual(zeros);
    // A point of order 4 is among those that are kept.
    expect((await prepare(encodePoints(curve, [quarter]))).kept).toBe(1);
  });

  it('are told from others', async () => {
    for (const point of [zeros, neutral, half, encodePoint(id, 'g1', g1.generator), encodePoint(id, 'g1', quarter)]) {
      expect(await kernel.finish({ group: 'g1', form: pointForm(id, 'g1'), sums: point })).toEqual(point);
    }
    const [x, y] = g1.generator;
    const others: readonly (readonly [bigint, bigint])[] = [
      [x, y ^ 1n],
      [1n, 0n],
      [0n, 2n],
      [x + p, y],
      [x, y + p],
      [0n, p + 1n],
      [p, 0n],
      [p, 1n],
    ];
    for (const other of others) {
      expect(await kernel.finish({ group: 'g1', form: pointForm(id, 'g1'), sums: bytesOf(...other) })).toBeUndefined();
      await expect(prepare(joinBytes([neutral, bytesOf(...other)]))).rejects.toMatchObject({
        code: 'INVALID_POINT',
        message: expect.stringContaining('point 1 '),
      });
    }
  });

  it('are decoded with the neutral element as (0, 1)', () => {
    for (const bytes of [zeros, neutral]) {
      expect(decodePoint(id, 'g1', bytes)).toEqual({ x: 0n, y: 1n, infinity: true });
    }
    expect(decodePoint(id, 'g1', half)).toEqual({ x: 0n, y: p - 1n, infinity: false });
    expect(encodePoint(id, 'g1', undefined)).toEqual(zeros);
  });

  it('have no endomorphism, transforms, constraints or pairing', async () => {
    const mismatch = { code: 'CURVE_MISMATCH' };
    await expect(
      (async () => kernel.transform({ values: new Uint8Array(64), direction: 'forward' }))(),
    ).rejects.toMatchObject(mismatch);
    await expect(
      (async () => kernel.loadConstraints({ id: 'm', matrix: 0, entries: new Uint8Array(0), domainSize: 1 }))(),
    ).rejects.toMatchObject(mismatch);
    await expect(kernel.isInSubgroup({ group: 'g1', points: zeros })).rejects.toMatchObject(mismatch);
    await expect((async () => kernel.combine({ group: 'g2', points: zeros }))()).rejects.toMatchObject(mismatch);
    expect(fr.twoAdicity).toBe(1);
  });
});
