import { afterEach, describe, expect, it } from 'vitest';
import type { BasesOutline } from '../../../../sdk/bases/prepared.js';
import { hostScalars } from '../../../../sdk/bases/scalar-vector.js';
import { KernelPool } from '../../../../sdk/executors/workers/pool/pool.js';
import { RestorableBytes } from '../../../../sdk/executors/workers/pool/restorable-bytes.js';
import type { Share } from '../../../../sdk/executors/workers/pool/shares.js';
import { type WasmBases, WasmMsm } from '../../../../sdk/executors/workers/pool/wasm-msm.js';
import { FakeWorker } from '../../../support/fake-worker.js';

const POINT_BYTES = 64;

/**
 * Stands for a kernel worker: keeps shards by name, and gives for a multiplication the scalars that it was asked for.
 */
class FakeHost {
  readonly shards = new Set<unknown>();
  /** What it was given to keep, shard after shard. */
  readonly points: Uint8Array[] = [];
  multiplications = 0;
  /** The first point of its shard that the last multiplication was over. */
  first: number | undefined;
  /** Called while a shard is being loaded. */
  onLoad = (): void => undefined;

  constructor(private readonly emit: (event: unknown) => void) {}

  async open(): Promise<void> {}

  async run(
    _curve: string,
    method: string,
    args: { id: string; points?: Uint8Array; scalars?: Uint8Array; range?: { from: number; to: number } },
    task: number,
  ): Promise<unknown> {
    const { id, scalars } = args;
    if (method === 'loadShard') {
      this.onLoad();
      this.points.push(args.points!);
      return void this.shards.add(id);
    }
    if (method === 'releaseShard') return void this.shards.delete(id);
    if (!this.shards.has(id)) throw new Error('expected a loaded shard');
    this.multiplications++;
    this.first = args.range?.from;
    this.emit({ task, fraction: 0.5 });
    return scalars;
  }

  cancel(): void {}
}

let pool: KernelPool | undefined;
afterEach(() => pool?.dispose());

function start(size: number): { msm: WasmMsm; hosts: FakeHost[]; workers: FakeWorker[] } {
  const hosts: FakeHost[] = [];
  const workers: FakeWorker[] = [];
  pool = new KernelPool(() => {
    const worker = new FakeWorker((emit) => {
      const host = new FakeHost(emit);
      hosts.push(host);
      return host;
    });
    workers.push(worker);
    return worker;
  }, size);
  return { msm: new WasmMsm(pool), hosts, workers };
}

function load(msm: WasmMsm, kept: number, shares?: readonly Share[], signal?: AbortSignal): Promise<WasmBases> {
  const outline: BasesOutline = {
    curve: 'bn254',
    group: 'g1',
    form: 'weierstrass',
    count: kept,
    kept,
    indices: undefined,
    exceptional: [],
  };
  const make = async () => new Uint8Array(kept * POINT_BYTES);
  const points = new RestorableBytes(new Uint8Array(kept * POINT_BYTES), make);
  return msm.load({ ...outline, points }, undefined, { shares, signal });
}

/** The scalars 0, 1, 2, .. in order, so that the fakes' answers tell which ones a shard was given. */
function numbered(count: number): Uint8Array {
  const scalars = new Uint8Array(count * 32);
  const view = new DataView(scalars.buffer);
  for (let i = 0; i < count; i++) view.setUint32(32 * i, i, true);
  return scalars;
}

/** Resolves when each worker has done all that it has been asked for so far. */
async function answered(hosts: readonly FakeHost[]): Promise<void> {
  const calls = hosts.map((_, worker) => pool!.call('bn254', 'releaseShard', { id: 'none' }, { worker }));
  await Promise.all(calls);
}

/** Waits until the workers keep no shard, after what is being loaded has come: it is released only then. */
async function expectNoShards(hosts: readonly FakeHost[]): Promise<void> {
  await answered(hosts);
  await expect.poll(() => hosts.filter(({ shards }) => shards.size > 0)).toEqual([]);
}

describe('WasmMsm', () => {
  it.each([
    { kept: 10, workers: 3, busy: 3 },
    { kept: 100, workers: 5, busy: 4 },
    { kept: 1000, workers: 3, busy: 3 },
    { kept: 10, workers: 1, busy: 1 },
  ])('spreads a batch over $kept points to $busy of $workers workers', async ({ kept, workers, busy }) => {
    const { msm, hosts } = start(workers);
    const loaded = await load(msm, kept);
    expect(hosts.filter(({ shards }) => shards.size > 0)).toHaveLength(loaded.copies[0]!.length);
    const batch = 6;
    const scalars = numbered(batch * kept);
    const seen: number[] = [];
    const parts = await msm.multiplyBatch(loaded, hostScalars(scalars), batch, {
      onProgress: (fraction) => seen.push(fraction),
    });
    expect(parts).toHaveLength(batch);
    for (const [m, part] of parts.entries()) {
      if (part.kind !== 'points') throw new Error('expected points');
      // The shards' scalars, in any order of the shards, are those of the multiplication.
      const given = part.points.flatMap((bytes) =>
        [...new Uint32Array(bytes.slice().buffer)].filter((_, i) => i % 8 === 0),
      );
      expect(given.toSorted((a, b) => a - b)).toEqual(Array.from({ length: kept }, (_, i) => m * kept + i));
    }
    expect(hosts.filter(({ multiplications }) => multiplications > 0)).toHaveLength(busy);
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    expect(seen.at(-1)).toBe(1);
    loaded.release();
    await expectNoShards(hosts);
  });

  it('keeps the shares that it is told to', async () => {
    const { msm, hosts } = start(3);
    const shares = [
      { worker: 2, from: 0, to: 30 },
      { worker: 0, from: 30, to: 100 },
    ];
    const loaded = await load(msm, 100, shares);
    expect(hosts.map((host) => host.shards.size)).toEqual([1, 0, 1]);
    const [part] = await msm.multiplyBatch(loaded, hostScalars(numbered(100)), 1);
    if (part?.kind !== 'points') throw new Error('expected points');
    expect(part.points.map((bytes) => bytes.length / 32).toSorted((a, b) => a - b)).toEqual([30, 70]);
    const none = await load(msm, 0, []);
    expect(await msm.multiplyBatch(none, hostScalars(numbered(0)), 1)).toEqual([{ kind: 'points', points: [] }]);
  });

  it.each([
    { from: 0, to: 300, shards: 3 },
    { from: 99, to: 201, shards: 2 },
    { from: 49, to: 101, shards: 3 },
    { from: 100, to: 200, shards: 1 },
    { from: 299, to: 300, shards: 1 },
    { from: 100, to: 100, shards: 0 },
  ])(
    'sums the points $from to $to alone, on the $shards workers that keep some of them',
    async ({ from, to, shards }) => {
      const { msm } = start(3);
      const loaded = await load(msm, 300);
      const batch = 2;
      const scalars = hostScalars(numbered(batch * (to - from)));
      const parts = await msm.multiplyBatch(loaded, scalars, batch, { range: { from, to } });
      for (const [m, part] of parts.entries()) {
        if (part.kind !== 'points') throw new Error('expected points');
        expect(part.points).toHaveLength(shards);
        const firsts = part.points.map((bytes) => new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true));
        expect(Math.min(...firsts, m * (to - from))).toBe(m * (to - from));
        expect(part.points.reduce((sum, bytes) => sum + bytes.length / 32, 0)).toBe(to - from);
      }
    },
  );

  it('keeps a range of the points alone, given as bytes', async () => {
    const { msm, hosts } = start(2);
    const points = new Uint8Array(300 * POINT_BYTES).map((_, i) => i / POINT_BYTES);
    const outline = { curve: 'bn254', group: 'g1', form: 'weierstrass', indices: undefined, exceptional: [] } as const;
    const loaded = await msm.load({ ...outline, count: 300, kept: 300, points }, { from: 20, to: 220 });
    expect(loaded.count).toBe(200);
    // The outer quarters on one worker, the middle ones on the other.
    const numbers = hosts.map((host) =>
      host.points.flatMap((some) => [...some].filter((_, i) => i % POINT_BYTES === 0)),
    );
    const run = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => (from + i) % 256);
    expect(numbers).toEqual([[...run(20, 70), ...run(170, 220)], run(70, 170)]);
    const [part] = await msm.multiplyBatch(loaded, hostScalars(numbered(200)), 1);
    if (part?.kind !== 'points') throw new Error('expected points');
    expect(part.points.map((given) => given.length / 32)).toEqual([100, 100]);
  });

  it('multiplies over a range of the points', async () => {
    const { msm, hosts } = start(3);
    const loaded = await load(msm, 300);
    for (const [from, to] of [
      [0, 300],
      [0, 100],
      [99, 101],
      [150, 150],
      [120, 290],
    ] as const) {
      const [part] = await msm.multiplyBatch(loaded, hostScalars(numbered(to - from)), 1, { range: { from, to } });
      if (part?.kind !== 'points') throw new Error('expected points');
      const given = part.points.flatMap((bytes) =>
        [...new Uint32Array(bytes.slice().buffer)].filter((_, i) => i % 8 === 0),
      );
      expect(given.toSorted((a, b) => a - b)).toEqual(Array.from({ length: to - from }, (_, i) => i));
    }
    expect(hosts.map(({ multiplications }) => multiplications)).toEqual([3, 4, 3]);
    expect(hosts.map(({ first }) => first)).toEqual([50, 50, 20]);
  });

  it.each([
    [0, 300],
    [30, 270],
    [49, 251],
    [60, 240],
    [260, 261],
  ])('gives each worker the scalars of its points among %i to %i', async (from, to) => {
    const { msm, hosts } = start(3);
    const loaded = await load(msm, 300);
    const [part] = await msm.multiplyBatch(loaded, hostScalars(numbered(to - from)), 1, { range: { from, to } });
    if (part?.kind !== 'points') throw new Error('expected points');
    const runs = [
      [0, 50, 250, 300],
      [50, 100, 200, 250],
      [100, 200],
    ];
    const given = part.points.map((bytes) => [...new Uint32Array(bytes.slice().buffer)].filter((_, i) => i % 8 === 0));
    const expected = runs.map((ends) => {
      const held = ends.flatMap((end, i) =>
        i % 2 === 0 ? Array.from({ length: ends[i + 1]! - end }, (_, j) => end + j) : [],
      );
      return held.filter((point) => point >= from && point < to).map((point) => point - from);
    });
    expect(new Set(given.map(String))).toEqual(new Set(expected.filter((some) => some.length > 0).map(String)));
    for (const [i, host] of hosts.entries()) {
      const before = runs[i]!.flatMap((end, k) =>
        k % 2 === 0 ? [Math.max(0, Math.min(runs[i]![k + 1]!, from) - end)] : [],
      );
      if (host.multiplications > 0) expect(host.first).toBe(before.reduce((sum, some) => sum + some, 0));
    }
  });

  it('leaves nothing behind when the bases are released during a batch', async () => {
    const { msm, hosts } = start(3);
    const loaded = await load(msm, 10);
    const call = msm.multiplyBatch(loaded, hostScalars(numbered(900)), 90, { onProgress: () => loaded.release() });
    await expect(call).rejects.toMatchObject({ code: 'DISPOSED' });
    await expectNoShards(hosts);
  });

  it('leaves nothing behind when its loading is aborted', async () => {
    const { msm, hosts } = start(3);
    const controller = new AbortController();
    hosts[1]!.onLoad = () => controller.abort();
    const loading = load(msm, 1000, undefined, controller.signal);
    await expect(loading).rejects.toMatchObject({ code: 'ABORTED' });
    await expectNoShards(hosts);
    await load(msm, 1000);
    expect(hosts.filter(({ shards }) => shards.size > 0)).toHaveLength(3);
  });

  it("loads a dead worker's shard into the new one and multiplies again", async () => {
    const { msm, hosts, workers } = start(2);
    const loaded = await load(msm, 200);
    let died = false;
    const parts = await msm.multiplyBatch(loaded, hostScalars(numbered(4 * 200)), 4, {
      onProgress: () => {
        if (!died) workers[1]!.die();
        died = true;
      },
    });
    expect(hosts).toHaveLength(3);
    expect(hosts[2]!.shards.size).toBe(1);
    for (const [m, part] of parts.entries()) {
      if (part.kind !== 'points') throw new Error('expected points');
      const given = part.points.flatMap((bytes) =>
        [...new Uint32Array(bytes.slice().buffer)].filter((_, i) => i % 8 === 0),
      );
      expect(given.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 200 }, (_, i) => m * 200 + i));
    }
  });

  it('stops a batch when its signal fires, and serves the next one', async () => {
    const { msm, hosts } = start(2);
    const loaded = await load(msm, 10);
    const controller = new AbortController();
    const { signal } = controller;
    const call = msm.multiplyBatch(loaded, hostScalars(numbered(900)), 90, {
      signal,
      onProgress: () => controller.abort(),
    });
    await expect(call).rejects.toMatchObject({ code: 'ABORTED' });
    await answered(hosts);
    expect(hosts.reduce((sum, { multiplications }) => sum + multiplications, 0)).toBeLessThan(10);
    expect(await msm.multiplyBatch(loaded, hostScalars(numbered(20)), 2)).toHaveLength(2);
  });
});
