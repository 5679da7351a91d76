import { the } from '../field/field';
import { Fq2 } from '../field/fq2';
import { Fq12 } from '../field/fq12';
import { Weierstrass, ZeroA } from '../curve/weierstrass';
import { powerByParameter } from './final-exponentiation';
import { EXTENDED } from '../generated/scratch';
import { addToMultiple, copyPoint, hasReached, Pair } from './miller-loop';
import { isAffineOf, multiplyByParameter, psi } from './twist';

// Scratch elements of Fq12.
const X: usize = memory.data(6 * EXTENDED);
const X2: usize = memory.data(6 * EXTENDED);
const X3: usize = memory.data(6 * EXTENDED);
const A: usize = memory.data(6 * EXTENDED);
const B: usize = memory.data(6 * EXTENDED);
// A scratch point of the twist, affine, and scratch sums.
const Q: usize = memory.data(2 * EXTENDED);
const MULTIPLE: usize = memory.data(4 * EXTENDED);
const DOUBLE: usize = memory.data(4 * EXTENDED);

/**
 * What is particular to the pairing of Barreto-Naehrig curves with a positive parameter x (Barreto, Naehrig,
 * "Pairing-friendly elliptic curves of prime order", 2005/133): r = 36 x^4 + 36 x^3 + 18 x^2 + 6 x + 1, p = r + 6 x^2.
 * The Miller loop runs over the digits of 6 x + 2.
 */
@unmanaged
export class BarretoNaehrig<Base, Constants> {
  /** The lines through [6 x + 2] Q, psi(Q) and -psi^2(Q) (2008/096, section IV.B). */
  finishLoop(f: usize, pairs: usize, end: usize): void {
    const at = the<Pair<Base>>();
    for (let pair = pairs; pair < end; pair += at.size) {
      psi<Base, Constants>(Q, pair + at.q);
      addToMultiple<Base, Constants>(f, pair, Q);
      psi<Base, Constants>(Q, Q);
      copyPoint<Base>(Q, Q, true);
      addToMultiple<Base, Constants>(f, pair, Q);
    }
  }

  /**
   * Whether Q of a pair is in G2, once the loop has run, whatever the order of Q: T = [6 x + 2] Q + psi(Q) - psi^2(Q)
   * is then -psi^3(Q). On the whole twist psi^2 - t psi + p = 0; with it the equation gives [n] Q = 0 for the norm n of
   * psi^3 - psi^2 + psi + 6 x + 2, and n has no factor but r in common with the twist's order (the generator checks it
   * for the curve). T has become infinity if an addition met equal or opposite points; with Q of order r none does.
   */
  hasEndedInG2(pair: usize): bool {
    psi<Base, Constants>(Q, pair + the<Pair<Base>>().q);
    psi<Base, Constants>(Q, Q);
    psi<Base, Constants>(Q, Q);
    copyPoint<Base>(Q, Q, true);
    return hasReached<Base>(pair, Q);
  }

  /**
   * r = m^(k (p^4 - p^2 + 1) / r) for m of the cyclotomic subgroup, with k = 2 x (6 x^2 + 3 x + 1): the exponent is
   * (1 + 6x + 12x^2 + 12x^3) + (4x + 6x^2 + 12x^3) p + (6x + 6x^2 + 12x^3) p^2 + (-1 + 4x + 6x^2 + 12x^3) p^3
   * (Fuentes-Castaneda, Knapp, Rodriguez-Henriquez, "Faster hashing to G2", SAC 2011, section 5): three powers by x.
   */
  raiseToHardPart(r: usize, m: usize): void {
    const fq12 = the<Fq12<Base, Constants>>();
    // X2 = m^(6x^2), X3 = m^(12x^3), and at first X = m^(2x), X2 = m^(6x).
    powerByParameter<Base, Constants>(X, m);
    fq12.cyclotomicSqr(X, X);
    fq12.cyclotomicSqr(X2, X);
    fq12.mul(A, X2, X);
    powerByParameter<Base, Constants>(X2, A);
    fq12.cyclotomicSqr(B, X2);
    powerByParameter<Base, Constants>(X3, B);
    // A = m^(6x + 6x^2 + 12x^3), B = m^(4x + 6x^2 + 12x^3).
    fq12.mul(A, A, X2);
    fq12.mul(A, A, X3);
    fq12.conjugate(X, X);
    fq12.mul(B, A, X);
    // r = B^(p) A^(p^2) (B / m)^(p^3) (A m^(1 + 6x^2)), by Horner's rule in p.
    fq12.conjugate(X, m);
    fq12.mul(X, B, X);
    fq12.frobenius(X, X);
    fq12.mul(X, X, A);
    fq12.frobenius(X, X);
    fq12.mul(X, X, B);
    fq12.frobenius(X, X);
    fq12.mul(A, A, X2);
    fq12.mul(A, A, m);
    fq12.mul(r, X, A);
  }

  /** All points of the curve are in G1, whose cofactor is 1. */
  isInG1(point: usize): bool {
    return true;
  }

  /**
   * Whether an affine point of the twist is in its subgroup of order r, by psi(Q) = [6 x^2] Q (El Housni, Guillevic,
   * Piellard, "Co-factor clearing and subgroup membership testing on pairing-friendly curves", 2022/352, section 4). On
   * the whole twist psi^2 - t psi + p = 0 with t = 6 x^2 + 1, p + 1 - t = r. So psi(Q) = [t - 1] Q gives [(t - 1)^2 - t
   * (t - 1) + p] Q = [r] Q = 0; and on the subgroup psi multiplies by p, which is t - 1 modulo r.
   */
  isInG2(point: usize): bool {
    const group = the<Weierstrass<Fq2<Base>, ZeroA>>();
    group.setIdentity(MULTIPLE);
    group.addBase(MULTIPLE, MULTIPLE, point, false);
    multiplyByParameter<Fq2<Base>, Constants>(MULTIPLE);
    multiplyByParameter<Fq2<Base>, Constants>(MULTIPLE);
    group.dbl(DOUBLE, MULTIPLE);
    group.add(MULTIPLE, MULTIPLE, DOUBLE);
    group.dbl(MULTIPLE, MULTIPLE);
    psi<Base, Constants>(Q, point);
    return isAffineOf<Fq2<Base>>(MULTIPLE, Q);
  }
}
