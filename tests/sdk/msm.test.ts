import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MsmOptions, Prover } from '../../sdk/api/index.js';
import type { ProgressEvent } from '../../sdk/api/progress.js';
import { bigintToBytes, joinBytes } from '../../sdk/base/bytes.js';
import { bn254, type CurveId, hasGpuKernels } from '../../sdk/curves/index.js';
import { decodePoint, encodePoint } from '../../sdk/curves/point-bytes.js';
import { proverOnGpu } from '../executors/gpu/proofs/prover-on-gpu.js';
import { firstOf, isTestedOn } from '../support/combinations.js';
import { addAffine, negateAffine } from '../support/curve-reference.js';
import { dot, encodePoints, encodeScalars, multipleOf, pointOfOrderTwo, progression } from '../support/points.js';
import { createProver } from '../support/prover.js';
import { quickest } from '../support/quickest.js';
import { ALL_CURVES } from '../support/registry.js';
import { adversarialScalars } from '../support/scalars.js';

/** What curves after the first get on a GPU: executors/gpu/msm/gpu-msm.test.ts has all vectors on one curve of each shape. */
const FEW_VECTORS = ['random', 'the order minus 1', 'mostly 0 and 1'];

describe.each(['wasm', 'webgpu'] as const)('prover.msm on %s', (backend) => {
  let prover: Prover;
  beforeAll(async () => {
    // A GPU's kernels are those that the tests of its project share.
    prover =
      backend === 'wasm'
        ? await createProver({ backend, threads: 2, cache: false })
        : (await proverOnGpu({ backend, threads: 2 }, { isSoftware: true })).prover;
  });
  afterAll(() => prover.dispose());

  const sumOf = async (curve: CurveId, points: Uint8Array, scalars: readonly bigint[]) => {
    const bases = await prover.loadBases({ curve, points });
    const result = await prover.msm(bases, encodeScalars(scalars, curve));
    await bases.dispose();
    return result;
  };

  it('says what it computes with', () => {
    expect(prover.capabilities).toMatchObject({ backend, threads: 2, cache: 'none' });
  });

  const curves = ALL_CURVES.filter(({ id }) => isTestedOn(backend, id));
  it.each(curves)('is right for adversarial scalars on $id', async (curve) => {
    const { points, factors } = progression(curve, 150, 11n ** 50n, 13n ** 40n);
    // Two infinities, a repeated point and an opposite one.
    points[3] = undefined;
    factors[3] = 0n;
    points[149] = undefined;
    factors[149] = 0n;
    points[20] = points[21]!;
    factors[20] = factors[21]!;
    points[22] = negateAffine(curve, points[21]!);
    factors[22] = curve.fr.modulus - factors[21]!;
    const bases = await prover.loadBases({ curve: curve.id, points: encodePoints(curve, points), id: 'test' });
    expect(bases).toMatchObject({ curve: curve.id, group: 'g1', id: 'test', count: 150 });
    const vectors = Object.entries(adversarialScalars(150, curve.fr.modulus));
    const inFull = backend === 'wasm' || firstOf(curves).includes(curve);
    for (const [name, scalars] of vectors.filter(([each]) => inFull || FEW_VECTORS.includes(each))) {
      const result = await prover.msm(bases, encodeScalars(scalars, curve.id));
      const bytes = encodePoint(curve.id, 'g1', multipleOf(curve, dot(factors, scalars)));
      const { x, y, infinity } = decodePoint(curve.id, 'g1', bytes);
      expect({ name, ...result }).toMatchObject({ name, x, y, infinity, bytes });
      // Where the GPU has no kernels for a curve, the workers compute, also for callers who ask for WebGPU.
      const executor = hasGpuKernels(curve.id) ? backend : 'wasm';
      expect(result.report.backend).toBe(executor);
      expect(result.report.parts).toEqual({ msm: executor });
    }
    await bases.dispose();
    await expect(prover.msm(bases, new Uint8Array(150 * curve.scalarBytes))).rejects.toMatchObject({
      code: 'DISPOSED',
    });
  });

  it('takes short scalars, a bound of their bits and a window', async () => {
    const { points, factors } = progression(bn254, 40, 7n, 5n);
    const bases = await prover.loadBases({ curve: 'bn254', points: encodePoints(bn254, points) });
    const scalars = factors.map((_, i) => (i === 0 ? 2n ** 20n - 1n : BigInt(i)));
    const bytes = encodePoint('bn254', 'g1', multipleOf(bn254, dot(factors, scalars)));
    const taken: MsmOptions[] = [
      {},
      { bitSize: 20 },
      { bitSize: 254 },
      { tuning: { windowBits: 5 } },
      { bitSize: 20, tuning: {} },
      { tuning: { windowBits: 6, largeBucketFactor: 1, chunks: 3, accumulation: 'limbs', digits: 'workers' } },
      { tuning: { reduction: 'cross-window', digits: 'gpu' }, bitSize: 21 },
    ];
    for (const options of taken) {
      expect((await prover.msm(bases, encodeScalars(scalars), options)).bytes).toEqual(bytes);
    }
    const twice = await prover.msmBatch(bases, encodeScalars([...scalars, ...scalars]), { batchSize: 2, bitSize: 20 });
    expect(twice.points.map((point) => point.bytes)).toEqual([bytes, bytes]);
    for (const [options, code] of [
      [{ bitSize: 19 }, 'INVALID_SCALAR'],
      [{ bitSize: 0 }, 'INVALID_ARGUMENT'],
      [{ bitSize: 255 }, 'INVALID_ARGUMENT'],
      [{ tuning: { windowBits: 3 } }, 'INVALID_ARGUMENT'],
      [{ tuning: { windowBits: 21 } }, 'INVALID_ARGUMENT'],
      [{ tuning: 5 }, 'INVALID_ARGUMENT'],
      [{ tuning: { chunks: 0 } }, 'INVALID_ARGUMENT'],
      [{ tuning: { precompute: 4 } }, 'INVALID_ARGUMENT'],
    ] as const) {
      await expect(prover.msm(bases, encodeScalars(scalars), options as object)).rejects.toMatchObject({ code });
    }
    await bases.dispose();
  });

  it.each(curves.filter(({ edwards }) => edwards !== undefined))(
    'adds the share of exceptional points on $id',
    async (curve) => {
      const twoTorsion = pointOfOrderTwo(curve);
      const { points, factors } = progression(curve, 5, 3n, 1n);
      const bases = await prover.loadBases({
        curve: curve.id,
        points: encodePoints(curve, [...points, twoTorsion, twoTorsion]),
        checkSubgroup: false,
      });
      for (const scalars of [
        [5n, 6n, 7n, 8n, 9n, 4n, 6n],
        [5n, 6n, 7n, 8n, 9n, 4n, 5n],
      ]) {
        const sum = multipleOf(curve, dot(factors, scalars.slice(0, 5)));
        const expected = scalars[6] === 6n ? sum : addAffine(curve, sum, twoTorsion);
        const result = await prover.msm(bases, encodeScalars(scalars));
        expect([result.x, result.y]).toEqual(expected);
      }
    },
  );

  it.each(curves)('takes every form of the neutral element on $id', async ({ id, coordinateBytes: size, ...curve }) => {
    const zeros = new Uint8Array(2 * size);
    const neutral = joinBytes([bigintToBytes(0n, size), bigintToBytes(1n, size)]);
    const forms = curve.boundary === 'edwards' ? [zeros, neutral] : [zeros];
    const { x, y, infinity, bytes } = await sumOf(
      id,
      joinBytes(forms),
      forms.map(() => 5n),
    );
    expect({ x, y, infinity, bytes }).toEqual({ ...decodePoint(id, 'g1', zeros), infinity: true, bytes: zeros });
    expect(y).toBe(curve.boundary === 'edwards' ? 1n : 0n);
    const generator = encodePoint(id, 'g1', curve.g1.generator);
    const sum = await sumOf(id, joinBytes([...forms, generator]), [...forms.map(() => 5n), 1n]);
    expect(sum).toMatchObject({
      x: curve.g1.generator[0],
      y: curve.g1.generator[1],
      infinity: false,
      bytes: generator,
    });
  });

  it('takes no points at all', async () => {
    const bases = await prover.loadBases({ curve: 'bn254', points: new Uint8Array(0) });
    expect(bases.count).toBe(0);
    expect(await prover.msm(bases, new Uint8Array(0))).toMatchObject({ x: 0n, y: 0n, infinity: true });
  });

  it.each(curves)('refuses points off the curve and coordinates from p on, on $id', async (curve) => {
    const { id, fq, g1, coordinateBytes: size } = curve;
    const [x, y] = g1.generator;
    for (const [badX, badY] of [
      [x, y + 1n],
      [x + 1n, y],
      [0n, 3n],
      [fq.modulus, 1n],
      [0n, fq.modulus + 1n],
      [(1n << BigInt(8 * size)) - 1n, y],
    ] as const) {
      const points = joinBytes([
        encodePoints(curve, [g1.generator]),
        bigintToBytes(badX, size),
        bigintToBytes(badY, size),
      ]);
      await expect(prover.loadBases({ curve: id, points })).rejects.toMatchObject({ code: 'INVALID_POINT' });
    }
  });

  it('refuses what does not fit', async () => {
    const { points } = progression(bn254, 3, 2n, 1n);
    const bytes = encodePoints(bn254, points);
    await expect(prover.loadBases({ curve: 'bn254', points: bytes.subarray(1) })).rejects.toMatchObject({
      code: 'INVALID_LENGTH',
    });
    await expect(prover.loadBases({ curve: 'edwards-bls12', group: 'g2', points: bytes })).rejects.toMatchObject({
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

  it('takes the memory of scalars only where it may, and scalars of any number in any order', async () => {
    const { points, factors } = progression(bn254, 300, 5n, 9n);
    const scalars = adversarialScalars(300, bn254.fr.modulus).random!;
    const many = await prover.loadBases({ curve: 'bn254', points: encodePoints(bn254, points) });
    const few = await prover.loadBases({ curve: 'bn254', points: encodePoints(bn254, points.slice(0, 7)) });
    const moved = encodeScalars(scalars);
    const part = new Uint8Array([...moved, 0]).subarray(0, moved.length);
    const memory = new Uint8Array(new WebAssembly.Memory({ initial: 1 }).buffer, 0, moved.length);
    memory.set(moved);
    for (const [given, transfer, left] of [
      [moved.slice(), false, 9600],
      [moved.slice(0, 224), true, 0],
      [moved, true, 0],
      [part, true, 9600],
      [part.slice(0, 224), false, 224],
      [memory, true, 9600],
    ] as const) {
      const count = given.length / 32;
      const { x, y } = await prover.msm(count === 7 ? few : many, given, { transfer });
      expect([x, y]).toEqual(multipleOf(bn254, dot(factors.slice(0, count), scalars.slice(0, count))));
      expect(given).toHaveLength(left);
    }
  });

  it('names the first wrong scalar, wherever it is', async () => {
    const count = 2500;
    const { points } = progression(bn254, 2, 5n, 9n);
    const two = encodePoints(bn254, points);
    const all = new Uint8Array(count * 64);
    for (let at = 0; at < all.length; at += two.length) all.set(two, at);
    const bases = await prover.loadBases({ curve: 'bn254', points: all });
    const half = (bn254.fr.modulus - 1n) / 2n;
    for (const at of [0, 1, 1023, 1024, 2047, count - 1]) {
      const scalars = Array.from({ length: count }, (_, i) => (i >= at && i % 2 === at % 2 ? bn254.fr.modulus : half));
      await expect(prover.msm(bases, encodeScalars(scalars))).rejects.toMatchObject({
        code: 'INVALID_SCALAR',
        message: expect.stringContaining(`scalar ${at} `),
      });
    }
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

  it('copies scalars of several pieces before it returns, and keeps calls apart', async () => {
    // 1 MiB of scalars, of which the caller changes its own at once.
    const count = 2 ** (backend === 'wasm' ? 15 : 11);
    const one = encodePoints(bn254, progression(bn254, 1, 1n, 0n).points);
    const points = new Uint8Array(count * one.length);
    for (let at = 0; at < points.length; at += one.length) points.set(one, at);
    const bases = await prover.loadBases({ curve: 'bn254', points });
    const factors = [3n, bn254.fr.modulus - 5n, 2n ** 200n + 7n];
    const running = factors.map((factor) => {
      const scalars = encodeScalars(new Array<bigint>(count).fill(factor));
      const result = prover.msm(bases, scalars);
      scalars.fill(1);
      return result;
    });
    for (const [i, { bytes }] of (await Promise.all(running)).entries()) {
      expect(bytes).toEqual(encodePoint('bn254', 'g1', multipleOf(bn254, BigInt(count) * factors[i]!)));
    }
    await bases.dispose();
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
    const many = encodeScalars(Array.from({ length: 100 }, () => scalars).flat());
    const abort = async (): Promise<number> => {
      const controller = new AbortController();
      let aborted = Number.NaN;
      const onProgress = ({ kind }: ProgressEvent) => {
        if (kind !== 'progress' || controller.signal.aborted) return;
        aborted = performance.now();
        controller.abort();
      };
      const call = prover.msmBatch(bases, many, { batchSize: 100, signal: controller.signal, onProgress });
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
    [{ threads: -1 }, 'threads'],
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
