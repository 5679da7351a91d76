import { expect, it } from 'vitest';
import { WorkersPace } from '../../sdk/proofs/proof-system.js';

it('estimates by the fastest proof of the same curve, in proportion to the work', () => {
  const pace = new WorkersPace();
  expect(pace.estimate('bn254', 100)).toBeUndefined();
  pace.add('bn254', 1000, 500);
  pace.add('bn254', 100, 20);
  pace.add('bn254', 100, 30);
  expect(pace.estimate('bn254', 1000)).toBeCloseTo(200);
  expect(pace.estimate('bls12-381', 1000)).toBeUndefined();
});

it('learns nothing from a proof without work', () => {
  const pace = new WorkersPace();
  pace.add('bn254', 0, 5);
  expect(pace.estimate('bn254', 100)).toBeUndefined();
});
