import { expect, it } from 'vitest';
import type { NoticeCode } from '../../../../sdk/api/progress.js';
import { bn254 } from '../../../../sdk/curves/index.js';
import { encodePoint } from '../../../../sdk/curves/point-bytes.js';
import { encodePoints, encodeScalars, multipleOf, progression } from '../../../support/points.js';
import { Random } from '../../../support/random.js';
import { proverOnGpu } from './prover-on-gpu.js';

const COUNT = 300;
const { points, factors } = progression(bn254, COUNT, 7n, 5n);
const random = new Random(51);
const scalars = factors.map(() => random.below(bn254.fr.modulus));
const total = factors.reduce((sum, factor, i) => sum + factor * scalars[i]!, 0n);
const expected = encodePoint('bn254', 'g1', multipleOf(bn254, total));

it('sums on the GPU use multiples, and do without on a device that takes the place of a lost one', async () => {
  const notices: NoticeCode[] = [];
  const { prover, devices } = await proverOnGpu({
    backend: 'webgpu',
    onNotice: ({ code }) => void notices.push(code),
  });
  const request = { curve: 'bn254', points: encodePoints(bn254, points) } as const;
  const bases = await prover.loadBases({ ...request, precompute: 4 });
  const sum = async () => (await prover.msm(bases, encodeScalars(scalars))).bytes;
  expect(await sum()).toEqual(expected);
  const sizes = () => [...devices.at(-1)!.alive].filter(({ label }) => label === 'bases').map(({ size }) => size / 64);
  expect(sizes()).toEqual([4 * COUNT]);
  devices[0]!.lose();
  expect(await sum()).toEqual(expected);
  expect(sizes()).toEqual([COUNT]);
  expect(notices).toEqual([]);
  await bases.dispose();
  // Too little memory for all of them.
  const tight = await proverOnGpu({
    backend: 'webgpu',
    memoryBudget: 384_000,
    onNotice: ({ code }) => void notices.push(code),
  });
  const few = await tight.prover.loadBases({ ...request, precompute: 32 });
  expect((await tight.prover.msm(few, encodeScalars(scalars))).bytes).toEqual(expected);
  expect(notices).toEqual(['PRECOMPUTE_REDUCED']);
  await prover.dispose();
  await tight.prover.dispose();
});
