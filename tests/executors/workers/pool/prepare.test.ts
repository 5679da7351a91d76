import { setImmediate as messagesHandled } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Kernel } from '../../../../sdk/executors/workers/kernel/kernel.js';
import { KernelHost } from '../../../../sdk/executors/workers/kernel/kernel-host.js';
import { KernelPool } from '../../../../sdk/executors/workers/pool/pool.js';
import { prepareBases } from '../../../../sdk/executors/workers/pool/prepare.js';
import { memorySource } from '../../../../sdk/files/byte-source.js';
import { FakeWorker } from '../../../support/fake-worker.js';
import { loadKernel, modulesFor } from '../../../support/wasm.js';

const POINT = 64;
/** One more than three slices of a worker's. */
const COUNT = 3 * 8192 + 1;

let kernel: Kernel;
let points: Uint8Array;
beforeAll(async () => {
  kernel = await loadKernel('bn254');
  points = await multiples(COUNT);
});

/** G, 2 G, G, 2 G, .. in the boundary form: order matters, and no more is needed. */
async function multiples(count: number): Promise<Uint8Array> {
  const generator = new Uint8Array(POINT);
  generator[0] = 1;
  generator[POINT / 2] = 2;
  const twice = new Uint8Array(2 * POINT);
  twice.set(generator);
  twice.set(generator, POINT);
  const double = await kernel.combine({ group: 'g1', points: twice });
  const all = new Uint8Array(count * POINT);
  for (let i = 0; i < count; i++) all.set(i % 2 === 0 ? generator : double, i * POINT);
  return all;
}

let pool: KernelPool | undefined;
afterAll(() => pool?.dispose());

async function startPool(workers: FakeWorker[] = []): Promise<KernelPool> {
  pool?.dispose();
  pool = new KernelPool(() => {
    const worker = new FakeWorker((emit) => new KernelHost(emit as (event: unknown) => void, messagesHandled));
    workers.push(worker);
    return worker;
  }, 2);
  await pool.open('bn254', modulesFor('bn254'));
  return pool;
}

function prepare(target: KernelPool, given: Uint8Array, onProgress?: (fraction: number) => void) {
  const count = given.length / POINT;
  const request = { curve: 'bn254', group: 'g1', encoding: 'canonical', count, points: memorySource(given) } as const;
  return prepareBases(target, request, { onProgress });
}

describe('prepareBases', () => {
  it('puts the slices of several workers together in their order', async () => {
    const whole = await kernel.prepareBases({
      group: 'g1',
      form: 'weierstrass',
      encoding: 'canonical',
      points,
    });
    const seen: number[] = [];
    const prepared = await prepare(await startPool(), points, (fraction) => seen.push(fraction));
    expect(prepared).toMatchObject({ count: COUNT, kept: COUNT, indices: undefined, exceptional: [] });
    expect(Buffer.compare(prepared.points, whole.points)).toBe(0);
    expect(seen).toEqual([0.25, 0.5, 0.75, 1]);
  });

  it('closes the gaps of points at infinity, and tells which points are left', async () => {
    const dropped = [0, 8191, 8192, 10_000, 3 * 8192];
    const given = points.slice();
    for (const i of dropped) given.fill(0, i * POINT, (i + 1) * POINT);
    const whole = await kernel.prepareBases({
      group: 'g1',
      form: 'weierstrass',
      encoding: 'canonical',
      points: given,
    });
    const prepared = await prepare(await startPool(), given);
    expect(prepared.kept).toBe(COUNT - dropped.length);
    expect([...prepared.indices!]).toEqual([...Array(COUNT).keys()].filter((i) => !dropped.includes(i)));
    expect(Buffer.compare(prepared.points, whole.points)).toBe(0);
  });

  it('prepares no points at all', async () => {
    const prepared = await prepare(await startPool(), new Uint8Array(0));
    expect(prepared).toMatchObject({ count: 0, kept: 0, indices: undefined, exceptional: [] });
    expect(prepared.points).toHaveLength(0);
  });

  it('names a wrong point by its number among all', async () => {
    const given = points.slice();
    given[20_000 * POINT] = 7;
    await expect(prepare(await startPool(), given)).rejects.toMatchObject({
      code: 'INVALID_POINT',
      message: expect.stringContaining('20000'),
    });
  });

  it("does a dead worker's slice again", async () => {
    const workers: FakeWorker[] = [];
    const target = await startPool(workers);
    const whole = await kernel.prepareBases({
      group: 'g1',
      form: 'weierstrass',
      encoding: 'canonical',
      points,
    });
    const preparing = prepare(target, points);
    workers[0]!.die();
    expect(Buffer.compare((await preparing).points, whole.points)).toBe(0);
    expect(workers).toHaveLength(3);
  });
});
