import { setImmediate as messagesHandled } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { joinBytes } from '../../../../sdk/base/bytes.js';
import { pointForm } from '../../../../sdk/bases/prepared.js';
import { CURVES, type CurveId, hasCofactor, pointBytes } from '../../../../sdk/curves/index.js';
import { KernelHost } from '../../../../sdk/executors/workers/kernel/kernel-host.js';
import { KernelPool } from '../../../../sdk/executors/workers/pool/pool.js';
import { prepareBases } from '../../../../sdk/executors/workers/pool/prepare.js';
import { expectInSubgroup } from '../../../../sdk/executors/workers/pool/subgroup-check.js';
import { memorySource } from '../../../../sdk/files/byte-source.js';
import { expectRandom, SAMPLES } from '../../../support/expect-random.js';
import { FakeWorker } from '../../../support/fake-worker.js';
import { NOBLE_GROUPS } from '../../../support/noble-groups.js';
import { pointsOutside } from '../../../support/outside-subgroup.js';
import { modulesFor } from '../../../support/wasm.js';

/** More than a slice, without the points at infinity. */
const MANY = 20_000;

describe.each(NOBLE_GROUPS)('the check of the subgroup on $curve $group', ({ curve, group, order, ...noble }) => {
  const bytes = pointBytes(curve, group);
  const workers: FakeWorker[] = [];
  let pool: KernelPool;
  beforeAll(async () => {
    pool = new KernelPool(() => {
      const worker = new FakeWorker((emit) => new KernelHost(emit as (event: unknown) => void, messagesHandled));
      workers.push(worker);
      return worker;
    }, 2);
    await pool.open(curve, modulesFor(curve));
  });
  afterAll(() => pool.dispose());

  const prepare = (points: Uint8Array) => {
    const count = points.length / bytes;
    return prepareBases(pool, { curve, group, encoding: 'canonical', count, points: memorySource(points) });
  };
  const check = async (points: Uint8Array, options: { signal?: AbortSignal; onProgress?: (f: number) => void } = {}) =>
    expectInSubgroup(pool, await prepare(points), 'some points', options);
  /** Members of the subgroup: few different ones, some of them infinity, equal or opposite. */
  const few = noble.multiples([1n, 2n, 0n, order - 1n, 2n, 12345n, 7n]);
  const members = (count: number): Uint8Array => {
    const points = new Uint8Array(count * bytes);
    for (let at = 0; at < points.length; at += few.length) points.set(few.subarray(0, points.length - at), at);
    return points;
  };
  const withPoints = (points: Uint8Array, ...replaced: (readonly [at: number, point: Uint8Array])[]): Uint8Array => {
    for (const [at, point] of replaced) points.set(point, at * bytes);
    return points;
  };

  it.each([0, 1, 2, 3, 7, 255, 256, 257])('lets %i members pass', async (count) => {
    await check(members(count));
  });

  it('lets points at infinity alone pass', async () => {
    await check(new Uint8Array(3 * bytes));
  });

  it('asks the workers for what it needs and no more, and keeps none of it', async () => {
    const asked: [method: string, options: unknown][] = [];
    const answers: Uint8Array[] = [];
    let subsetSums: Uint8Array | undefined;
    const prepared = await Promise.all([members(3), new Uint8Array(3 * bytes)].map(prepare));
    const call = pool.call.bind(pool);
    const watched = vi.spyOn(pool, 'call').mockImplementation(async (...given: Parameters<typeof call>) => {
      const [, method, args, options] = given as [CurveId, string, { points: Uint8Array }, object?];
      asked.push([method, options]);
      // Of a single slice they are the sums as they came.
      if (method === 'sumsInSubgroup') expect(args.points).toEqual(subsetSums);
      const answer: unknown = await call(...given);
      if (method === 'subsetSums') {
        answers.push(answer as Uint8Array);
        subsetSums = (answer as Uint8Array).slice();
      }
      return answer as never;
    });
    for (const bases of prepared) await expectInSubgroup(pool, bases, 'some points');
    watched.mockRestore();
    const [urgent, moved] = [{ urgent: true }, { moved: true }];
    const ofShift = pointForm(curve, group) === 'edwards' ? ['combine', 'prepareBases'] : [];
    const expected = [...ofShift.map((method) => [method, urgent]), ['subsetSums', moved], ['sumsInSubgroup', urgent]];
    expect(asked).toEqual(hasCofactor(curve, group) ? expected : []);
    expect(answers.map(({ length }) => length)).toEqual(hasCofactor(curve, group) ? [0] : []);
  });

  if (!hasCofactor(curve, group)) return;
  const outside = Object.entries(pointsOutside(CURVES[curve], group));

  it.each(outside)('finds one point %s, wherever it is', async (_, point) => {
    for (const [count, at] of [
      [1, 0],
      [2, 1],
      [50, 0],
      [50, 31],
      [50, 49],
    ] as const) {
      await expect(check(withPoints(members(count), [at, point]))).rejects.toMatchObject({
        code: 'INVALID_POINT',
        message: `expected some points in the subgroup of prime order of ${CURVES[curve].name} ${group}, got at least one outside of it`,
      });
    }
  });

  it('draws the point that is added to all others anew for each check', async () => {
    // Only groups with an Edwards form have points of order 2.
    if (pointForm(curve, group) === 'weierstrass') return;
    const [scalars, shifts]: Uint8Array[][] = [[], []];
    const call = pool.call.bind(pool);
    const watched = vi.spyOn(pool, 'call').mockImplementation((...given: Parameters<typeof call>) => {
      const [, method, args] = given as [CurveId, string, { scalars: Uint8Array; shift: Uint8Array }];
      if (method === 'combine') scalars!.push(args.scalars.slice());
      if (method !== 'subsetSums') return call(...given);
      shifts!.push(args.shift.slice());
      throw new Error('enough');
    });
    for (let i = 0; i < SAMPLES; i++) await expect(check(members(2))).rejects.toThrow('enough');
    watched.mockRestore();
    expectRandom(scalars!, order);
    expect(new Set(shifts!.map(String)).size).toBe(SAMPLES);
  });

  it('finds points outside that cancel each other', async () => {
    for (const [, point] of outside) {
      const opposite = await pool.call(curve, 'combine', {
        group,
        points: point.slice(),
        scalars: joinBytes([scalar(order - 1n)]),
      });
      // Of a point outside r - 1 times it is not its opposite, but it is outside as well.
      await expect(check(withPoints(members(20), [3, point], [4, opposite]))).rejects.toMatchObject({
        code: 'INVALID_POINT',
      });
      await expect(check(withPoints(members(20), [3, point], [4, point]))).rejects.toMatchObject({
        code: 'INVALID_POINT',
      });
      await expect(check(repeated(point, 300))).rejects.toMatchObject({ code: 'INVALID_POINT' });
    }
  });

  it('finds one among several slices, and tells how far it is', async () => {
    const told: number[] = [];
    await check(members(MANY), { onProgress: (fraction) => told.push(fraction) });
    expect(told).toEqual([0.5, 1]);
    const [, point] = outside[0]!;
    for (const at of [0, MANY - 1]) {
      await expect(check(withPoints(members(MANY), [at, point]))).rejects.toMatchObject({ code: 'INVALID_POINT' });
    }
  });

  it('goes on when a worker dies, and stops when it is aborted', async () => {
    const dying = check(members(3000));
    workers[0]!.die();
    await dying;
    const signal = AbortSignal.abort();
    await expect(check(members(3), { signal })).rejects.toMatchObject({ code: 'ABORTED' });
  });

  function scalar(value: bigint): Uint8Array {
    const { scalarBytes } = CURVES[curve];
    return Uint8Array.from({ length: scalarBytes }, (_, i) => Number((value >> BigInt(8 * i)) & 255n));
  }
  function repeated(point: Uint8Array, count: number): Uint8Array {
    return joinBytes(Array.from({ length: count }, () => point));
  }
});
