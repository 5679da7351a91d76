import { setImmediate as messagesHandled } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bigintToBytes, joinBytes } from '../../sdk/base/bytes.js';
import { PippinError } from '../../sdk/base/errors.js';
import type { CeremonyWork } from '../../sdk/ceremony/ceremony-work.js';
import { slicePoints } from '../../sdk/ceremony/scaled-by-gpu.js';
import { ScaledVectors } from '../../sdk/ceremony/scaled-section.js';
import { pointBytes, SCALAR_BYTES } from '../../sdk/curves/index.js';
import { KernelHost } from '../../sdk/executors/workers/kernel/kernel-host.js';
import { KernelPool } from '../../sdk/executors/workers/pool/pool.js';
import { memorySource } from '../../sdk/files/byte-source.js';
import { canonicalPoints } from '../executors/workers/kernel/ceremony/ceremony-groups.js';
import { FakeWorker } from '../support/fake-worker.js';
import { NOBLE_GROUPS } from '../support/noble-groups.js';
import { modulesFor } from '../support/wasm.js';

const CURVE = 'bn254';
const SIZE = pointBytes(CURVE, 'g1');
const noble = NOBLE_GROUPS.find(({ curve, group }) => curve === CURVE && group === 'g1')!;

/** Alters the products of a call of the device. */
type Alter = (call: number, products: readonly Uint8Array[]) => void;

describe('vectors times a scalar beside a GPU', () => {
  let pool: KernelPool;
  let vectors: { group: 'g1'; count: number; bytes: ReturnType<typeof memorySource>; what: string }[];
  let points: Uint8Array[];
  beforeAll(async () => {
    pool = new KernelPool(
      () => new FakeWorker((emit) => new KernelHost(emit as (event: unknown) => void, messagesHandled)),
      2,
    );
    await pool.open(CURVE, modulesFor(CURVE));
    // More than a worker's job, and than the device takes together; infinity at the ends of jobs, too.
    points = [3000, 5, 1025].map((count, i) => noble.line(BigInt(i + 3), count));
    for (const at of [0, 7, 1023, 1024, 2999]) points[0]!.fill(0, at * SIZE, (at + 1) * SIZE);
    vectors = points.map((some, i) => ({
      group: 'g1',
      count: some.length / SIZE,
      bytes: memorySource(some as Uint8Array<ArrayBuffer>),
      what: `vector ${i}`,
    }));
  });
  afterAll(() => pool.dispose());

  /**
   * The vectors times 1, in the boundary form, by a device that returns its points; what was told, and how often the
   * device and the workers computed.
   */
  async function scaled(alter: Alter = () => undefined, over: Pick<CeremonyWork, 'pool'> = { pool }) {
    let [calls, byWorkers] = [0, 0];
    const progress: number[] = [];
    const device = {
      mostPoints: 2048,
      scale: async (given: readonly Uint8Array[]) => {
        const products = given.map((part) => part.slice());
        alter(calls++, products);
        return products;
      },
    };
    const gpu = {
      takes: () => true,
      compute: (_: unknown, first: (points: unknown) => Promise<unknown>, otherwise: () => Promise<unknown>) =>
        first(device).catch((error: unknown) => {
          if (!(error instanceof PippinError) || error.code !== 'RESULT_INVALID') throw error;
          byWorkers++;
          return otherwise();
        }),
    };
    const module: CeremonyWork['module'] = (curve, part) => pool.module(curve, part);
    const work = { gpu, module, signal: undefined, ...over } as unknown as CeremonyWork;
    const scalar = bigintToBytes(1n, SCALAR_BYTES);
    const onProgress = (fraction: number): void => void progress.push(fraction);
    const all = new ScaledVectors(work, CURVE, vectors, { scalar, encoding: 'canonical', onProgress });
    try {
      const made: Uint8Array[] = [];
      for (const vector of vectors) {
        const parts: Uint8Array[] = [];
        for await (const part of all.points(vector)) parts.push(part);
        made.push(canonicalPoints(CURVE, joinBytes(parts)));
      }
      return { made, progress, byWorkers, calls };
    } finally {
      await all.close();
    }
  }

  it('come slice by slice in their order', async () => {
    const { made, progress, byWorkers, calls } = await scaled();
    expect(made).toEqual(points);
    expect([byWorkers, calls]).toEqual([0, 4]);
    expect(progress).toEqual([...progress].sort((a, b) => a - b));
    expect(progress.at(-1)).toBeCloseTo(1, 12);
  });

  it('are right though a slice of them was not', async () => {
    const { made, byWorkers } = await scaled((call, products) => {
      if (call === 0) products[1]!.copyWithin(SIZE, 2 * SIZE, 3 * SIZE);
    });
    expect(made).toEqual(points);
    expect(byWorkers).toBe(1);
  });

  it.each(['pointsToScale', 'checkedProducts'])('are computed again where a worker died in %s', async (dies) => {
    let deaths = 0;
    const dying = {
      size: pool.size,
      call: (curve: never, method: string, args: never, options: never) =>
        method === dies && deaths++ === 0
          ? Promise.reject(new PippinError('WORKER_FAILED', 'expected a worker, got a dead one'))
          : pool.call(curve, method as never, args, options),
    };
    const { made, byWorkers, progress } = await scaled(undefined, { pool: dying as unknown as KernelPool });
    expect(made).toEqual(points);
    expect(byWorkers).toBe(0);
    expect(Math.max(...progress)).toBeLessThanOrEqual(1 + 1e-12);
  });

  it('name the point that is not on the curve, and stop', async () => {
    const bytes = joinBytes([points[2]!]) as Uint8Array<ArrayBuffer>;
    bytes[1024 * SIZE]! ^= 1;
    const good = vectors[2]!;
    vectors[2] = { ...good, bytes: memorySource(bytes) };
    await expect(scaled()).rejects.toMatchObject({
      code: 'INVALID_POINT',
      message: expect.stringContaining('expected point 1024'),
    });
    vectors[2] = good;
  });
});

it('slices are powers of two, so that all workers have several', () => {
  for (const [count, workers, points] of [
    [0, 4, 2 ** 10],
    [2 ** 17, 16, 2 ** 11],
    [2 ** 21, 16, 2 ** 14],
    [2 ** 21, 2, 2 ** 15],
    [3_000_000, 12, 2 ** 14],
    [2 ** 24, 1024, 2 ** 10],
  ] as const) {
    expect(slicePoints(count, workers)).toBe(points);
  }
});
