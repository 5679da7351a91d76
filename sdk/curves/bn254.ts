import type { CurveParameters } from './types.js';

/**
 * BN254 (also alt_bn128, bn128): EIP-196 and EIP-197 give p, r, b and both generators; r - 1 = 2^28 * odd.
 * Every number is checked in tests/curves.
 */
export const bn254: CurveParameters<'bn254'> = {
  id: 'bn254',
  name: 'BN254',
  snarkjs: { name: 'bn128', aliases: ['bn254', 'altbn128'] },
  wgslLimbsPerTurn: 2,
  fq: {
    modulus: 21888242871839275222246405745257275088696311157297823662689037894645226208583n,
    bits: 254,
  },
  fr: {
    modulus: 21888242871839275222246405745257275088548364400416034343698204186575808495617n,
    bits: 254,
    twoAdicity: 28,
    nonResidue: 5n,
  },
  coordinateBytes: 32,
  scalarBytes: 32,
  boundary: 'weierstrass',
  g1: {
    a: 0n,
    b: 3n,
    generator: [1n, 2n],
    cofactor: 1n,
  },
  g2: {
    nonResidue: -1n,
    // 3 / (9 + u)
    b: [
      19485874751759354771024239261021720505790618469301721065564631296452457478373n,
      266929791119991161246907387137283842545076965332900288569378510910307636690n,
    ],
  },
  // The family's parameter (Barreto, Naehrig, "Pairing-friendly elliptic curves of prime order", 2005/133) that gives p
  // and r, and EIP-197's choice of xi = 9 + u.
  pairing: { family: 'bn', parameter: 4965661367192848881n, nonResidue: [9n, 1n], twist: 'D' },
  transforms: { inLanes: true },
};
