import { describe, expect, it } from 'vitest';
import type { MsmExecutor } from '../../../sdk/msm/backend.js';
import { ProofTimes } from '../../../sdk/proofs/groth16/proof-times.js';

function timesOf(...proofs: readonly (readonly [executor: string, ms: number])[]): ProofTimes {
  const times = new ProofTimes();
  for (const [executors, ms] of proofs) times.add(new Set(executors.split(' ') as MsmExecutor[]), ms);
  return times;
}

const onGpu = (...all: readonly number[]) => all.map((ms) => ['webgpu', ms] as const);

describe('ProofTimes', () => {
  it('favours the workers where they are clearly faster than the fastest of some proofs on the GPU', () => {
    expect(timesOf(['wasm', 75], ...onGpu(400, 100, 120, 110)).favoursWorkers).toBe(true);
    expect(timesOf(['wasm', 76], ...onGpu(400, 100, 120, 110)).favoursWorkers).toBe(false);
    expect(timesOf(['wasm', 900], ['wasm', 75], ...onGpu(400, 100, 120, 110)).favoursWorkers).toBe(true);
  });

  it('favours nobody before it knows enough', () => {
    expect(timesOf().favoursWorkers).toBe(false);
    expect(timesOf(['wasm', 1]).favoursWorkers).toBe(false);
    expect(timesOf(...onGpu(400, 100, 120, 110)).favoursWorkers).toBe(false);
    expect(timesOf(['wasm', 1], ...onGpu(400, 100, 120)).favoursWorkers).toBe(false);
  });

  it('learns nothing from a proof that both computed', () => {
    expect(timesOf(['wasm webgpu', 1], ...onGpu(400, 100, 120, 110)).favoursWorkers).toBe(false);
    expect(timesOf(['wasm', 75], ['wasm webgpu', 1], ...onGpu(100, 100, 100, 100)).favoursWorkers).toBe(true);
  });
});
