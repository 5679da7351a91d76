import type { CurveId, GroupId } from '../curves/index.js';
import type { KernelPool } from '../executors/workers/pool/pool.js';

/** Computes sum k_i P_i of a few affine points of a group; every k_i is 1 if `scalars` is left out. */
export type Combine = (args: {
  readonly group: GroupId;
  readonly points: Uint8Array;
  readonly scalars?: Uint8Array;
}) => Promise<Uint8Array>;

/**
 * The arithmetic of a verification: methods of the curve's kernel, in this thread or on a worker. Points are affine in
 * the boundary form.
 */
export interface PairingArithmetic {
  readonly combine: Combine;
  /** Whether all points are in the group of prime order, to which infinity belongs. */
  isInSubgroup(args: { readonly group: GroupId; readonly points: Uint8Array }): Promise<boolean>;
  /** Whether the product of the pairings of g1's points with g2's is 1. */
  pairingProductIsOne(args: { readonly g1: Uint8Array; readonly g2: Uint8Array }): Promise<boolean>;
  /** The product of these pairings. */
  pairing(args: { readonly g1: Uint8Array; readonly g2: Uint8Array }): Promise<Uint8Array>;
}

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
