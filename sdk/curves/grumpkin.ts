import { bn254 } from './bn254.js';
import type { CurveParameters } from './types.js';

/**
 * Grumpkin, y^2 = x^3 - 17, with BN254 a cycle of curves: its coordinates are BN254's scalars, its scalars BN254's
 * coordinates (Aztec's cryptography, "The Grumpkin curve"). It has r points, and serves only for multi-scalar
 * multiplications. Every number is checked in tests/curves.
 */
export const grumpkin: CurveParameters<'grumpkin'> = {
  id: 'grumpkin',
  name: 'Grumpkin',
  wgslLimbsPerTurn: 2,
  fq: { modulus: bn254.fr.modulus, bits: 254 },
  fr: { modulus: bn254.fq.modulus, bits: 254, twoAdicity: 1, nonResidue: 3n },
  coordinateBytes: 32,
  scalarBytes: 32,
  boundary: 'weierstrass',
  g1: {
    a: 0n,
    b: bn254.fr.modulus - 17n,
    generator: [1n, 17631683881184975370165255887551781615748388533673675138860n],
    cofactor: 1n,
  },
};
