import type { KernelPool } from '../../cpu/pool/pool.js';
import type { CurveId } from '../../curves/index.js';
import type { PairingArithmetic } from './verify.js';

/** What a verification over a curve computes with, on any idle worker; the curve's kernels must be open. */
export function pairings(pool: KernelPool, curve: CurveId, signal: AbortSignal | undefined): PairingArithmetic {
  const options = { signal, urgent: true };
  return {
    combine: (group, points, scalars) => pool.call(curve, 'combine', [group, points, scalars], options),
    isInSubgroup: (group, points) => pool.call(curve, 'isInSubgroup', [group, points], options),
    pairingProductIsOne: (g1, g2) => pool.call(curve, 'pairingProductIsOne', [g1, g2], options),
  };
}
