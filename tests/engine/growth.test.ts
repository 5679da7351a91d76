import { setImmediate } from 'node:timers/promises';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { Bases, Groth16Key, Prover, ProverOptions } from '../../sdk/api/index.js';
import type { Notice, ProgressEvent } from '../../sdk/api/progress.js';
import { bls12377, bn254 } from '../../sdk/curves/index.js';
import { encodePoint } from '../../sdk/curves/point-bytes.js';
import type { EnginePlatform } from '../../sdk/engine/platform.js';
import { KernelHost, type KernelMethod } from '../../sdk/executors/workers/kernel/kernel-host.js';
import { keptPointBytes } from '../../sdk/executors/workers/pool/workers-memory.js';
import { MAKING_TIMEOUT, snarkjsWitness, testCircuit } from '../support/circuits.js';
import { EVERY_COMBINATION } from '../support/every-combination.js';
import { endSnarkjs } from '../support/example.js';
import { FakeWorker } from '../support/fake-worker.js';
import { FaultyStore } from '../support/faulty-store.js';
import { inPlaceProver } from '../support/in-place-prover.js';
import { encodePoints, encodeScalars, multipleOf, pointOfEvenOrder, progression } from '../support/points.js';
import { Random } from '../support/random.js';
import { WatchedHost } from '../support/watched-host.js';

/** So many that multiples pay on the workers. */
const COUNT = 300;
const { points, factors } = progression(bn254, COUNT, 5n, 3n);
const bytes = encodePoints(bn254, points);
const random = new Random(41);
const scalars = factors.map(() => random.below(bn254.fr.modulus));
const expected = encodePoint(
  'bn254',
  'g1',
  multipleOf(
    bn254,
    factors.reduce((sum, factor, i) => sum + factor * scalars[i]!, 0n),
  ),
);

let prover: Prover | undefined;
let notices: Notice[] = [];
let store = new FaultyStore();
afterEach(async () => {
  await prover?.dispose();
  notices = [];
  store = new FaultyStore();
});

async function open(options: ProverOptions = {}, platform: Partial<EnginePlatform> = {}): Promise<Prover> {
  await prover?.dispose();
  const all = {
    backend: 'wasm',
    threads: 2,
    onNotice: (notice: Notice) => void notices.push(notice),
    ...options,
  } as const;
  prover = await inPlaceProver(all, { openStore: async () => store, ...platform });
  return prover;
}

const load = (precompute: number | 'auto', points = bytes): Promise<Bases> =>
  prover!.loadBases({ curve: 'bn254', points, precompute });

const sum = async (bases: Bases): Promise<Uint8Array> => (await prover!.msm(bases, encodeScalars(scalars))).bytes;

const codes = () => notices.map(({ code }) => code);

const told = (code: string) => expect.poll(codes).toContain(code);

const phases = ({ report }: Bases) => report.timeline.map(({ phase }) => phase);

/** The names of records of multiples. */
const saved = async () => (await store.keys()).filter((key) => key.includes('/multiples/') && key.endsWith('manifest'));

describe('precomputed multiples', () => {
  it.each([1, 2, 7, 32])('are made while bases are loaded: %i of each', async (precompute) => {
    await open();
    const bases = await load(precompute);
    expect(phases(bases).includes('precompute')).toBe(precompute > 1);
    expect(await sum(bases)).toEqual(expected);
    expect(codes()).toEqual([]);
  });

  it('are taken from the cache by a later load', async () => {
    await open({ cache: true });
    await load(4);
    await open({ cache: true });
    expect(await saved()).toHaveLength(1);
    const again = await load(4);
    expect(phases(again)).not.toContain('precompute');
    expect(await sum(again)).toEqual(expected);
    // Another number of them is another record.
    expect(phases(await load(3))).toContain('precompute');
  });

  it('are made again when their record is gone or damaged', async () => {
    await open({ cache: true });
    await load(4);
    await open({ cache: true });
    const [manifest] = await saved();
    await store.set(manifest!.replace('manifest', '0.0'), new Uint8Array(3));
    expect(phases(await load(4))).toContain('precompute');
    expect(codes()).toContain('CACHE_DAMAGED');
    await open({ cache: true });
    await store.delete(manifest!);
    const bases = await load(4);
    expect(phases(bases)).toContain('precompute');
    expect(await sum(bases)).toEqual(expected);
  });

  it('are made in idle time after the first sum, and then kept for later loads', async () => {
    await open({ cache: true });
    const bases = await load('auto');
    expect(phases(bases)).not.toContain('precompute');
    expect(codes()).toEqual([]);
    expect(await sum(bases)).toEqual(expected);
    await told('PRECOMPUTED');
    expect(await sum(bases)).toEqual(expected);
    await open({ cache: true });
    expect(await saved()).toHaveLength(1);
    const again = await load('auto');
    expect(phases(again).filter((phase) => phase === 'cache-read')).toHaveLength(2);
    expect(await sum(again)).toEqual(expected);
    expect(codes()).toEqual(['PRECOMPUTED']);
  });

  it('do not begin where they do not pay', async () => {
    await open();
    const few = await prover!.loadBases({ curve: 'bn254', points: bytes.slice(0, 128), precompute: 'auto' });
    await prover!.msm(few, encodeScalars(scalars.slice(0, 2)));
    const none = await load('auto', new Uint8Array());
    await prover!.msm(none, new Uint8Array());
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(codes()).toEqual([]);
  });

  it('stop when the bases are released or the prover is disposed', async () => {
    await open();
    const [one, two] = [await load('auto'), await load('auto')];
    await sum(one);
    await one.dispose();
    await sum(two);
    await prover!.dispose();
    expect(codes().filter((code) => code !== 'PRECOMPUTED')).toEqual([]);
  });

  it('are fewer, or none, where memory is short', async () => {
    await open({ memoryBudget: 3 * keptPointBytes('bn254', 'g1') * COUNT });
    const bases = await load(8);
    expect(codes()).toEqual(['PRECOMPUTE_REDUCED']);
    expect(notices[0]!.message).toContain('there is memory for 3 of the 8');
    expect(await sum(bases)).toEqual(expected);
    await open({ memoryBudget: keptPointBytes('bn254', 'g1') * COUNT });
    const alone = await load(8);
    expect(phases(alone)).not.toContain('precompute');
    expect(await sum(alone)).toEqual(expected);
    const auto = await load('auto');
    expect(await sum(auto)).toEqual(expected);
  });

  it('serve sums also where the storage refuses them', async () => {
    store.fault = (operation) => {
      if (operation === 'set') throw new Error('the quota is exceeded');
    };
    await open({ cache: true });
    const bases = await load(4);
    expect(await sum(bases)).toEqual(expected);
    await told('CACHE_UNAVAILABLE');
  });

  it('are not made of points outside the subgroup', async () => {
    await open();
    const [x, y] = bls12377.g1.generator;
    const even = pointOfEvenOrder(bls12377);
    const some = [even, [x, y] as const].map((point) => encodePoint('bls12-377', 'g1', point));
    const given = new Uint8Array(some.flatMap((point) => [...point]));
    const bases = await prover!.loadBases({ curve: 'bls12-377', points: given, precompute: 4, checkSubgroup: false });
    expect(codes()).toEqual(['PRECOMPUTE_REDUCED']);
    expect((await prover!.msm(bases, encodeScalars([0n, 2n]))).bytes).toEqual(
      encodePoint('bls12-377', 'g1', multipleOf(bls12377, 2n)),
    );
  });

  it('are made again after their record made room for another', async () => {
    const options = { cache: true, storageBudget: 64 * COUNT * 4 } as const;
    await open(options);
    await load(4);
    // The bases and three multiples of each fill the budget; others take their place.
    await load(3);
    await open(options);
    expect(await saved()).toHaveLength(1);
    const bases = await load(4);
    expect(phases(bases)).toContain('precompute');
    expect(await sum(bases)).toEqual(expected);
  });

  it('are left where they were by a worker that dies', async () => {
    const workers: FakeWorker[] = [];
    const spawnKernel = () => {
      const worker = new FakeWorker((emit) => new KernelHost(emit, setImmediate));
      workers.push(worker);
      return worker;
    };
    await open({}, { spawnKernel });
    const bases = await load(4);
    workers[0]!.die();
    expect(await sum(bases)).toEqual(expected);
    // While they are made.
    let hasDied = false;
    const onProgress = (event: ProgressEvent): void => {
      if (hasDied || event.kind !== 'span' || event.span.phase !== 'distribute') return;
      hasDied = true;
      workers[1]!.die();
    };
    const others = await prover!.loadBases({ curve: 'bn254', points: bytes, precompute: 8 }, { onProgress });
    expect(hasDied).toBe(true);
    expect(await sum(others)).toEqual(expected);
    expect(codes()).toEqual(['WORKER_REPLACED', 'WORKER_REPLACED']);
  });

  it('are a number from 1 to 32, or auto', async () => {
    await open();
    for (const wrong of [0, 33, 1.5, '4', 'automatic', {}]) {
      await expect(load(wrong as number)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    }
  });

  it('leave a load that is aborted while they are made', async () => {
    await open();
    const controller = new AbortController();
    const loading = prover!.loadBases(
      { curve: 'bn254', points: bytes, precompute: 32 },
      {
        signal: controller.signal,
        onProgress: (event) => event.kind === 'span' && event.span.phase === 'distribute' && controller.abort(),
      },
    );
    await expect(loading).rejects.toMatchObject({ code: 'ABORTED' });
    expect(await sum(await load(2))).toEqual(expected);
  });
});

describe('the multiples of a key', () => {
  afterAll(endSnarkjs);

  it(
    'grow after its first proof, serve later ones, and are there at the next visit',
    async () => {
      const circuit = await testCircuit('hash');
      const witness = await snarkjsWitness(circuit);
      const prove = async (key: Groth16Key): Promise<boolean> => {
        const { proof, publicSignals } = await prover!.groth16.prove(key, witness);
        return prover!.groth16.verify(circuit.verificationKey, publicSignals, proof);
      };
      await open({ cache: true });
      for (const precompute of EVERY_COMBINATION ? (['auto', 3] as const) : (['auto'] as const)) {
        const key = await prover!.groth16.loadKey(circuit.zkey, { precompute });
        expect(await prove(key)).toBe(true);
        if (precompute === 'auto') await told('PRECOMPUTED');
        expect(await prove(key)).toBe(true);
        await key.dispose();
        await open({ cache: true });
        const again = await prover!.groth16.loadKey(circuit.zkey, { precompute });
        expect(again.report.timeline.map(({ phase }) => phase)).not.toContain('precompute');
        expect(again.report.cached).toBe(true);
        expect(await prove(again)).toBe(true);
      }
      expect(codes()).toEqual(['PRECOMPUTED']);
    },
    MAKING_TIMEOUT,
  );

  it(
    'are in memory one vector at a time, however slowly the cache takes them',
    async () => {
      // Each vector has so few points that one call of a worker makes its multiples.
      const { zkey } = await testCircuit('chain');
      const savedBefore: number[] = [];
      const onMethod = async (method: KernelMethod): Promise<void> => {
        if (method === 'multiples') savedBefore.push((await saved()).length);
      };
      class SlowStore extends FaultyStore {
        override async set(key: string, bytes: Uint8Array): Promise<void> {
          for (let turn = 0; turn < 50; turn++) await setImmediate();
          return super.set(key, bytes);
        }
      }
      store = new SlowStore();
      const spawnKernel = () => new FakeWorker((emit) => new WatchedHost(emit, onMethod));
      await open({ cache: true }, { spawnKernel });
      await prover!.groth16.loadKey(zkey, { precompute: 3 });
      await prover!.dispose();
      expect(savedBefore).toEqual([0, 1, 2, 3, 4]);
      expect(await saved()).toHaveLength(5);
    },
    MAKING_TIMEOUT,
  );

  it(
    'do not wait for a GPU that is still being opened',
    async () => {
      const { zkey } = await testCircuit('chain');
      let tellNone: () => void = () => undefined;
      const opened = new Promise<undefined>((resolve) => {
        tellNone = () => resolve(undefined);
      });
      await open({ backend: 'auto', cache: true }, { gpu: () => opened });
      const key = await prover!.groth16.loadKey(zkey, { precompute: 3 });
      expect(key.report.timeline.filter(({ phase }) => phase === 'precompute')).toHaveLength(5);
      tellNone();
    },
    MAKING_TIMEOUT,
  );
});
