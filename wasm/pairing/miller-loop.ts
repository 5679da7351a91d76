import { the } from '../field/field';
import { Fq2 } from '../field/fq2';
import { Fq12 } from '../field/fq12';
import { EXTENDED } from '../generated/scratch';

// Scratch elements of Fq2.
const A: usize = memory.data(EXTENDED);
const B: usize = memory.data(EXTENDED);
const C: usize = memory.data(EXTENDED);
const E: usize = memory.data(EXTENDED);
const F: usize = memory.data(EXTENDED);
const H: usize = memory.data(EXTENDED);
const J: usize = memory.data(EXTENDED);
const S: usize = memory.data(EXTENDED);
// The line of a step on a D-type twist: its coefficients of 1, w and w^3.
const L0: usize = memory.data(EXTENDED);
const L1: usize = memory.data(EXTENDED);
const L3: usize = memory.data(EXTENDED);
// A point to be added, affine.
const Q: usize = memory.data(2 * EXTENDED);

/**
 * A pair in memory: -x and y of the affine point P in G1, as in Fq; the affine point Q in G2, as in Fq2; and T, the
 * multiple of Q that the loop has reached, in homogeneous coordinates (x = X / Z, y = Y / Z), as in Fq2.
 */
@unmanaged
export class Pair<Base> {
  get size(): usize {
    return this.t + 3 * the<Fq2<Base>>().size;
  }

  /** The offset of Q. */
  get q(): usize {
    return 2 * the<Base>().size;
  }

  /** The offset of T. */
  get t(): usize {
    return this.q + 2 * the<Fq2<Base>>().size;
  }
}

/**
 * f = the product, over `count` pairs, of the functions of the optimal ate pairing (Vercauteren, "Optimal pairings",
 * 2008/096, section IV), up to factors in F_p^4, which the final exponentiation sends to 1. The pairs share the
 * squarings. The loop is here; the curve's family adds the lines after it (`finishLoop`). Q is of order r, and neither
 * point is infinity. For no pairs f is 1. Base is the field of the coordinates of G1, Constants has the numbers of the
 * pairing.
 */
export function millerLoop<Base, Constants, Family>(f: usize, pairs: usize, count: i32): void {
  const fq12 = the<Fq12<Base, Constants>>();
  const end = pairs + <usize>count * the<Pair<Base>>().size;
  fq12.setOne(f);
  for (let pair = pairs; pair < end; pair += the<Pair<Base>>().size) startMultiple<Base>(pair);
  for (let i = the<Constants>().loopCount - 2; i >= 0; i--) {
    const digit = load<i8>(the<Constants>().loop + <usize>i);
    fq12.sqr(f, f);
    for (let pair = pairs; pair < end; pair += the<Pair<Base>>().size) {
      doubleMultiple<Base, Constants>(f, pair);
      if (digit == 0) continue;
      copyPoint<Base>(Q, pair + the<Pair<Base>>().q, digit < 0);
      addToMultiple<Base, Constants>(f, pair, Q);
    }
  }
  the<Family>().finishLoop(f, pairs, end);
}

/**
 * Multiplies f by the line of a step. A point (x, y) of an M-type twist is (x / w^2, y / w^3) on the curve. So the
 * coefficients that belong to 1, w and w^3 on a D-type twist belong to w^3, w^2 and 1 there, up to a factor w^3.
 */
function multiplyByLine<Base, Constants>(f: usize): void {
  const fq12 = the<Fq12<Base, Constants>>();
  if (the<Constants>().isMTwist) fq12.mulBy023(f, f, L3, L1, L0);
  else fq12.mulBy013(f, f, L0, L1, L3);
}

/** T = Q. */
function startMultiple<Base>(pair: usize): void {
  const t = pair + the<Pair<Base>>().t;
  copyPoint<Base>(t, pair + the<Pair<Base>>().q, false);
  the<Fq2<Base>>().setOne(t + 2 * the<Fq2<Base>>().size);
}

/** Whether T is the affine point at `point`; false once T is infinity, or an addition met equal points. */
export function hasReached<Base>(pair: usize, point: usize): bool {
  const fq2 = the<Fq2<Base>>();
  const n = fq2.size;
  const x = pair + the<Pair<Base>>().t;
  if (fq2.isZero(x + 2 * n)) return false;
  fq2.mul(S, point, x + 2 * n);
  if (!fq2.equals(S, x)) return false;
  fq2.mul(S, point + n, x + 2 * n);
  return fq2.equals(S, x + n);
}

/** r = negative ? -a : a. */
export function copyPoint<Base>(r: usize, a: usize, negative: bool): void {
  const fq2 = the<Fq2<Base>>();
  fq2.copy(r, a);
  if (negative) fq2.neg(r + fq2.size, a + fq2.size);
  else fq2.copy(r + fq2.size, a + fq2.size);
}

/**
 * Doubles T, and multiplies f by the tangent at T, evaluated at P. On a D-type twist this is 2 Y Z y - 3 X^2 x w + (Y^2
 * - 3 b Z^2) w^3 (Costello, Lange, Naehrig, "Faster pairing computations on curves with high-degree twists", 2009/615;
 * in the form of Aranha, Karabina, Longa, Gebotys, Lopez, "Faster explicit formulas for computing pairings over
 * ordinary curves", 2010/526, section 4, with coordinates multiplied by 4).
 */
function doubleMultiple<Base, Constants>(f: usize, pair: usize): void {
  const fq2 = the<Fq2<Base>>();
  const n = fq2.size;
  const x = pair + the<Pair<Base>>().t;
  const y = x + n;
  const z = y + n;
  fq2.mul(A, x, y);
  fq2.sqr(B, y);
  fq2.sqr(C, z);
  fq2.mul(E, C, the<Constants>().g2TripleB);
  fq2.mul(H, y, z);
  fq2.dbl(H, H);
  fq2.sqr(J, x);
  fq2.dbl(S, J);
  fq2.add(J, S, J);
  fq2.scale(L0, H, pair + the<Base>().size);
  fq2.scale(L1, J, pair);
  fq2.sub(L3, B, E);
  multiplyByLine<Base, Constants>(f);
  // F = 3 E; X = 2 A (B - F), Y = (B + F)^2 - 12 E^2, Z = 4 B H.
  fq2.dbl(F, E);
  fq2.add(F, F, E);
  fq2.sub(S, B, F);
  fq2.dbl(A, A);
  fq2.mul(x, A, S);
  fq2.mul(S, E, F);
  fq2.dbl(S, S);
  fq2.add(F, B, F);
  fq2.sqr(F, F);
  fq2.sub2(y, F, S, S);
  fq2.dbl(B, B);
  fq2.dbl(H, H);
  fq2.mul(z, B, H);
}

/**
 * Adds to T an affine Q other than T and -T, and multiplies f by the line through both, evaluated at P. With theta = Y
 * - y_Q Z and lambda = X - x_Q Z the line is lambda y - theta x w + (theta x_Q - lambda y_Q) w^3 (2010/526, section 4).
 */
export function addToMultiple<Base, Constants>(f: usize, pair: usize, q: usize): void {
  const fq2 = the<Fq2<Base>>();
  const n = fq2.size;
  const x = pair + the<Pair<Base>>().t;
  const y = x + n;
  const z = y + n;
  // A = theta, B = lambda.
  fq2.mul(S, q + n, z);
  fq2.sub(A, y, S);
  fq2.mul(S, q, z);
  fq2.sub(B, x, S);
  fq2.scale(L0, B, pair + the<Base>().size);
  fq2.scale(L1, A, pair);
  fq2.mul(L3, A, q);
  fq2.mul(S, B, q + n);
  fq2.sub(L3, L3, S);
  multiplyByLine<Base, Constants>(f);
  // E = lambda^3, F = Z theta^2, H = X lambda^2; J = E + F - 2 H, X = lambda J, Y = theta (H - J) - E Y, Z = Z E.
  fq2.sqr(C, B);
  fq2.mul(E, B, C);
  fq2.mul(H, x, C);
  fq2.sqr(S, A);
  fq2.mul(F, z, S);
  fq2.add(J, E, F);
  fq2.sub2(J, J, H, H);
  fq2.mul(x, B, J);
  fq2.sub(H, H, J);
  fq2.mul(H, A, H);
  fq2.mul(S, E, y);
  fq2.sub(y, H, S);
  fq2.mul(z, z, E);
}
