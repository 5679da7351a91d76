import { expect, it } from 'vitest';
import { edwardsBls12 } from '../../../sdk/curves/index.js';
import { expectMsms, operands } from '../../support/expect-msms.js';
import { encodeScalars } from '../../support/points.js';
import { adversarialScalars } from '../../support/scalars.js';
import { proverOnGpu } from './proofs/prover-on-gpu.js';

// Among workers, and among the GPUs of several processes: sdk/split.test.ts.
it('sums that are divided between the GPU and a worker are right, and take multiples where there are some', async () => {
  const { prover } = await proverOnGpu({ backend: 'webgpu', threads: 1, split: true });
  try {
    await expectMsms(prover, edwardsBls12, 500, ['webgpu', 'wasm']);
    const { bytes, expected } = operands(edwardsBls12, 300);
    const bases = await prover.loadBases({ curve: 'edwards-bls12', points: bytes, precompute: 2 });
    const { random } = adversarialScalars(300, edwardsBls12.fr.modulus);
    expect((await prover.msm(bases, encodeScalars(random!))).bytes).toEqual(expected(random!));
  } finally {
    await prover.dispose();
  }
});
