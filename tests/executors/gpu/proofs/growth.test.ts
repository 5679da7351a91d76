import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Bases, Prover } from '../../../../sdk/api/index.js';
import type { Notice } from '../../../../sdk/api/progress.js';
import { bn254 } from '../../../../sdk/curves/index.js';
import { encodePoint } from '../../../../sdk/curves/point-bytes.js';
import { encodePoints, encodeScalars, multipleOf, progression } from '../../../support/points.js';
import { Random } from '../../../support/random.js';
import type { VirtualDevice } from '../virtual-gpu.js';
import { proverOnGpu } from './prover-on-gpu.js';

/** So many that multiples pay on a software adapter. */
const COUNT = 300;
const { points, factors } = progression(bn254, COUNT, 7n, 5n);
const random = new Random(51);
const scalars = factors.map(() => random.below(bn254.fr.modulus));
const total = factors.reduce((sum, factor, i) => sum + factor * scalars[i]!, 0n);
const expected = encodePoint('bn254', 'g1', multipleOf(bn254, total));

let prover: Prover;
let devices: readonly VirtualDevice[];
let notices: Notice[];
/** Called once, when a worker is about to make multiples. */
let whileTheyAreMade: () => void;

async function start(): Promise<void> {
  notices = [];
  whileTheyAreMade = () => undefined;
  const onNotice = (notice: Notice): void => {
    if (notice.code !== 'WEBGPU_SOFTWARE') notices.push(notice);
  };
  const onMethod = (method: string): void => {
    if (method !== 'multiples') return;
    const act = whileTheyAreMade;
    whileTheyAreMade = () => undefined;
    act();
  };
  ({ prover, devices } = await proverOnGpu({ backend: 'webgpu', onNotice }, { onMethod, isSoftware: true }));
}

const load = (): Promise<Bases> =>
  prover.loadBases({ curve: 'bn254', points: encodePoints(bn254, points), precompute: 'auto' });

async function expectRight(bases: Bases): Promise<void> {
  const { bytes, report } = await prover.msm(bases, encodeScalars(scalars));
  expect(bytes).toEqual(expected);
  expect(report.backend).toBe('webgpu');
}

const codes = (): string[] => notices.map(({ code }) => code);

const told = (...expected: string[]): Promise<void> => expect.poll(codes).toEqual(expected);

/** How many points the bases of the newest device are, multiples among them. */
const sizes = (): number[] =>
  [...devices.at(-1)!.alive].filter(({ label }) => label === 'bases').map(({ size }) => size / 64);

describe('multiples that grow on the GPU', () => {
  beforeAll(start);
  afterAll(() => prover.dispose());
  afterEach(() => {
    notices = [];
  });

  it('are made in idle time after the first sum, and serve the next ones', async () => {
    const bases = await load();
    expect(bases.report.timeline.map(({ phase }) => phase)).not.toContain('precompute');
    await expectRight(bases);
    expect(sizes()).toEqual([COUNT]);
    await told('PRECOMPUTED');
    const [, multiples] = /(\d+) of each base on webgpu/.exec(notices[0]!.message) ?? [];
    expect(Number(multiples)).toBeGreaterThan(1);
    // The copy without them is gone.
    expect(sizes()).toEqual([COUNT * Number(multiples)]);
    await expectRight(bases);
    await expectRight(bases);
    expect(sizes()).toEqual([COUNT * Number(multiples)]);
    await bases.dispose();
    await expect.poll(sizes).toEqual([]);
  });

  it('are left when the bases are disposed of while they are made', async () => {
    const bases = await load();
    const disposed = new Promise<void>((resolve) => {
      whileTheyAreMade = () => void bases.dispose().then(resolve);
    });
    await expectRight(bases);
    await disposed;
    await expect.poll(sizes).toEqual([]);
    // What comes after is not held up, and nothing is told of them.
    const others = await load();
    await expectRight(others);
    await told('PRECOMPUTED');
    await expectRight(others);
    await others.dispose();
  });

  it('are made all the same when a sum is aborted meanwhile', async () => {
    const bases = await load();
    const controller = new AbortController();
    const aborted = new Promise<unknown>((resolve) => {
      whileTheyAreMade = () => {
        const { signal } = controller;
        prover.msm(bases, encodeScalars(scalars), { signal }).catch(({ code }) => resolve(code));
        controller.abort();
      };
    });
    await expectRight(bases);
    expect(await aborted).toBe('ABORTED');
    await told('PRECOMPUTED');
    await expectRight(bases);
    await bases.dispose();
  });

  it('are made again for another device when theirs is lost meanwhile', async () => {
    const bases = await load();
    const lost = new Promise<void>((resolve) => {
      whileTheyAreMade = () => {
        devices[0]!.lose();
        resolve();
      };
    });
    await expectRight(bases);
    await lost;
    await expectRight(bases);
    expect(devices).toHaveLength(2);
    await told('PRECOMPUTED');
    expect(sizes()[0]).toBeGreaterThan(COUNT);
    await expectRight(bases);
    expect(devices).toHaveLength(2);
    await bases.dispose();
  });
});

it('the growth of multiples ends with its prover', async () => {
  await start();
  const bases = await load();
  const disposed = new Promise<void>((resolve) => {
    whileTheyAreMade = () => void prover.dispose().then(resolve);
  });
  await expectRight(bases);
  await disposed;
  expect(codes()).toEqual([]);
});
