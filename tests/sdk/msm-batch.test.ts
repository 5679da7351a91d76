import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { MsmPoint, Prover, Report } from '../../sdk/api/index.js';
import type { Notice, ProgressEvent } from '../../sdk/api/progress.js';
import { bls12377, bn254, type Curve, type GroupId } from '../../sdk/curves/index.js';
import { decodePoint, encodePoint } from '../../sdk/curves/point-bytes.js';
import { GpuMsm } from '../../sdk/executors/gpu/msm/gpu-msm.js';
import { proverOnGpu } from '../executors/gpu/proofs/prover-on-gpu.js';
import { firstOf } from '../support/combinations.js';
import { type AffinePoint, addAffine } from '../support/curve-reference.js';
import { inPlaceProver } from '../support/in-place-prover.js';
import { NOBLE_GROUPS } from '../support/noble-groups.js';
import { dot, encodePoints, encodeScalars, multipleOf, pointOfOrderTwo, progression } from '../support/points.js';
import { quickest } from '../support/quickest.js';
import { ALL_CURVES, CURVES_WITH_EDWARDS, CURVES_WITH_G2 } from '../support/registry.js';
import { adversarialScalars } from '../support/scalars.js';
import { emptyKernels, watchedGpu } from '../support/watched-gpu.js';

function affine({ x, y, infinity }: MsmPoint): AffinePoint {
  return infinity ? undefined : [x as bigint, y as bigint];
}

/** Points with infinities among them, and their factors. */
function withInfinities(curve: Curve, count: number): { points: AffinePoint[]; factors: bigint[] } {
  const { points, factors } = progression(curve, count, 11n ** 50n, 13n ** 40n);
  for (const i of [0, 3, count - 1]) {
    points[i] = undefined;
    factors[i] = 0n;
  }
  return { points, factors };
}

/** Makes the GPU spoil the last but one multiplication of each batch. */
function spoilGpu(): void {
  const { multiplyBatch } = GpuMsm.prototype;
  vi.spyOn(GpuMsm.prototype, 'multiplyBatch').mockImplementation(async function (this: GpuMsm, ...args) {
    const parts = await multiplyBatch.apply(this, args);
    const spoilt = parts.at(-2);
    if (spoilt?.kind === 'windows') spoilt.sums.fill(1);
    return parts;
  });
}

async function batchOfThree(prover: Prover, group: GroupId): Promise<Report> {
  const noble = NOBLE_GROUPS.find((other) => other.curve === 'bn254' && other.group === group)!;
  const { factors } = progression(bn254, 20, 5n, 9n);
  const bases = await prover.loadBases({ curve: 'bn254', group, points: noble.multiples(factors) });
  const { random, one, zero } = adversarialScalars(20, bn254.fr.modulus);
  const rows = [zero!, random!, one!];
  const { points: results, report } = await prover.msmBatch(bases, encodeScalars(rows.flat()), { batchSize: 3 });
  expect(results.map(({ bytes }) => bytes)).toEqual(rows.map((row) => noble.multiple(dot(factors, row))));
  return report;
}

afterEach(() => vi.restoreAllMocks());

describe.each(['wasm', 'webgpu'] as const)('prover.msmBatch on %s', (backend) => {
  let prover: Prover;
  beforeAll(async () => {
    ({ prover } = await proverOnGpu({ backend, threads: 3 }, { isSoftware: true }));
  });
  afterAll(() => prover.dispose());

  // A software adapter takes long to compile the kernels of a curve: msm.test.ts runs those of BLS12-377 on it.
  const curves = backend === 'wasm' ? ALL_CURVES : firstOf([bn254, bls12377]);
  const having = (some: readonly Curve[]): Curve[] => curves.filter((curve) => some.includes(curve));

  it.each(curves)('gives what single calls give on $id', async (curve) => {
    const count = 70;
    const { points, factors } = withInfinities(curve, count);
    const bases = await prover.loadBases({ curve: curve.id, points: encodePoints(curve, points) });
    const rows = Object.values(adversarialScalars(count, curve.fr.modulus));
    const expected = rows.map((row) => multipleOf(curve, dot(factors, row)));
    for (const some of [rows.slice(0, 1), rows.slice(0, 3), rows]) {
      const options = { batchSize: some.length };
      const { points: results, report } = await prover.msmBatch(bases, encodeScalars(some.flat(), curve.id), options);
      expect(results.map(affine)).toEqual(expected.slice(0, some.length));
      expect(results.map(({ bytes }) => bytes)).toEqual(
        results.map((point) => encodePoint(curve.id, 'g1', affine(point))),
      );
      expect(report.backend).toBe(backend);
      expect(report.parts).toEqual({ msm: backend });
    }
    const single = await prover.msm(bases, encodeScalars(rows[0]!, curve.id));
    const { points: batch } = await prover.msmBatch(bases, encodeScalars(rows[0]!, curve.id), { batchSize: 1 });
    const { report: _, ...point } = single;
    expect(batch).toEqual([point]);
    await bases.dispose();
    const disposed = prover.msmBatch(bases, new Uint8Array(2 * count * curve.scalarBytes), { batchSize: 2 });
    await expect(disposed).rejects.toMatchObject({ code: 'DISPOSED' });
  });

  it.each(having(CURVES_WITH_EDWARDS))('adds to each the share of its exceptional points on $id', async (curve) => {
    const twoTorsion = pointOfOrderTwo(curve);
    const { points, factors } = progression(curve, 4, 3n, 1n);
    const all = [points[0], twoTorsion, undefined, points[1], points[2], twoTorsion, points[3]];
    const logs = [factors[0]!, 0n, 0n, factors[1]!, factors[2]!, 0n, factors[3]!];
    const bases = await prover.loadBases({
      curve: curve.id,
      points: encodePoints(curve, all),
      checkSubgroup: false,
    });
    const r = curve.fr.modulus;
    const rows = [
      [5n, 1n, 7n, 8n, 9n, 4n, 6n],
      [5n, 3n, 7n, 8n, 9n, 5n, 6n],
      [0n, 0n, 1n, 0n, 0n, 1n, 0n],
      [r - 1n, 0n, 1n, r - 1n, 1n, 0n, r - 2n],
      [0n, 0n, 0n, 0n, 0n, 0n, 0n],
    ];
    const { points: results } = await prover.msmBatch(bases, encodeScalars(rows.flat()), { batchSize: rows.length });
    const expected = rows.map((row) => {
      const sum = multipleOf(curve, dot(logs, row));
      return (row[1]! + row[5]!) % 2n === 0n ? sum : addAffine(curve, sum, twoTorsion);
    });
    expect(results.map(affine)).toEqual(expected);
  });

  it.each(having(CURVES_WITH_G2))('multiplies in G2 of $id', async ({ id }) => {
    const noble = NOBLE_GROUPS.find(({ curve, group }) => curve === id && group === 'g2')!;
    const logs = [3n, 0n, 5n, 10n ** 20n, 7n];
    const bases = await prover.loadBases({ curve: id, group: 'g2', points: noble.multiples(logs) });
    const rows = [
      [1n, 2n, 3n, 4n, 5n],
      [0n, 1n, 0n, 0n, 0n],
      [noble.order - 1n, 0n, noble.order - 2n, 1n, 9n],
    ];
    const { points, report } = await prover.msmBatch(bases, encodeScalars(rows.flat()), { batchSize: 3 });
    expect(points.map(({ bytes }) => bytes)).toEqual(rows.map((row) => noble.multiple(dot(logs, row))));
    expect(report.parts).toEqual({ msm: backend });
    expect(points[1]).toMatchObject({ x: [0n, 0n], y: [0n, 0n], infinity: true });
  });

  it.each(curves)('takes points at infinity alone, and no points at all, on $id', async ({ id, coordinateBytes }) => {
    const zeros = new Uint8Array(2 * coordinateBytes);
    const neutral = { ...decodePoint(id, 'g1', zeros), bytes: zeros };
    const infinities = await prover.loadBases({ curve: id, points: new Uint8Array(2 * zeros.length) });
    const { points: sums } = await prover.msmBatch(infinities, encodeScalars([1n, 2n, 3n, 4n], id), { batchSize: 2 });
    expect(sums).toEqual([neutral, neutral]);
    const none = await prover.loadBases({ curve: id, points: new Uint8Array(0) });
    const { points } = await prover.msmBatch(none, new Uint8Array(0), { batchSize: 3 });
    expect(points).toEqual([neutral, neutral, neutral]);
  });

  it('takes more multiplications than are worked on together', async () => {
    const { points, factors } = progression(bn254, 2, 5n, 9n);
    const bases = await prover.loadBases({ curve: 'bn254', points: encodePoints(bn254, [...points, undefined]) });
    const rows = Array.from({ length: 260 }, (_, i) => [BigInt(i % 7), BigInt(i % 3), 1n]);
    const { points: results } = await prover.msmBatch(bases, encodeScalars(rows.flat()), { batchSize: 260 });
    const known = new Map<bigint, AffinePoint>();
    for (const [i, row] of rows.entries()) {
      const factor = dot([...factors, 0n], row);
      if (!known.has(factor)) known.set(factor, multipleOf(bn254, factor));
      expect({ i, sum: affine(results[i]!) }).toEqual({ i, sum: known.get(factor) });
    }
  });

  it('refuses what does not fit', async () => {
    const { points } = progression(bn254, 3, 2n, 1n);
    const bases = await prover.loadBases({ curve: 'bn254', points: encodePoints(bn254, points) });
    const scalars = new Uint8Array(2 * 3 * 32);
    for (const batchSize of [0, -1, 1.5, Number.NaN, 65_537, '2', null, undefined] as never[]) {
      await expect(prover.msmBatch(bases, scalars, { batchSize })).rejects.toMatchObject({
        code: 'INVALID_ARGUMENT',
        message: expect.stringContaining('batchSize'),
      });
    }
    await expect(prover.msmBatch(bases, scalars, undefined as never)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
    for (const [bytes, batchSize] of [
      [scalars, 1],
      [scalars, 3],
      [scalars.subarray(1), 2],
      [new Uint8Array(0), 2],
    ] as const) {
      await expect(prover.msmBatch(bases, bytes, { batchSize })).rejects.toMatchObject({ code: 'INVALID_LENGTH' });
    }
    await expect(prover.msmBatch(bases, scalars, { batchSize: 3 })).rejects.toThrow(
      'expected 3 times 3 scalars of 32 bytes (288), got 192 bytes',
    );
    const tooLarge = encodeScalars([1n, 2n, 3n, 4n, bn254.fr.modulus, 6n]);
    await expect(prover.msmBatch(bases, tooLarge, { batchSize: 2 })).rejects.toMatchObject({
      code: 'INVALID_SCALAR',
      message: expect.stringContaining('scalar 4 '),
    });
    await expect(prover.msmBatch(bases, [1] as never, { batchSize: 2 })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
    await expect(prover.msmBatch({} as never, scalars, { batchSize: 2 })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
  });

  it('tells progress over all that never falls and ends whole', async () => {
    const { points } = progression(bn254, 200, 5n, 9n);
    const bases = await prover.loadBases({ curve: 'bn254', points: encodePoints(bn254, points) });
    const row = adversarialScalars(200, bn254.fr.modulus).random!;
    const seen: number[] = [];
    await prover.msmBatch(bases, encodeScalars([row, row, row].flat()), {
      batchSize: 3,
      onProgress: (event) => {
        if (event.kind === 'progress') seen.push(event.done / event.total);
      },
    });
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    expect(seen.length).toBeGreaterThan(1);
    expect(seen.at(-1)).toBe(1);
  });

  it('rejects an aborted call within 200 ms and computes the next one', async () => {
    const { points, factors } = progression(bn254, 300, 5n, 9n);
    const bases = await prover.loadBases({ curve: 'bn254', points: encodePoints(bn254, points) });
    const row = adversarialScalars(300, bn254.fr.modulus).random!;
    const scalars = encodeScalars(Array.from({ length: 40 }, () => row).flat());
    const abort = async (): Promise<number> => {
      const controller = new AbortController();
      let aborted = Number.NaN;
      const onProgress = ({ kind }: ProgressEvent) => {
        if (kind !== 'progress' || controller.signal.aborted) return;
        aborted = performance.now();
        controller.abort();
      };
      const call = prover.msmBatch(bases, scalars, { batchSize: 40, signal: controller.signal, onProgress });
      await expect(call).rejects.toMatchObject({ code: 'ABORTED' });
      return performance.now() - aborted;
    };
    expect(await quickest(200, abort)).toBeLessThan(200);
    const { points: results } = await prover.msmBatch(bases, scalars.subarray(0, 2 * 300 * 32), { batchSize: 2 });
    const expected = multipleOf(bn254, dot(factors, row));
    expect(results.map(affine)).toEqual([expected, expected]);
  });

  // The last test, since the prover uses this GPU no more.
  it.runIf(backend === 'webgpu')('rejects a wrong result from the GPU, and uses it no more', async () => {
    spoilGpu();
    await expect(batchOfThree(prover, 'g1')).rejects.toMatchObject({ code: 'RESULT_INVALID' });
    const report = await batchOfThree(prover, 'g2');
    expect(report.parts).toEqual({ msm: 'wasm' });
    expect(report.notices.map(({ code }) => code)).toEqual(['WEBGPU_UNAVAILABLE']);
  });
});

describe('a batch with a wrong result from the GPU', () => {
  it.each(['g1', 'g2'] as const)('is refused over %s where the caller requires the GPU', async (group) => {
    spoilGpu();
    const { gpu } = await watchedGpu(emptyKernels);
    const prover = await inPlaceProver({ backend: 'webgpu', threads: 2 }, { gpu: async () => gpu });
    await expect(batchOfThree(prover, group)).rejects.toMatchObject({ code: 'RESULT_INVALID' });
    await prover.dispose();
  });

  it.each(['g1', 'g2'] as const)('is computed again on the workers over %s, and the caller is told', async (group) => {
    spoilGpu();
    const { gpu } = await watchedGpu(emptyKernels);
    const onNotice = vi.fn<(notice: Notice) => void>();
    const prover = await inPlaceProver({ backend: 'auto', threads: 2, onNotice }, { gpu: async () => gpu });
    try {
      await prover.loadBases({ curve: 'bn254', group, points: new Uint8Array(0) });
      await expect.poll(() => onNotice).toHaveBeenCalledWith(expect.objectContaining({ code: 'WEBGPU_READY' }));
      const report = await batchOfThree(prover, group);
      expect(report.parts).toEqual({ msm: 'wasm' });
      expect(report.notices.map(({ code }) => code)).toEqual(['WEBGPU_DISTRUSTED']);
    } finally {
      await prover.dispose();
    }
  });
});
