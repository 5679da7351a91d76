import type { CurveParameters, EdwardsParameters } from './types.js';

const P =
  258664426012969094010652733694893533536393512754914660539884262666720468348340822774968888139573360124440321458177n;

/**
 * BLS12-377 (Bowe, Chiesa, Green, Miers, Mishra, Wu: "ZEXE", 2018/962), family parameter x = 0x8508c00000000001: r =
 * x^4 - x^2 + 1, p = (x - 1)^2 r / 3 + x, cofactor (x - 1)^2 / 3, lambda = x^2 - 1. The generator is zexe's and
 * arkworks'. The Edwards numbers are computed from alpha = -1; all are checked in tests/curves. G2 has points of odd
 * order alone; there are no kernels for the pairing.
 *
 * All of the 2-torsion is rational, so d is a square and the Edwards law is complete on points of odd order (Hisil,
 * Wong, Carter, Dawson 2008/522, section 3.1), not on the whole curve. Bases must lie in the subgroup of order r.
 */
export const bls12377: CurveParameters<'bls12-377'> = {
  id: 'bls12-377',
  name: 'BLS12-377',
  wgslLimbsPerTurn: 3,
  fq: {
    modulus: P,
    bits: 377,
  },
  fr: {
    modulus: 8444461749428370424248824938781546531375899335154063827935233455917409239041n,
    bits: 253,
    twoAdicity: 47,
    nonResidue: 22n,
  },
  coordinateBytes: 48,
  scalarBytes: 32,
  boundary: 'weierstrass',
  g1: {
    a: 0n,
    b: 1n,
    generator: [
      81937999373150964239938255573465948239988671502647976594219695644855304257327692006745978603320413799295628339695n,
      241266749859715473739788878240585681733927191168601896383759122102112907357779751001206799952863815012735208165030n,
    ],
    cofactor: 30631250834960419227450344600217059328n,
  },
  g2: {
    nonResidue: -5n,
    // 1 / u = -u / 5, and -1 / 5 = (3 p - 1) / 5 modulo p.
    b: [0n, (3n * P - 1n) / 5n],
  },
  edwards: true,
  transforms: { inLanes: false },
};

/** By itself, since only generators and tests use it: no page downloads it. */
export const bls12377Edwards: EdwardsParameters = {
  alpha: -1n,
  s: 10189023633222963290707194929886294091415157242906428298294512798502806398782149227503530278436336312243746741931n,
  scale:
    23560188534917577818843641916571445935985386319233886518929971599490231428764380923487987729215299304184915158756n,
  d: 122268283598675559488486339158635529096981886914877139579534153582033676785385790730042363341236035746924960903179n,
};
