import { mkdtempSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Bases, Prover } from '../../sdk/api/index.js';
import { bn254 } from '../../sdk/curves/index.js';
import { encodePoint } from '../../sdk/curves/point-bytes.js';
import type { EnginePlatform } from '../../sdk/engine/platform.js';
import { KernelHost } from '../../sdk/executors/workers/kernel/kernel-host.js';
import { openNodeFile } from '../../sdk/files/node-file.js';
import { FakeWorker } from '../support/fake-worker.js';
import { FaultyStore } from '../support/faulty-store.js';
import { inPlaceProver } from '../support/in-place-prover.js';
import { encodePoints, encodeScalars, multipleOf, progression } from '../support/points.js';

const COUNT = 5;
const scalars = Array.from({ length: COUNT }, (_, i) => BigInt(i + 1));

/** Points in a file, and their sum with the scalars. */
function fileOf(first: bigint) {
  const { points, factors } = progression(bn254, COUNT, first, 3n);
  const total = factors.reduce((sum, factor, i) => sum + factor * scalars[i]!, 0n);
  return { bytes: encodePoints(bn254, points), sum: encodePoint('bn254', 'g1', multipleOf(bn254, total)) };
}

const [one, two] = [fileOf(5n), fileOf(1000n)];

let folder: string;
let paths: { one: string; two: string; link: string };
let store: FaultyStore;
let prover: Prover | undefined;
let workers: FakeWorker[];
/** Called before each read, with the number of those before. */
let beforeRead: (reads: number) => void;
let reads: number;
/** How many files have been opened and closed. */
let files: { opened: number; closed: number };

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pippin-changing-'));
  paths = { one: join(folder, 'one'), two: join(folder, 'two'), link: join(folder, 'link') };
  writeFileSync(paths.one, one.bytes);
  writeFileSync(paths.two, two.bytes);
  pointTo('one');
  store = new FaultyStore();
  beforeRead = () => undefined;
  reads = 0;
  files = { opened: 0, closed: 0 };
  await open();
});

afterEach(async () => {
  await prover!.dispose();
  expect(files.closed).toBe(files.opened);
  rmSync(folder, { recursive: true });
});

async function open(cache = true): Promise<void> {
  await prover?.dispose();
  workers = [];
  const spawnKernel = (): FakeWorker => {
    const worker = new FakeWorker((emit) => new KernelHost(emit, setImmediate));
    workers.push(worker);
    return worker;
  };
  const openFile: EnginePlatform['openFile'] = async (path) => {
    const file = await openNodeFile(String(path));
    files.opened++;
    return {
      size: file.size,
      read: (offset, length) => {
        beforeRead(reads++);
        return file.read(offset, length);
      },
      close: () => {
        files.closed++;
        return file.close();
      },
    };
  };
  const options = { backend: 'wasm', threads: 1, cache } as const;
  prover = await inPlaceProver(options, { openStore: async () => store, openFile, spawnKernel });
}

/** Lets the link name another file. */
function pointTo(name: 'one' | 'two'): void {
  const next = join(folder, 'next');
  symlinkSync(paths[name], next);
  renameSync(next, paths.link);
}

const load = (path: string): Promise<Bases> => prover!.loadBases({ curve: 'bn254', points: path });

const sum = async (bases: Bases): Promise<Uint8Array> => (await prover!.msm(bases, encodeScalars(scalars))).bytes;

describe('a path that names one file after another while it is loaded', () => {
  it('never has the points of one kept under the hash of the other', async () => {
    const found = new Set<Uint8Array>();
    for (let round = 0; round < 24; round++) {
      // Each round it moves before other reads: before all, or before some of them.
      beforeRead = () => {
        if (round < 8 || (reads * 7 + round) % 3 === 0) pointTo((reads + round) % 2 === 0 ? 'one' : 'two');
      };
      const loaded = await load(paths.link);
      const result = await sum(loaded);
      found.add(result.every((byte, i) => byte === one.sum[i]) ? one.sum : two.sum);
      expect([one.sum, two.sum]).toContainEqual(result);
      await loaded.dispose();
      await open();
      expect(store.chunks.size).toBe(2);
      for (const [name, { sum: expected }] of [['one', one] as const, ['two', two] as const]) {
        expect(await sum(await load(paths[name]))).toEqual(expected);
      }
      await prover!.clearCache();
    }
    expect(found.size).toBe(2);
  });

  it('is read again in the file that was loaded, when a worker has died', async () => {
    // Without a cache the prepared points are freed before the first sum.
    await open(false);
    const bases = await load(paths.link);
    expect(await sum(bases)).toEqual(one.sum);
    expect(reads).toBe(1);
    pointTo('two');
    rmSync(paths.one);
    workers.at(-1)!.die();
    expect(await sum(bases)).toEqual(one.sum);
    expect(reads).toBe(2);
    await bases.dispose();
    expect(await sum(await load(paths.link))).toEqual(two.sum);
  });
});

describe('a file that is written to', () => {
  it.each<[name: string, change: () => void]>([
    ['cut short', () => truncateSync(paths.one, 64)],
    ['made longer', () => writeFileSync(paths.one, one.bytes.slice(0, 64), { flag: 'a' })],
    ['overwritten', () => writeFileSync(paths.one, two.bytes)],
  ])('is refused when it is %s while it is prepared', async (_, change) => {
    beforeRead = (before) => {
      if (before === 0) change();
    };
    await expect(load(paths.one)).rejects.toMatchObject({ code: 'IO_FAILED' });
    await prover!.dispose();
    expect(store.chunks.size).toBe(0);
  });

  it('leaves no record when it is overwritten after it was prepared', async () => {
    beforeRead = (before) => {
      if (before === 1) writeFileSync(paths.one, two.bytes);
    };
    expect(await sum(await load(paths.one))).toEqual(one.sum);
    await prover!.dispose();
    expect([reads, store.chunks.size]).toEqual([2, 0]);
  });

  it('is an error when a worker needs it again', async () => {
    await open(false);
    const bases = await load(paths.one);
    expect(await sum(bases)).toEqual(one.sum);
    writeFileSync(paths.one, two.bytes);
    workers.at(-1)!.die();
    await expect(sum(bases)).rejects.toMatchObject({ code: 'IO_FAILED' });
  });
});

describe('a file', () => {
  it('is open as long as what was loaded from it', async () => {
    const bases = await load(paths.one);
    expect(files).toEqual({ opened: 1, closed: 0 });
    await bases.dispose();
    await expect.poll(() => files.closed).toBe(1);
    await load(paths.two);
    await prover!.dispose();
    expect(files).toEqual({ opened: 2, closed: 2 });
  });

  it('is closed when loading fails or is aborted', async () => {
    writeFileSync(paths.two, new Uint8Array(64).fill(255));
    await expect(load(paths.two)).rejects.toMatchObject({ code: 'INVALID_POINT' });
    await expect(prover!.groth16.loadKey(paths.two)).rejects.toMatchObject({ code: 'MALFORMED_FILE' });
    const signal = AbortSignal.abort();
    await expect(prover!.loadBases({ curve: 'bn254', points: paths.one }, { signal })).rejects.toMatchObject({
      code: 'ABORTED',
    });
    await expect.poll(() => files.closed).toBe(files.opened);
  });
});
