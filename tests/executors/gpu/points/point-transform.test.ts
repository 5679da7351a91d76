import { setImmediate as messagesHandled } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { joinBytes } from '../../../../sdk/base/bytes.js';
import { preparedPointBytes } from '../../../../sdk/bases/prepared.js';
import type { CeremonyWork } from '../../../../sdk/ceremony/ceremony-work.js';
import { overLagrangeBasis, transformPoints } from '../../../../sdk/ceremony/powers/point-transform.js';
import { CURVES } from '../../../../sdk/curves/index.js';
import { inverse, mod, power } from '../../../../sdk/curves/modular.js';
import { GpuPoints } from '../../../../sdk/executors/gpu/points/gpu-points.js';
import { KernelHost } from '../../../../sdk/executors/workers/kernel/kernel-host.js';
import { KernelPool } from '../../../../sdk/executors/workers/pool/pool.js';
import { rootOfDomain } from '../../../../sdk/polynomials/domain.js';
import { multiplyAffine } from '../../../support/curve-reference.js';
import { FakeWorker } from '../../../support/fake-worker.js';
import { packBases } from '../../../support/msm-reference.js';
import { NOBLE_GROUPS } from '../../../support/noble-groups.js';
import { Random } from '../../../support/random.js';
import { modulesFor } from '../../../support/wasm.js';
import { canonicalPoints } from '../../workers/kernel/ceremony/ceremony-groups.js';
import { sharedDevice } from '../test-device.js';

const CURVE = 'bn254';
const curve = CURVES[CURVE];
const r = curve.fr.modulus;
const SIZE = preparedPointBytes(CURVE, 'g1');
const noble = NOBLE_GROUPS.find((each) => each.curve === CURVE && each.group === 'g1')!;

/** Points of G1 by their logarithms, as they are prepared; zeros for 0. */
function prepared(logs: readonly bigint[]): Uint8Array {
  const points = logs.map((log) => multiplyAffine(curve, curve.g1.generator, log === 0n ? 1n : log)!);
  const packed = packBases(CURVE, points).points.slice();
  for (const [i, log] of logs.entries()) if (log === 0n) packed.fill(0, i * SIZE, (i + 1) * SIZE);
  return packed;
}

/** sum_i w^(-ij) a_i for all j, over a domain of n. */
function transformed(logs: readonly bigint[], n: number): bigint[] {
  const root = inverse(rootOfDomain(CURVE, n), r);
  return Array.from({ length: n }, (_, j) =>
    logs.slice(0, n).reduce((sum, log, i) => mod(sum + log * power(root, BigInt(i * j), r), r), 0n),
  );
}

describe('NTTs over points on the GPU', () => {
  const random = new Random(21);
  /** One point less than the largest domain has, and an infinite one. */
  const logs = Array.from({ length: 15 }, (_, i) => (i === 6 ? 0n : random.below(r - 1n) + 1n));
  let pool: KernelPool;
  let gpu: GpuPoints;
  beforeAll(async () => {
    pool = new KernelPool(
      () => new FakeWorker((emit) => new KernelHost(emit as (event: unknown) => void, messagesHandled)),
      2,
    );
    await pool.open(CURVE, modulesFor(CURVE));
    gpu = new GpuPoints(await sharedDevice(), CURVE, 'g1');
    await gpu.ready;
  });
  afterAll(async () => {
    gpu.destroy();
    await pool.dispose();
  });

  function workWith(compute: (byGpu: (points: GpuPoints) => unknown, byWorkers: () => unknown) => unknown) {
    const module: CeremonyWork['module'] = (id, part) => pool.module(id, part);
    const own = { compute: (_: unknown, byGpu: never, byWorkers: never) => compute(byGpu, byWorkers) };
    return { pool, module, signal: undefined, gpu: own } as unknown as CeremonyWork;
  }
  const gpuOf = (mostTransformed: number, mostPoints: number): GpuPoints =>
    Object.create(gpu, { mostTransformed: { value: mostTransformed }, mostPoints: { value: mostPoints } });
  const domains = (from: number, to: number) => ({ curve, group: 'g1', points: prepared(logs), from, to }) as const;

  it.each([
    ['all domains at once', 31, 2 ** 10],
    ['all domains at once, in small runs', 31, 3],
    ['each domain for itself', 16, 8],
    ['domains in halves', 8, 5],
    ['domains in parts of two points', 2, 1],
  ])('are divided by the sizes of domains: %s', async (_, mostTransformed, mostPoints) => {
    const progress: number[] = [];
    const parts = await overLagrangeBasis(
      workWith((byGpu) => byGpu(gpuOf(mostTransformed, mostPoints))),
      domains(0, 4),
      (fraction) => void progress.push(fraction),
    );
    const expected = [1, 2, 4, 8, 16].flatMap((n) =>
      transformed(logs, n).map((log) => mod(log * inverse(BigInt(n), r), r)),
    );
    expect(canonicalPoints(CURVE, joinBytes(parts))).toEqual(noble.multiples(expected));
    expect(progress).toEqual([...progress].sort((a, b) => a - b));
    expect(progress.at(-1)).toBeCloseTo(1, 12);
  });

  it('are the same by the workers', async () => {
    const given = domains(1, 3);
    const [byGpu, byWorkers] = await Promise.all([
      overLagrangeBasis(
        workWith((first) => first(gpu)),
        given,
        () => undefined,
      ),
      overLagrangeBasis(
        workWith((_, second) => second()),
        given,
        () => undefined,
      ),
    ]);
    expect(joinBytes(byGpu)).toEqual(joinBytes(byWorkers));
  });

  it.each([16, 4])('are not divided, in place, with at most %i points at once', async (most) => {
    const points = new Uint8Array(16 * SIZE);
    points.set(prepared(logs));
    points.fill(0, 0, SIZE);
    await transformPoints(
      workWith((byGpu) => byGpu(gpuOf(most, most))),
      { curve, group: 'g1', points },
      () => undefined,
    );
    expect(points).toEqual(prepared(transformed([0n, ...logs.slice(1)], 16)));
  });

  it('are refused where a point is another, or half of them were not computed', async () => {
    const altered = (alter: (made: Uint8Array, given: Uint8Array) => void): GpuPoints =>
      Object.create(gpu, {
        transform: {
          value: async (...args: Parameters<GpuPoints['transform']>) => {
            const made = await gpu.transform(...args);
            alter(made, args[0]);
            return made;
          },
        },
      });
    for (const alter of [
      (made: Uint8Array) => made.copyWithin(SIZE, 2 * SIZE, 3 * SIZE),
      (made: Uint8Array) => made.fill(0, made.length - SIZE),
      (made: Uint8Array) => made.fill(1, made.length - SIZE),
      (made: Uint8Array, given: Uint8Array) => made.set(given.subarray(made.length / 2), made.length / 2),
    ]) {
      const call = overLagrangeBasis(
        workWith((byGpu) => byGpu(altered(alter))),
        domains(2, 3),
        () => undefined,
      );
      await expect(call).rejects.toMatchObject({ code: 'RESULT_INVALID' });
    }
  });
});
