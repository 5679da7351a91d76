import { the } from '../field/field';
import { Fq2 } from '../field/fq2';
import { Fq12 } from '../field/fq12';
import { Weierstrass, ZeroA } from '../curve/weierstrass';
import { powerByParameter } from './final-exponentiation';
import { EXTENDED } from '../generated/scratch';
import { copyPoint, hasReached, Pair } from './miller-loop';
import { isAffineOf, multiplyByParameter, psi } from './twist';

// Scratch elements of Fq12.
const A: usize = memory.data(6 * EXTENDED);
const B: usize = memory.data(6 * EXTENDED);
const C: usize = memory.data(6 * EXTENDED);
// A scratch point, affine, and a scratch sum.
const IMAGE: usize = memory.data(2 * EXTENDED);
const MULTIPLE: usize = memory.data(4 * EXTENDED);

/**
 * What is particular to the pairing of BLS curves of embedding degree 12 (Barreto, Lynn, Scott, "Constructing elliptic
 * curves with prescribed embedding degrees", 2002/088): r = x^4 - x^2 + 1, p = (x - 1)^2 r / 3 + x, for a parameter x
 * of either sign. The Miller loop runs over the digits of |x|.
 */
@unmanaged
export class BarretoLynnScott12<Base, Constants> {
  /**
   * The pairing needs only f_{x,Q}(P) (2008/096, section IV). For x < 0 that is 1 / f_{|x|,Q}(P), up to factors that
   * the final exponentiation sends to 1.
   */
  finishLoop(f: usize, pairs: usize, end: usize): void {
    if (the<Constants>().isParameterNegative) the<Fq12<Base, Constants>>().conjugate(f, f);
  }

  /**
   * Whether Q of a pair is in G2, once the loop has run, whatever the order of Q: by the equation of `isInG2`, since T
   * is [|x|] Q. T has become infinity if an addition met equal or opposite points; with Q of order r none does.
   */
  hasEndedInG2(pair: usize): bool {
    psi<Base, Constants>(IMAGE, pair + the<Pair<Base>>().q);
    copyPoint<Base>(IMAGE, IMAGE, the<Constants>().isParameterNegative);
    return hasReached<Base>(pair, IMAGE);
  }

  /**
   * r = m^(3 (p^4 - p^2 + 1) / r) for m of the cyclotomic subgroup: the exponent is (x - 1)^2 (x + p)(x^2 + p^2 - 1) +
   * 3 (Hayashida, Hayasaka, Teruya, "Efficient final exponentiation via cyclotomic structure for pairings over families
   * of elliptic curves", 2020/875): five powers by x.
   */
  raiseToHardPart(r: usize, m: usize): void {
    const fq12 = the<Fq12<Base, Constants>>();
    // A = m^((x - 1)^2).
    powerByParameter<Base, Constants>(A, m);
    fq12.conjugate(B, m);
    fq12.mul(A, A, B);
    powerByParameter<Base, Constants>(B, A);
    fq12.conjugate(A, A);
    fq12.mul(A, B, A);
    // A = A^(x + p).
    powerByParameter<Base, Constants>(B, A);
    fq12.frobenius(A, A);
    fq12.mul(A, B, A);
    // A = A^(x^2 + p^2 - 1).
    powerByParameter<Base, Constants>(B, A);
    powerByParameter<Base, Constants>(C, B);
    fq12.frobenius(B, A);
    fq12.frobenius(B, B);
    fq12.mul(C, C, B);
    fq12.conjugate(A, A);
    fq12.mul(A, C, A);
    fq12.cyclotomicSqr(B, m);
    fq12.mul(B, B, m);
    fq12.mul(r, A, B);
  }

  /**
   * Whether an affine point of the curve is in its subgroup of order r, by phi(P) = [-x^2] P for phi = (beta x, y)
   * (Scott, "A note on group membership tests for G1, G2 and GT on BLS pairing-friendly curves", 2021/1130). phi^2 +
   * phi + 1 = 0 on the whole curve, so that phi(P) = [-x^2] P gives [x^4 - x^2 + 1] P = [r] P = 0; and on the subgroup
   * phi multiplies by -x^2 for one of the two beta.
   */
  isInG1(point: usize): bool {
    const f = the<Base>();
    const n = f.size;
    const group = the<Weierstrass<Base, ZeroA>>();
    group.setIdentity(MULTIPLE);
    group.addBase(MULTIPLE, MULTIPLE, point, true);
    multiplyByParameter<Base, Constants>(MULTIPLE);
    multiplyByParameter<Base, Constants>(MULTIPLE);
    f.mul(IMAGE, point, the<Constants>().g1Beta);
    f.copy(IMAGE + n, point + n);
    return isAffineOf<Base>(MULTIPLE, IMAGE);
  }

  /**
   * Whether an affine point of the twist is in its subgroup of order r, by psi(Q) = [x] Q (2021/1130). On the whole
   * twist psi^2 - t psi + p = 0 with t = x + 1. So psi(Q) = [x] Q gives [p - x] Q = [(x - 1)^2 / 3 r] Q = 0, and (x -
   * 1)^2 / 3 is prime to the twist's cofactor (El Housni, Guillevic, Piellard, 2022/352; the generator checks it for
   * the curve); on the subgroup psi multiplies by p, which is x modulo r.
   */
  isInG2(point: usize): bool {
    const group = the<Weierstrass<Fq2<Base>, ZeroA>>();
    group.setIdentity(MULTIPLE);
    group.addBase(MULTIPLE, MULTIPLE, point, false);
    multiplyByParameter<Fq2<Base>, Constants>(MULTIPLE);
    psi<Base, Constants>(IMAGE, point);
    return isAffineOf<Fq2<Base>>(MULTIPLE, IMAGE);
  }
}
