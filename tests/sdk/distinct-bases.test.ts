import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MsmPoint, Prover } from '../../sdk/api/index.js';
import { bn254 } from '../../sdk/curves/index.js';
import { proverOnGpu } from '../executors/gpu/proofs/prover-on-gpu.js';
import { addAffine } from '../support/curve-reference.js';
import { inPlaceProver } from '../support/in-place-prover.js';
import { NOBLE_GROUPS } from '../support/noble-groups.js';
import { dot, encodePoints, encodeScalars, multipleOf, pointOfOrderTwo, progression } from '../support/points.js';
import { Random } from '../support/random.js';
import { CURVES_WITH_EDWARDS } from '../support/registry.js';

const bytesOf = ({ points }: { readonly points: readonly MsmPoint[] }): Uint8Array[] =>
  points.map(({ bytes }) => bytes);

describe.each(['wasm', 'webgpu'] as const)('prover.msmBatch over bases of their own on %s', (backend) => {
  let prover: Prover;
  beforeAll(async () => {
    ({ prover } = await proverOnGpu({ backend, threads: 3 }, { isSoftware: true }));
  });
  afterAll(() => prover.dispose());

  // A software adapter takes long to compile the kernels of a group.
  const groups = NOBLE_GROUPS.filter(({ curve }) => backend === 'wasm' || curve === 'edwards-bls12');

  it.each(groups)('sums each run on $curve $group', async ({ curve, group, order, multiple, multiples }) => {
    const random = new Random(8);
    const count = 240;
    const logs = Array.from({ length: count }, (_, i) => (i % 7 === 3 || i < 4 ? 0n : BigInt(i)));
    const edges = [0n, 1n, order - 1n, (order - 1n) / 2n, (order + 1n) / 2n];
    const scalars = logs.map((_, i) => edges[i % 9] ?? random.below(order));
    const bases = await prover.loadBases({ curve, group, points: multiples(logs) });
    for (const batchSize of [1, 3, backend === 'wasm' ? 60 : 12]) {
      const size = count / batchSize;
      const options = { batchSize, sharedBases: false };
      const result = await prover.msmBatch(bases, encodeScalars(scalars, curve), options);
      const expected = Array.from({ length: batchSize }, (_, b) => {
        const [from, to] = [b * size, (b + 1) * size];
        return multiple(dot(logs.slice(from, to), scalars.slice(from, to)) % order);
      });
      expect(bytesOf(result)).toEqual(expected);
      expect(result.report.parts).toEqual({ msm: backend });
    }
    const shared = await prover.msmBatch(bases, encodeScalars(scalars, curve), { batchSize: 1, sharedBases: true });
    expect(bytesOf(shared)).toEqual([multiple(dot(logs, scalars) % order)]);
  });

  const curves = CURVES_WITH_EDWARDS.filter(({ id }) => backend === 'wasm' || id === 'edwards-bls12');
  it.each(curves)('adds the exceptional points of each run on $id', async (curve) => {
    const two = pointOfOrderTwo(curve);
    const { points, factors } = progression(curve, 4, 3n, 1n);
    const bases = await prover.loadBases({
      curve: curve.id,
      points: encodePoints(curve, [points[0], two, points[1], points[2], undefined, two, two, two, points[3]]),
      checkSubgroup: false,
    });
    const scalars = [5n, 3n, 7n, 8n, 9n, 1n, 1n, 1n, 6n];
    const { points: sums } = await prover.msmBatch(bases, encodeScalars(scalars), { batchSize: 3, sharedBases: false });
    const plain = [dot([factors[0]!, factors[1]!], [5n, 7n]), factors[2]! * 8n, factors[3]! * 6n];
    const expected = plain.map((factor, i) => {
      const sum = multipleOf(curve, factor);
      return i === 2 ? sum : addAffine(curve, sum, two);
    });
    expect(sums.map(({ x, y }) => [x, y])).toEqual(expected);
  });
});

describe('msmBatch over bases of their own', () => {
  let prover: Prover;
  beforeAll(async () => {
    prover = await inPlaceProver({ backend: 'wasm', threads: 2 });
  });
  afterAll(() => prover.dispose());

  it('uses multiples of the bases', async () => {
    const { curve, group, order, multiples, sumOf } = NOBLE_GROUPS[0]!;
    const random = new Random(2);
    const logs = Array.from({ length: 1024 }, (_, i) => BigInt(i % 100) + 1n);
    const scalars = logs.map(() => random.below(order));
    const bases = await prover.loadBases({ curve, group, points: multiples(logs), precompute: 4 });
    const result = await prover.msmBatch(bases, encodeScalars(scalars), { batchSize: 4, sharedBases: false });
    const runs = [0, 256, 512, 768].map((from) => [logs, scalars].map((all) => all.slice(from, from + 256)));
    expect(bytesOf(result)).toEqual(runs.map(([some, factors]) => sumOf(some!, factors!)));
  });

  it('takes no bases at all, and refuses what does not fit', async () => {
    const none = await prover.loadBases({ curve: 'bn254', points: new Uint8Array(0) });
    const empty = await prover.msmBatch(none, new Uint8Array(0), { batchSize: 3, sharedBases: false });
    expect(empty.points.map(({ infinity }) => infinity)).toEqual([true, true, true]);
    const bases = await prover.loadBases({
      curve: 'bn254',
      points: encodePoints(bn254, progression(bn254, 4, 2n, 1n).points),
    });
    const batch = (scalars: readonly bigint[], options: object) =>
      prover.msmBatch(bases, encodeScalars(scalars), { batchSize: 2, sharedBases: false, ...options });
    await expect(batch([1n, 2n, 3n, 4n], { batchSize: 3 })).rejects.toMatchObject({
      code: 'INVALID_LENGTH',
      message: 'expected a number of bases that 3 divides, got 4',
    });
    await expect(batch([1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n], {})).rejects.toMatchObject({ code: 'INVALID_LENGTH' });
    await expect(batch([1n, 2n, 3n, bn254.fr.modulus], {})).rejects.toMatchObject({ code: 'INVALID_SCALAR' });
    await expect(batch([1n, 2n, 3n, 4n], { sharedBases: 0 })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await expect(batch([1n, 2n, 3n, 4n], { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'ABORTED' });
  });
});
