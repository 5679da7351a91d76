import type { CurveId } from '../../curves/index.js';
import type { KernelPool } from '../../executors/workers/pool/pool.js';
import type { PairingArithmetic } from './verify.js';

/** The arithmetic of a verification, on any idle worker. The curve's kernels must be open. */
export function pairings(pool: KernelPool, curve: CurveId, signal: AbortSignal | undefined): PairingArithmetic {
  const options = { signal, urgent: true };
  return {
    combine: (args) => pool.call(curve, 'combine', args, options),
    isInSubgroup: (args) => pool.call(curve, 'isInSubgroup', args, options),
    pairingProductIsOne: (args) => pool.call(curve, 'pairingProductIsOne', args, options),
    pairing: (args) => pool.call(curve, 'pairing', args, options),
  };
}
