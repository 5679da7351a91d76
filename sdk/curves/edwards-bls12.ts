import type { CurveParameters, EdwardsParameters } from './types.js';

/**
 * Edwards-BLS12: -X^2 + Y^2 = 1 + 3021 X^2 Y^2 over the scalar field of BLS12-377 ("ZEXE", 2018/962), cofactor 4. The
 * generator is arkworks'. d is no square, so the Edwards law is complete on the whole curve. The curve has no pairing
 * and serves only for multi-scalar multiplications.
 *
 * Callers give points of the Edwards form. The workers add on the Weierstrass form that x_m = s (x - alpha), y_m = s y
 * make of the Montgomery curve B y_m^2 = x_m^3 + A x_m^2 + x_m with A = 2 (a + d) / (a - d), B = 4 / (a - d)
 * (Bernstein, Birkner, Joye, Lange, Peters, "Twisted Edwards curves", 2008/013, theorem 3.2): s = B, alpha = A / (3 B).
 * Every number is checked in tests/curves.
 */
export const edwardsBls12: CurveParameters<'edwards-bls12'> = {
  id: 'edwards-bls12',
  name: 'Edwards-BLS12',
  wgslLimbsPerTurn: 2,
  fq: {
    modulus: 8444461749428370424248824938781546531375899335154063827935233455917409239041n,
    bits: 253,
  },
  fr: {
    modulus: 2111115437357092606062206234695386632838870926408408195193685246394721360383n,
    bits: 251,
    twoAdicity: 1,
    nonResidue: 5n,
  },
  coordinateBytes: 32,
  scalarBytes: 32,
  boundary: 'edwards',
  g1: {
    // (3 - A^2) / (3 B^2) and (2 A^3 - 9 A) / (27 B^3)
    a: 703705145785697535354068744898462210947991611262838652327936121326450580667n,
    b: 4534988717285606338948443022678978692775945939249404648335588337437094924611n,
    generator: [
      4497879464030519973909970603271755437257548612157028181994697785683032656389n,
      4357141146396347889246900916607623952598927460421559113092863576544024487809n,
    ],
    cofactor: 4n,
  },
  edwards: true,
};

/** By itself, since only generators and tests use it: no page downloads it. */
export const edwardsBls12Edwards: EdwardsParameters = {
  alpha: 5629641166285580282832549959187697687583932890102709218623488970611606159864n,
  s: 4454160168295440918680551605697480202188346638066041608778544715000777738925n,
  scale: 1n,
  d: 3021n,
};
