import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Prover } from '../../sdk/api.js';
import { bls12377, bn254, type CurveId } from '../../sdk/curves/index.js';
import { dot, encodePoints, encodeScalars, multipleOf, progression } from '../support/points.js';
import { createProver } from '../support/prover.js';
import { quickest } from '../support/quickest.js';
import { adversarialScalars } from '../support/scalars.js';

const CURVES = { bn254, 'bls12-377': bls12377 };

describe.each(['wasm', 'webgpu'] as const)('prover.msm on %s', (backend) => {
  let prover: Prover;
  beforeAll(async () => {
    prover = await createProver({ backend, threads: 2, cache: false });
  });
  afterAll(() => prover.dispose());

  it('says what it computes with', () => {
    expect(prover.capabilities).toMatchObject({ backend, threads: 2, cache: 'none' });
  });

  it.each(['bn254', 'bls12-377'] as const)('is right for adversarial scalars on %s', async (id: CurveId) => {
    const curve = CURVES[id];
    const { points, factors } = progression(curve, 150, 11n ** 50n, 13n ** 40n);
    // Two infinities, a repeated point and an opposite one.
    points[3] = undefined;
    factors[3] = 0n;
    points[149] = undefined;
    factors[149] = 0n;
    points[20] = points[21]!;
    factors[20] = factors[21]!;
    points[22] = [points[21]![0], curve.fq.modulus - points[21]![1]];
    factors[22] = curve.fr.modulus - factors[21]!;
    const bases = await prover.loadBases({ curve: id, points: encodePoints(curve, points), id: 'test' });
    expect(bases).toMatchObject({ curve: id, group: 'g1', id: 'test', count: 150 });
    for (const [name, scalars] of Object.entries(adversarialScalars(150, curve.fr.modulus))) {
      const result = await prover.msm(bases, encodeScalars(scalars));
      const expected = multipleOf(curve, dot(factors, scalars));
      expect({ name, x: result.x, y: result.y, infinity: result.infinity }).toEqual({
        name,
        x: expected?.[0] ?? 0n,
        y: expected?.[1] ?? 0n,
        infinity: expected === undefined,
      });
      expect(result.report.backend).toBe(backend);
      expect(result.report.parts).toEqual({ msm: backend });
    }
    await bases.dispose();
    await expect(prover.msm(bases, new Uint8Array(150 * 32))).rejects.toMatchObject({ code: 'DISPOSED' });
  });

  it('adds the share of exceptional points', async () => {
    const twoTorsion = [bls12377.fq.modulus - 1n, 0n] as const;
    const { points, factors } = progression(bls12377, 5, 3n, 1n);
    const bases = await prover.loadBases({
      curve: 'bls12-377',
      points: encodePoints(bls12377, [...points, twoTorsion, twoTorsion]),
    });
    const scalars = [5n, 6n, 7n, 8n, 9n, 4n, 6n];
    const result = await prover.msm(bases, encodeScalars(scalars));
    const expected = multipleOf(bls12377, dot(factors, scalars.slice(0, 5)));
    expect([result.x, result.y]).toEqual(expected);
  });

  it('takes no points at all', async () => {
    const bases = await prover.loadBases({ curve: 'bn254', points: new Uint8Array(0) });
    expect(bases.count).toBe(0);
    expect(await prover.msm(bases, new Uint8Array(0))).toMatchObject({ x: 0n, y: 0n, infinity: true });
  });

  it('refuses what does not fit', async () => {
    const { points } = progression(bn254, 3, 2n, 1n);
    const bytes = encodePoints(bn254, points);
    await expect(prover.loadBases({ curve: 'bn254', points: bytes.subarray(1) })).rejects.toMatchObject({
      code: 'INVALID_LENGTH',
    });
    await expect(prover.loadBases({ curve: 'bls12-377', group: 'g2', points: bytes })).rejects.toMatchObject({
      code: 'CURVE_MISMATCH',
    });
    await expect(prover.loadBases({ curve: 'secp256k1' as CurveId, points: bytes })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
    await expect(prover.loadBases({ curve: 'bn254', points: 7 as never })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
    await expect(prover.loadBases({ curve: 'bn254', points: '/no/such/file' })).rejects.toMatchObject({
      code: 'IO_FAILED',
    });
    await expect(prover.loadBases({ curve: 'bn254', points: bytes.with(0, bytes[0]! ^ 1) })).rejects.toMatchObject({
      code: 'INVALID_POINT',
    });
    const bases = await prover.loadBases({ curve: 'bn254', points: bytes });
    await expect(prover.msm(bases, new Uint8Array(64))).rejects.toMatchObject({ code: 'INVALID_LENGTH' });
    await expect(prover.msm(bases, encodeScalars([1n, bn254.fr.modulus, 2n]))).rejects.toMatchObject({
      code: 'INVALID_SCALAR',
      message: expect.stringContaining('scalar 1 '),
    });
    await expect(prover.msm(bases, [1, 2, 3] as never)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await expect(prover.msm({} as never, new Uint8Array(96))).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  it('leaves the bytes that it is given alone, unless it may take them', async () => {
    const { points, factors } = progression(bn254, 10, 5n, 9n);
    const given = encodePoints(bn254, points);
    const part = new Uint8Array([...given, 0]).subarray(0, given.length);
    const scalars = adversarialScalars(10, bn254.fr.modulus).random!;
    const [copied, moved, ofPart] = [
      await prover.loadBases({ curve: 'bn254', points: given }),
      await prover.loadBases({ curve: 'bn254', points: given }, { transfer: true }),
      await prover.loadBases({ curve: 'bn254', points: part }, { transfer: true }),
    ];
    expect([given.length, part.length]).toEqual([0, 640]);
    const encoded = encodeScalars(scalars);
    for (const bases of [copied, moved, ofPart]) {
      const { x, y } = await prover.msm(bases!, encoded);
      expect([x, y]).toEqual(multipleOf(bn254, dot(factors, scalars)));
    }
    expect(encoded).toHaveLength(320);
  });

  it('serves several calls at once', async () => {
    const { points, factors } = progression(bn254, 100, 5n, 9n);
    const bases = await prover.loadBases({ curve: 'bn254', points: encodePoints(bn254, points) });
    const all = Object.values(adversarialScalars(100, bn254.fr.modulus));
    const results = await Promise.all(all.map((scalars) => prover.msm(bases, encodeScalars(scalars))));
    for (const [i, scalars] of all.entries()) {
      expect(results[i]!.infinity ? undefined : [results[i]!.x, results[i]!.y]).toEqual(
        multipleOf(bn254, dot(factors, scalars)),
      );
    }
  });

  it('tells progress that never falls and ends whole', async () => {
    const { points } = progression(bn254, 400, 5n, 9n);
    const bases = await prover.loadBases({ curve: 'bn254', points: encodePoints(bn254, points) });
    const seen: number[] = [];
    await prover.msm(bases, encodeScalars(adversarialScalars(400, bn254.fr.modulus).random!), {
      onProgress: (event) => {
        if (event.kind === 'progress') seen.push(event.done / event.total);
      },
    });
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    expect(seen.at(-1)).toBe(1);
  });

  it('rejects an aborted call within 200 ms and computes the next one', async () => {
    const { points, factors } = progression(bn254, 600, 5n, 9n);
    const bases = await prover.loadBases({ curve: 'bn254', points: encodePoints(bn254, points) });
    const scalars = adversarialScalars(600, bn254.fr.modulus).random!;
    // Long enough, at some 10 ms each, not to be over when the abort comes on a busy machine.
    const many = encodeScalars(Array.from({ length: 100 }, () => scalars).flat());
    const abort = async (): Promise<number> => {
      const controller = new AbortController();
      const call = prover.msmBatch(bases, many, { batchSize: 100, signal: controller.signal });
      await new Promise((resolve) => setTimeout(resolve, 5));
      const aborted = performance.now();
      controller.abort();
      await expect(call).rejects.toMatchObject({ code: 'ABORTED' });
      return performance.now() - aborted;
    };
    expect(await quickest(200, abort)).toBeLessThan(200);
    await expect(prover.msm(bases, encodeScalars(scalars), { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'ABORTED',
    });
    const result = await prover.msm(bases, encodeScalars(scalars));
    expect([result.x, result.y]).toEqual(multipleOf(bn254, dot(factors, scalars)));
  });
});

describe('createProver', () => {
  it.each([
    [{ backend: 'cuda' as never }, 'backend'],
    [{ threads: 0 }, 'threads'],
    [{ threads: 1.5 }, 'threads'],
    [{ memoryBudget: -1 }, 'memoryBudget'],
  ])('refuses %j', async (options, name) => {
    await expect(createProver(options)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringContaining(name),
    });
  });

  it('rejects what is pending and what comes later once it is disposed', async () => {
    const prover = await createProver({ backend: 'wasm', threads: 1, cache: false });
    const { points } = progression(bn254, 500, 5n, 9n);
    const bases = await prover.loadBases({ curve: 'bn254', points: encodePoints(bn254, points) });
    const pending = prover.msm(bases, encodeScalars(adversarialScalars(500, bn254.fr.modulus).random!));
    const outcome = expect(pending).rejects.toMatchObject({ code: 'DISPOSED' });
    await prover.dispose();
    await outcome;
    await expect(prover.msm(bases, new Uint8Array(500 * 32))).rejects.toMatchObject({ code: 'DISPOSED' });
    await prover.dispose();
  });

  it('tells when a worker cannot be started', async () => {
    await expect(createProver({ assets: { coordinator: 'file:///no/such/coordinator.js' } })).rejects.toMatchObject({
      code: 'WORKER_FAILED',
    });
  });
});
