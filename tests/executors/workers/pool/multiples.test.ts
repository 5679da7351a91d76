import { afterEach, describe, expect, it } from 'vitest';
import { joinBytes } from '../../../../sdk/base/bytes.js';
import type { BasesOutline } from '../../../../sdk/bases/prepared.js';
import { computeMultiples } from '../../../../sdk/executors/workers/pool/multiples.js';
import { KernelPool } from '../../../../sdk/executors/workers/pool/pool.js';
import { FakeWorker } from '../../../support/fake-worker.js';

const POINT_BYTES = 64;
const PLAN = { windowBits: 8, rows: 2, multiples: 3 };

let pool: KernelPool | undefined;
afterEach(() => pool?.dispose());

/** Stands for a kernel worker: multiple j of a point has j added to its first byte. */
class FakeHost {
  constructor(private readonly onSlice: (method: string) => Promise<void> | void) {}

  async open(): Promise<void> {}

  async run(_curve: string, method: string, { points }: { points: Uint8Array }): Promise<unknown> {
    await this.onSlice(method);
    if (method !== 'multiples' || points[0] === 255) return undefined;
    const all = Array.from({ length: PLAN.multiples - 1 }, (_, j) =>
      points.map((byte, i) => (i % POINT_BYTES === 0 ? byte + j + 1 : byte)),
    );
    return joinBytes(all);
  }

  cancel(): void {}
}

function start(size: number, onSlice: (method: string) => Promise<void> | void = () => undefined): FakeWorker[] {
  const workers: FakeWorker[] = [];
  pool = new KernelPool(() => {
    const worker = new FakeWorker(() => new FakeHost(onSlice));
    workers.push(worker);
    return worker;
  }, size);
  return workers;
}

const outline = (kept: number): BasesOutline => ({
  curve: 'bn254',
  group: 'g1',
  form: 'weierstrass',
  count: kept,
  kept,
  indices: undefined,
  exceptional: [],
});

function pointsOf(kept: number): Uint8Array {
  const points = new Uint8Array(kept * POINT_BYTES);
  for (let i = 0; i < kept; i++) points.set([i % 200, i >> 8], i * POINT_BYTES);
  return points;
}

describe('computeMultiples', () => {
  it.each([0, 1, 1024, 1025, 5000])('lays the multiples of %i points one after another', async (kept) => {
    start(3);
    const points = pointsOf(kept);
    const seen: number[] = [];
    const made = await computeMultiples(pool!, outline(kept), points, PLAN, { onProgress: (done) => seen.push(done) });
    expect(made!.length).toBe(2 * points.length);
    for (let j = 1; j < PLAN.multiples; j++) {
      const expected = points.map((byte, i) => (i % POINT_BYTES === 0 ? byte + j : byte));
      expect(Buffer.compare(made!.subarray((j - 1) * points.length, j * points.length), expected)).toBe(0);
    }
    expect(seen).toEqual(Array.from({ length: Math.ceil(kept / 1024) }, (_, i) => (i + 1) / Math.ceil(kept / 1024)));
  });

  it('gives none where one slice has none', async () => {
    start(2);
    const points = pointsOf(3000);
    points[1024 * POINT_BYTES] = 255;
    expect(await computeMultiples(pool!, outline(3000), points, PLAN)).toBeUndefined();
  });

  it('waits for its turn before each slice', async () => {
    let slices = 0;
    start(1, () => void slices++);
    let go = (): void => undefined;
    const turns: number[] = [];
    const turn = async (): Promise<void> => {
      turns.push(slices);
      if (turns.length === 2) await new Promise<void>((resolve) => (go = resolve));
    };
    const making = computeMultiples(pool!, outline(3000), pointsOf(3000), PLAN, { turn });
    await expect.poll(() => turns).toEqual([0, 1]);
    expect(slices).toBe(1);
    go();
    await making;
    expect(turns).toEqual([0, 1, 2]);
  });

  it('lets other work go first', async () => {
    const order: string[] = [];
    start(1, (method) => void order.push(method));
    const making = computeMultiples(pool!, outline(2000), pointsOf(2000), PLAN);
    const other = pool!.call('bn254', 'releaseShard', { id: 'other' });
    const background = pool!.call('bn254', 'releaseShard', { id: 'last' }, { background: true });
    await Promise.all([making, other, background]);
    expect(order[1]).toBe('releaseShard');
    expect(order).toHaveLength(4);
  });

  it('stops when it is aborted, and computes a slice again whose worker died', async () => {
    const controller = new AbortController();
    let slices = 0;
    const workers = start(2, async () => {
      slices++;
      if (slices !== 2) return;
      workers[1]!.die();
      await new Promise(() => undefined);
    });
    const points = pointsOf(4000);
    const made = await computeMultiples(pool!, outline(4000), points, PLAN);
    expect(slices).toBe(5);
    expect(made![3999 * POINT_BYTES]).toBe((3999 % 200) + 1);
    controller.abort();
    const late = computeMultiples(pool!, outline(4000), points, PLAN, { signal: controller.signal });
    await expect(late).rejects.toMatchObject({ code: 'ABORTED' });
  });
});
