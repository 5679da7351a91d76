import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Prover } from '../../sdk/api/index.js';
import { proverOnGpu } from '../executors/gpu/proofs/prover-on-gpu.js';
import { addAffine } from '../support/curve-reference.js';
import { inPlaceProver } from '../support/in-place-prover.js';
import { NOBLE_GROUPS } from '../support/noble-groups.js';
import { dot, encodePoints, encodeScalars, multipleOf, pointOfOrderTwo, progression } from '../support/points.js';
import { Random } from '../support/random.js';
import { CURVES_WITH_EDWARDS } from '../support/registry.js';

/** Scalars whose work would otherwise be less, by name. */
function skewed(count: number, order: bigint): Record<string, bigint[]> {
  const random = new Random(71);
  const equal = random.below(order);
  const all = (value: (i: number) => bigint): bigint[] => Array.from({ length: count }, (_, i) => value(i));
  return {
    zero: all(() => 0n),
    one: all(() => 1n),
    equal: all(() => equal),
    short: all((i) => BigInt(i)),
    'the order minus 1': all(() => order - 1n),
    random: all(() => random.below(order)),
    mixed: all((i) => [0n, 1n, order - 1n, equal, random.below(order)][i % 5]!),
  };
}

const bytesOf = ({ points }: { readonly points: readonly { readonly bytes: Uint8Array }[] }) =>
  points.map(({ bytes }) => bytes);

describe.each(['wasm', 'webgpu'] as const)('sums of constant work on %s', (backend) => {
  let prover: Prover;
  beforeAll(async () => {
    ({ prover } = await proverOnGpu({ backend, threads: 2 }, { isSoftware: true }));
  });
  afterAll(() => prover.dispose());

  // A software adapter takes long to compile the kernels of a group.
  const groups = NOBLE_GROUPS.filter(({ curve }) => backend === 'wasm' || curve === 'edwards-bls12');

  it.each(groups)('are right on $curve $group', async ({ curve, group, order, multiple, multiples }) => {
    const sumOf = (some: readonly bigint[], scalars: readonly bigint[]) => multiple(dot(some, scalars) % order);
    const count = 66;
    // With points at infinity, which are dropped, and equal and opposite ones.
    const logs = Array.from({ length: count }, (_, i) => [0n, 1n, order - 1n, BigInt(i)][i % 4]!);
    const bases = await prover.loadBases({ curve, group, points: multiples(logs) });
    for (const [name, scalars] of Object.entries(skewed(count, order))) {
      const sum = await prover.msm(bases, encodeScalars(scalars, curve), { constantWork: true });
      expect(sum.bytes, name).toEqual(sumOf(logs, scalars));
      expect(sum.report.parts).toEqual({ msm: backend });
    }
    const { zero, one, random } = skewed(count, order);
    const several = [zero!, one!, random!];
    const batch = { batchSize: 3, constantWork: true };
    const shared = await prover.msmBatch(bases, encodeScalars(several.flat(), curve), batch);
    expect(bytesOf(shared)).toEqual(several.map((scalars) => sumOf(logs, scalars)));
    const own = await prover.msmBatch(bases, encodeScalars(random!, curve), { ...batch, sharedBases: false });
    const runs = [0, 22, 44].map((from) => [logs, random!].map((all) => all.slice(from, from + 22)));
    expect(bytesOf(own)).toEqual(runs.map(([some, factors]) => sumOf(some!, factors!)));
  });

  const curves = CURVES_WITH_EDWARDS.filter(({ id }) => backend === 'wasm' || id === 'edwards-bls12');
  it.each(curves)('add the share of points outside of the subgroup of $id as it is', async (curve) => {
    const two = pointOfOrderTwo(curve);
    const { points, factors } = progression(curve, 4, 3n, 1n);
    const given = { curve: curve.id, points: encodePoints(curve, [...points, two, two]) };
    const bases = await prover.loadBases({ ...given, checkSubgroup: false });
    // Over and over, since about half of the masked scalars are reduced, by an odd order.
    for (const last of [4n, 5n, 4n, 5n, 4n, 5n]) {
      const scalars = [0n, 1n, curve.fr.modulus - 1n, 7n, 2n, last];
      const sum = multipleOf(curve, dot(factors, scalars.slice(0, 4)));
      const { x, y } = await prover.msm(bases, encodeScalars(scalars), { constantWork: true });
      expect([x, y]).toEqual(last === 4n ? sum : addAffine(curve, sum, two));
    }
  });
});

describe('constantWork of sums', () => {
  const { curve, group, order, multiples, sumOf } = NOBLE_GROUPS[0]!;
  const logs = Array.from({ length: 70 }, (_, i) => BigInt(i) + 1n);

  it('is what the prover says where a call does not', async () => {
    const prover = await inPlaceProver({ backend: 'wasm', threads: 2, constantWork: true });
    const bases = await prover.loadBases({ curve, group, points: multiples(logs), precompute: 4 });
    const scalars = logs.map((log) => log % 3n);
    for (const options of [{}, { bitSize: 2 }, { constantWork: false }, { scalarsForm: 'canonical' as const }]) {
      expect((await prover.msm(bases, encodeScalars(scalars), options)).bytes).toEqual(sumOf(logs, scalars));
    }
    await prover.dispose();
  });

  it('refuses what a sum refuses', async () => {
    const prover = await inPlaceProver({ backend: 'wasm', threads: 1, constantWork: true });
    const bases = await prover.loadBases({ curve, group, points: multiples(logs) });
    const sum = (scalars: readonly bigint[], options: object = {}) =>
      prover.msm(bases, encodeScalars(scalars), options);
    const fours = logs.map(() => 4n);
    await expect(sum([...fours.slice(1), order])).rejects.toMatchObject({ code: 'INVALID_SCALAR' });
    await expect(sum(fours, { bitSize: 2 })).rejects.toMatchObject({ code: 'INVALID_SCALAR' });
    await expect(sum(fours.slice(1))).rejects.toMatchObject({ code: 'INVALID_LENGTH' });
    await expect(sum(fours, { constantWork: 1 })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await expect(sum(fours, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'ABORTED' });
    await expect(inPlaceProver({ constantWork: 'yes' } as object)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    const none = await prover.loadBases({ curve, group, points: new Uint8Array(0) });
    expect(await prover.msm(none, new Uint8Array(0))).toMatchObject({ infinity: true });
    await prover.dispose();
  });
});
