import { equalBytes, newBytes } from '../base/bytes.js';
import { type CurveId, SCALAR_BYTES } from '../curves/index.js';
import { randomBytes } from '../curves/random.js';
import type { PairingArithmetic } from './pairings.js';
import { generator, isSameMultiple } from './verified-points.js';

/** Bytes of a coefficient of the random linear combination of powers. */
const COEFFICIENT_BYTES = 16;

/**
 * Whether two points of G1, in the boundary form, are the generator and tau times it, for a tau in G2, and the latter
 * two are in their subgroups.
 */
export async function isTauOfPowers(
  arithmetic: PairingArithmetic,
  curve: CurveId,
  firstTwo: Uint8Array,
  tauG2: Uint8Array,
): Promise<boolean> {
  const half = firstTwo.length / 2;
  const tau = firstTwo.subarray(half);
  return (
    equalBytes(firstTwo.subarray(0, half), generator(curve, 'g1')) &&
    (await arithmetic.isInSubgroup({ group: 'g1', points: tau })) &&
    (await arithmetic.isInSubgroup({ group: 'g2', points: tauG2 })) &&
    (await isSameMultiple(arithmetic, curve, tau, tauG2))
  );
}

/**
 * The scalars of the two MSMs that check n powers P_i, one MSM after another: rho_0, .., rho_(n-2), 0 and 0, rho_0, ..,
 * rho_(n-2), with random rho_i of 128 bits. Their results are L and tau L if P_(i+1) = tau P_i for all i; for other
 * points of the subgroup with probability 2^-128 at most.
 */
export function drawPowersCheck(count: number): Uint8Array {
  const scalars = newBytes(2 * count * SCALAR_BYTES);
  const drawn = randomBytes((count - 1) * COEFFICIENT_BYTES);
  for (let i = 0; i < count - 1; i++) {
    const rho = drawn.subarray(i * COEFFICIENT_BYTES, (i + 1) * COEFFICIENT_BYTES);
    scalars.set(rho, i * SCALAR_BYTES);
    scalars.set(rho, (count + i + 1) * SCALAR_BYTES);
  }
  return scalars;
}
