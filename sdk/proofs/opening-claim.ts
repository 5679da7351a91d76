import { joinBytes } from '../base/bytes.js';
import type { CurveId } from '../curves/index.js';
import type { PairingArithmetic } from './pairings.js';
import { generator, multiples } from './verified-points.js';

/** A point of G1 and its factor in a linear combination, any integer. */
export type ClaimTerm = readonly [point: Uint8Array, factor: bigint];

/**
 * What a PLONK or FFLONK proof claims in the end, if its points are in G1: e(opened, G2) e(quotient, tau G2) = 1 for
 * two linear combinations. A point that all claims of a key have in common is the same array in all of them.
 */
export interface OpeningClaim {
  /** The points of the proof. */
  readonly points: readonly Uint8Array[];
  readonly opened: readonly ClaimTerm[];
  readonly quotient: readonly ClaimTerm[];
}

/**
 * Whether a claim holds: its points must be in the subgroup, and the equation true, by two MSMs and a product of two
 * pairings.
 */
export async function claimHolds(
  arithmetic: PairingArithmetic,
  curve: CurveId,
  X_2: Uint8Array,
  { points, opened, quotient }: OpeningClaim,
): Promise<boolean> {
  if (!(await arithmetic.isInSubgroup({ group: 'g1', points: joinBytes(points) }))) return false;
  const sums = await Promise.all([opened, quotient].map((terms) => multiples(arithmetic, curve, terms)));
  return arithmetic.pairingProductIsOne({ g1: joinBytes(sums), g2: joinBytes([generator(curve, 'g2'), X_2]) });
}
