import type { CurveParameters } from './types.js';

/**
 * BLS12-381 (Bowe, "BLS12-381: New zk-SNARK elliptic curve construction", 2017;
 * draft-irtf-cfrg-pairing-friendly-curves), family parameter x = -0xd201000000010000: r = x^4 - x^2 + 1, p = (x - 1)^2
 * r / 3 + x, cofactor (x - 1)^2 / 3, lambda = x^2 - 1. Every number is checked in tests/curves.
 */
export const bls12381: CurveParameters<'bls12-381'> = {
  id: 'bls12-381',
  name: 'BLS12-381',
  snarkjs: { name: 'bls12381', aliases: [] },
  wgslLimbsPerTurn: 3,
  fq: {
    modulus:
      4002409555221667393417789825735904156556882819939007885332058136124031650490837864442687629129015664037894272559787n,
    bits: 381,
  },
  fr: {
    modulus: 52435875175126190479447740508185965837690552500527637822603658699938581184513n,
    bits: 255,
    twoAdicity: 32,
    nonResidue: 5n,
  },
  coordinateBytes: 48,
  scalarBytes: 32,
  boundary: 'weierstrass',
  g1: {
    a: 0n,
    b: 4n,
    generator: [
      3685416753713387016781088315183077757961620795782546409894578378688607592378376318836054947676345821548104185464507n,
      1339506544944476473020471379941921221584933875938349620426543736416511423956333506472724655353366534992391756441569n,
    ],
    cofactor: 76329603384216526031706109802092473003n,
  },
  g2: {
    nonResidue: -1n,
    // 4 (1 + u)
    b: [4n, 4n],
  },
  pairing: { family: 'bls12', parameter: -0xd201000000010000n, nonResidue: [1n, 1n], twist: 'M' },
  transforms: { inLanes: false },
};
