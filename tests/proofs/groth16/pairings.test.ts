import { expect, it, vi } from 'vitest';
import type { KernelPool } from '../../../sdk/executors/workers/pool/pool.js';
import { pairings } from '../../../sdk/proofs/groth16/pairings.js';

it('the arithmetic of a verification asks the pool for the method of its name, before other work', async () => {
  const call = vi.fn(async (...given: unknown[]) => given[1]);
  const { signal } = new AbortController();
  const arithmetic = pairings({ call } as unknown as KernelPool, 'bls12-381', signal);
  for (const [method, run] of Object.entries(arithmetic)) {
    const args = { of: method };
    expect(await (run as (given: object) => Promise<unknown>)(args)).toBe(method);
    expect(call).toHaveBeenLastCalledWith('bls12-381', method, args, { signal, urgent: true });
  }
  expect(call).toHaveBeenCalledTimes(4);
});
