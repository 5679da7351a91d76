import { CURVES, type CurveId } from '../../curves/index.js';
import { mod, power } from '../../curves/modular.js';
import { rootOfDomain } from '../../polynomials/domain.js';

/** The roots of unity of an FFLONK key, named and ordered as in snarkjs. */
export const FFLONK_ROOTS = ['w3', 'w4', 'w8', 'wr'] as const;
export type FflonkRoot = (typeof FFLONK_ROOTS)[number];

/** Primitive roots of unity of order 3, 4 and 8, and a cube root of the root that generates the domain. */
export type FflonkRoots = Readonly<Record<FflonkRoot, bigint>>;

/**
 * The first root that is not what its name says, and what it should be; undefined if all are. Which of several
 * primitive roots a key has does not matter: the points at which a proof is opened are the same.
 */
export function wrongRoot(
  curve: CurveId,
  domainSize: number,
  { w3, w4, w8, wr }: FflonkRoots,
): { readonly name: FflonkRoot; readonly expected: string } | undefined {
  const r = CURVES[curve].fr.modulus;
  if (mod(w3 * w3 + w3 + 1n, r) !== 0n) return { name: 'w3', expected: 'w3 as a primitive cube root of unity' };
  if (mod(w4 * w4, r) !== r - 1n) return { name: 'w4', expected: 'w4 as a primitive fourth root of unity' };
  if (power(w8, 4n, r) !== r - 1n) return { name: 'w8', expected: 'w8 as a primitive eighth root of unity' };
  if (power(wr, 3n, r) === rootOfDomain(curve, domainSize)) return undefined;
  return { name: 'wr', expected: "wr as a cube root of the domain's root of unity" };
}
